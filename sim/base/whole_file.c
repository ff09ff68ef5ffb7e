/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __linux__
#define _GNU_SOURCE /* O_TMPFILE */
#endif

#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host.h"
#include "base/text.h"

enum { NAMES_TRIED = 100, PERMISSIONS = 0777 };

static bool complain(const char *path, struct problem *problem, int error) {
    problem_add(problem, (struct problem_place){ .file = path }, "it can not be written: %s",
                strerror(error == 0 ? EIO : error));
    return false;
}

static void forget(struct whole_file *file) {
    free(file->path);
    free(file->place);
    free(file->draft);
    *file = (struct whole_file){ 0 };
}

/* "x.csv.draft", "x.csv.draft1", ...: another program may be writing the same file. */
static char *name_of_draft(const char *place, uint32_t number) {
    struct text name = { 0 };
    text_printf(&name, "%s.draft", place);
    if (number > 0) {
        text_printf(&name, "%u", number);
    }
    return text_steal(&name);
}

/* A file without a name goes away by itself, however the program ends; it gets one by way of
 * /proc. */
static int open_nameless(const char *place, mode_t mode) {
#ifdef O_TMPFILE
    struct text folder = { 0 };
    const char *slash = strrchr(place, '/');
    if (access("/proc/self/fd", X_OK) != 0) {
        return -1;
    }
    if (slash == NULL) {
        text_append(&folder, ".");
    } else {
        text_append_bytes(&folder, place, slash == place ? 1 : (size_t)(slash - place));
    }
    int descriptor = open(text_get(&folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    text_fini(&folder);
    return descriptor;
#else
    (void)place;
    (void)mode;
    return -1;
#endif
}

static int open_draft(struct whole_file *file, mode_t mode) {
    for (uint32_t number = 0; number < NAMES_TRIED; number++) {
        char *name = name_of_draft(file->place, number);
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor >= 0) {
            file->draft = name;
            return descriptor;
        }
        free(name);
        if (errno != EEXIST) {
            return -1;
        }
    }
    return -1;
}

/* Gives a file without a name one beside its place: a name that is taken it can not get. */
static bool name_draft(struct whole_file *file) {
    char source[64];
    (void)snprintf(source, sizeof source, "/proc/self/fd/%d", fileno(file->stream));
    for (uint32_t number = 0; number < NAMES_TRIED; number++) {
        char *name = name_of_draft(file->place, number);
        if (linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            file->draft = name;
            return true;
        }
        free(name);
        if (errno != EEXIST) {
            return false;
        }
    }
    return false;
}

/* What the program writes already, such as /dev/stdout sent to a file, it goes on writing. */
static int open_again(const struct stat *status) {
    struct stat output;
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fstat(descriptor, &output) == 0 && output.st_dev == status->st_dev &&
            output.st_ino == status->st_ino) {
            return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        }
    }
    return -1;
}

/* Only what has a name can be replaced; what is no plain file is written as it is. */
static int open_descriptor(struct whole_file *file) {
    struct stat status;
    mode_t mode = 0666;
    if (stat(file->path, &status) == 0) {
        int output = open_again(&status);
        if (output >= 0) {
            return output;
        }
        file->place = S_ISREG(status.st_mode) ? realpath(file->path, NULL) : NULL;
        if (file->place == NULL) {
            return open(file->path, O_WRONLY | O_CLOEXEC);
        }
        mode = status.st_mode & PERMISSIONS;
    } else {
        file->place = host_copy_string(file->path);
    }
    int descriptor = open_nameless(file->place, mode);
    return descriptor >= 0 ? descriptor : open_draft(file, mode);
}

bool whole_file_open(struct whole_file *file, const char *path, struct problem *problem) {
    *file = (struct whole_file){ .path = host_copy_string(path) };
    int descriptor = open_descriptor(file);
    file->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file->stream != NULL) {
        return true;
    }
    complain(path, problem, errno);
    forget(file);
    return false;
}

/* What went wrong in writing it all; 0 for nothing. */
static int finish(struct whole_file *file) {
    int error = file->error;
    errno = 0;
    if (fflush(file->stream) != 0 && error == 0) {
        error = errno;
    }
    if (ferror(file->stream) != 0 && error == 0) {
        error = EIO;
    }
    if (error == 0 && file->place != NULL && file->draft == NULL && !name_draft(file)) {
        error = errno;
    }
    if (fclose(file->stream) != 0 && error == 0) {
        error = errno;
    }
    if (error == 0 && file->place != NULL && rename(file->draft, file->place) != 0) {
        error = errno;
    }
    return error;
}

bool whole_file_close(struct whole_file *file, struct problem *problem) {
    int error = finish(file);
    if (error != 0) {
        complain(file->path, problem, error);
        if (file->draft != NULL) {
            (void)unlink(file->draft);
        }
    }
    forget(file);
    return error == 0;
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
