/* SPDX-License-Identifier: Apache-2.0 */
#include "base/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host.h"
#include "base/text.h"

static bool complain(const char *path, struct problem *problem, int error) {
    problem_add(problem, (struct problem_place){ .file = path }, "it can not be written: %s",
                strerror(error == 0 ? EIO : error));
    return false;
}

static void forget(struct whole_file *file) {
    free(file->path);
    free(file->draft);
    *file = (struct whole_file){ 0 };
}

/* Devices and pipes are written as they are. */
static bool is_special(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool whole_file_open(struct whole_file *file, const char *path, struct problem *problem) {
    struct text draft = { 0 };
    *file = (struct whole_file){ .path = host_copy_string(path) };
    if (is_special(path)) {
        file->stream = fopen(path, "w");
    } else {
        text_printf(&draft, "%s.XXXXXX", path);
        file->draft = text_steal(&draft);
        int descriptor = mkstemp(file->draft);
        mode_t mask = umask(0);
        (void)umask(mask);
        bool is_made = descriptor >= 0 && fchmod(descriptor, 0666 & ~mask) == 0;
        file->stream = is_made ? fdopen(descriptor, "w") : NULL;
    }
    if (file->stream != NULL) {
        return true;
    }
    complain(path, problem, errno);
    forget(file);
    return false;
}

bool whole_file_close(struct whole_file *file, struct problem *problem) {
    errno = 0;
    bool is_written = fflush(file->stream) == 0 && ferror(file->stream) == 0;
    int error = errno;
    bool is_closed = fclose(file->stream) == 0;
    error = is_written && !is_closed ? errno : error;
    bool is_well = is_written && is_closed;
    if (is_well && file->draft != NULL && rename(file->draft, file->path) != 0) {
        error = errno;
        is_well = false;
    }
    if (!is_well) {
        complain(file->path, problem, error);
        if (file->draft != NULL) {
            (void)unlink(file->draft);
        }
    }
    forget(file);
    return is_well;
}

void whole_file_abandon(struct whole_file *file) {
    if (file->stream != NULL) {
        (void)fclose(file->stream);
        if (file->draft != NULL) {
            (void)unlink(file->draft);
        }
        forget(file);
    }
}
