/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/site.h"

#include "base/must.h"

uint32_t site_server_of(const struct site *site, uint32_t device) {
    uint32_t low = 0, high = site->server_count;
    must(device < site->device_count);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (site->server[middle].device_first <= device) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static const struct site_container *container_of(const struct site *site, uint32_t process) {
    uint32_t container = site->process[process].container;
    return container == SITE_NO_CONTAINER ? NULL : &site->container[container];
}

uint32_t site_visible_count(const struct site *site, uint32_t process) {
    const struct site_container *container = container_of(site, process);
    return container != NULL ? container->visible_count
                             : site->server[site->process[process].server].device_count;
}

uint32_t site_device(const struct site *site, uint32_t process, uint32_t number) {
    const struct site_container *container = container_of(site, process);
    if (number >= site_visible_count(site, process)) {
        return SITE_NO_DEVICE;
    }
    uint32_t on_server =
        container != NULL ? site->visible[container->visible_first + number] : number;
    return site->server[site->process[process].server].device_first + on_server;
}

uint32_t site_number(const struct site *site, uint32_t process, uint32_t device) {
    uint32_t first = site->server[site->process[process].server].device_first;
    if (container_of(site, process) == NULL) {
        return device - first < site_visible_count(site, process) ? device - first : SITE_NO_DEVICE;
    }
    for (uint32_t number = 0; number < site_visible_count(site, process); number++) {
        if (site_device(site, process, number) == device) {
            return number;
        }
    }
    return SITE_NO_DEVICE;
}

uint32_t site_number_there(const struct site *site, uint32_t device) {
    return device - site->server[site_server_of(site, device)].device_first;
}

uint64_t site_usable(const struct site *site, uint32_t device) {
    const struct site_server *server = &site->server[site_server_of(site, device)];
    uint32_t number = device - server->device_first;
    uint64_t usable = product_usable(server->product, number);
    uint64_t quota = server->quota_bytes;
    if (server->quota_cores > 0) {
        quota = product_share(server->product, number, server->quota_cores);
    }
    return quota > 0 && quota < usable ? quota : usable;
}

uint64_t site_ddr_usable(const struct site *site, uint32_t device) {
    const struct site_server *server = &site->server[site_server_of(site, device)];
    return product_ddr_usable(server->product, device - server->device_first);
}

/* By the link that joins them; a product that tells of no links joins all of its devices. */
static bool is_joined(const struct site_server *server, uint32_t from, uint32_t to) {
    const struct link *link =
        link_between(server->product, from - server->device_first, to - server->device_first);
    return server->product->link_count == 0 || (link != NULL && link->peer_access);
}

bool site_can_peer(const struct site *site, uint32_t from, uint32_t to) {
    uint32_t server = site_server_of(site, from);
    const struct site_server *at = &site->server[server];
    return server == site_server_of(site, to) && at->product->peer_access &&
           is_joined(at, from, to) && at->quota_bytes == 0 && !at->virtual_machine &&
           !at->compute_group;
}
