/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/run_server.h"

#include <string.h>

/* The template by its name, or the first one; NULL with the nearest name in a complaint. */
static const struct product_template *
find_template(const struct product *product, const struct json *wish, struct problem *problem) {
    const char *names[TEMPLATES_MAX];
    const char *name = json_type(wish) == JSON_STRING ? json_string(wish) : NULL;
    for (uint32_t place = 0; place < product->vnpu_count; place++) {
        names[place] = product->vnpu[place].name;
        if (name == NULL || strcmp(names[place], name) == 0) {
            return &product->vnpu[place];
        }
    }
    if (product->vnpu_count == 0) {
        json_complain(wish, problem, "%s has no templates of virtual NPUs", product->name);
        return NULL;
    }
    const char *nearest = problem_nearest(name, names, product->vnpu_count);
    json_complain(wish, problem, "%s has no template \"%.40s\"; did you mean \"%s\"?",
                  product->name, name, nearest == NULL ? names[0] : nearest);
    return NULL;
}

static bool divide(struct site_server *server, const struct scenario_server *wish,
                   struct problem *problem) {
    const struct product_template *template = find_template(server->product, wish->vnpu, problem);
    if (template == NULL) {
        return false;
    }
    if (wish->virtual_machine ? !server->product->vnpu_machine : !server->product->vnpu_container) {
        json_complain(wish->vnpu, problem, "a virtual NPU of %s can not be used %s",
                      server->product->name,
                      wish->virtual_machine ? "in a virtual machine" : "in a container");
        return false;
    }
    server->quota_cores = template->memory == 0 ? template->cores : 0;
    server->quota_bytes = template->memory != 0
                              ? template->memory
                              : product_share(server->product, 0, template->cores);
    return true;
}

static bool refuse(const struct scenario_server *wish, const char *key, const char *what,
                   const struct product *product, struct problem *problem) {
    json_complain(json_find(wish->where, key), problem, "%s has no %s", product->name, what);
    return false;
}

bool run_server_form(struct site_server *server, const struct scenario_server *wish,
                     struct problem *problem) {
    const struct product *product = server->product;
    bool is_well = true;
    server->device_count = wish->devices > 0 ? wish->devices : product->devices;
    server->rc_form = wish->rc_form;
    server->compute_group = wish->compute_group;
    server->virtual_machine = wish->virtual_machine;
    server->quota_bytes = wish->quota_bytes;
    if (wish->rc_form && !product->rc_form) {
        is_well = refuse(wish, "rc_form", "Ascend RC form", product, problem);
    }
    if (wish->compute_group && !product->compute_groups) {
        is_well = refuse(wish, "compute_group", "compute groups", product, problem);
    }
    return (wish->vnpu == NULL || divide(server, wish, problem)) && is_well;
}
