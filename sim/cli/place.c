/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/place.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host.h"
#include "base/text.h"

enum { PATH_SIZE = 4096 };

static bool is_directory(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The folder of the running program, with a slash behind it; "" when the system does not say. */
static void find_own_folder(char folder[PATH_SIZE]) {
    ssize_t size = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
    folder[size < 0 ? 0 : size] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    }
}

/* Whether the program lies in the folder where it was built. */
static bool is_in_build(const char *folder) {
    struct stat own;
    struct stat build;
    return stat(folder, &own) == 0 && stat(BUILD_FILES, &build) == 0 &&
           own.st_dev == build.st_dev && own.st_ino == build.st_ino;
}

char *place_find(const char *folder) {
    char own[PATH_SIZE];
    struct text path = { 0 };
    find_own_folder(own);
    if (is_in_build(own)) {
        text_printf(&path, "%s/%s", SOURCE_FILES, folder);
        return text_steal(&path);
    }
    text_printf(&path, "%s../share/aclsim/%s", own, folder);
    if (own[0] == '\0' || !is_directory(text_get(&path))) {
        text_clear(&path);
        text_printf(&path, "%s/%s", INSTALLED_FILES, folder);
    }
    return text_steal(&path);
}
