/* SPDX-License-Identifier: Apache-2.0 */
/* The event behind an argument of a call. */
#ifndef ACL_ACL_EVENT_H
#define ACL_ACL_EVENT_H

#include <stdint.h>

#include "acl/acl_frame.h"
#include "machine/stream.h"

int32_t acl_find_event(const struct acl_frame *frame, uint64_t value, uint32_t *slot);

#endif
