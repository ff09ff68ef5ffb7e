/* SPDX-License-Identifier: Apache-2.0 */
/* The stream behind an argument of a call. */
#ifndef ACL_ACL_STREAM_H
#define ACL_ACL_STREAM_H

#include <stdint.h>

#include "acl/acl_frame.h"
#include "machine/stream.h"

/* NULL is the default stream of the current device; one of another device is refused. */
int32_t acl_find_stream(struct acl_frame *frame, uint64_t value, uint32_t *slot);

/* Waits until all streams of the current device have ended; the first fault of them is the answer.
 */
int32_t acl_synchronize_device(struct acl_frame *frame);

#endif
