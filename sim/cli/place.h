/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the program's own files are. A program inside of its build folder uses those of the source
 * tree. An installed one uses those beside it (../share/aclsim, so that a moved or staged
 * installation works), else those of the prefix it was configured for.
 */
#ifndef CLI_PLACE_H
#define CLI_PLACE_H

char *place_find(const char *folder); /* "models"; the caller frees it */

#endif
