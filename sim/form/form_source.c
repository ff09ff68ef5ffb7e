/* SPDX-License-Identifier: Apache-2.0 */
#include "form/form_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/host.h"

enum { BUFFER_SIZE = 64 << 10 };

struct form_source {
    const char *path;
    gzFile file;
    uint64_t passed; /* bytes before the buffer */
    size_t at;
    size_t size;
    bool has_failed;
    unsigned char buffer[BUFFER_SIZE];
};

static void complain(const char *path, struct problem *problem, const char *what) {
    problem_add(problem, (struct problem_place){ .file = path }, "%s", what);
}

struct form_source *form_source_open(const char *path, struct problem *problem) {
    struct stat status;
    gzFile file = NULL;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        complain(path, problem, "this is a folder; expected a file");
        return NULL;
    }
    file = gzopen(path, "rb");
    if (file == NULL) {
        complain(path, problem,
                 errno == 0 ? "it can not be read; expected a file" : strerror(errno));
        return NULL;
    }
    (void)gzbuffer(file, BUFFER_SIZE);
    struct form_source *source = host_zeroed(1, sizeof *source);
    source->path = path;
    source->file = file;
    return source;
}

void form_source_close(struct form_source *source) {
    if (source != NULL) {
        (void)gzclose(source->file);
        free(source);
    }
}

bool form_source_rewind(struct form_source *source, struct problem *problem) {
    source->passed = 0;
    source->at = source->size = 0;
    if (source->has_failed || gzrewind(source->file) != 0) {
        complain(source->path, problem, "it can not be read a second time; expected a file");
        return false;
    }
    return true;
}

/* Reads on; false at the end. */
static bool fill(struct form_source *source) {
    if (source->has_failed) {
        return false;
    }
    int count = gzread(source->file, source->buffer, BUFFER_SIZE);
    int code = Z_OK;
    (void)gzerror(source->file, &code);
    source->passed += source->size;
    source->at = 0;
    source->size = count < 0 ? 0 : (size_t)count;
    source->has_failed = count < 0 || (code != Z_OK && code != Z_STREAM_END);
    return source->size > 0;
}

int form_source_byte(struct form_source *source) {
    if (source->at == source->size && !fill(source)) {
        return -1;
    }
    return source->buffer[source->at++];
}

bool form_source_bytes(struct form_source *source, unsigned char *bytes, uint64_t size) {
    while (size > 0) {
        if (source->at == source->size && !fill(source)) {
            return false;
        }
        size_t left = source->size - source->at;
        size_t part = size < left ? (size_t)size : left;
        if (bytes != NULL) {
            memcpy(bytes, source->buffer + source->at, part);
            bytes += part;
        }
        source->at += part;
        size -= part;
    }
    return true;
}

size_t form_source_peek(struct form_source *source, unsigned char *bytes, size_t size) {
    if (source->passed + source->at > 0) {
        return 0;
    }
    if (source->size == 0) {
        (void)fill(source);
    }
    size_t part = size < source->size ? size : source->size;
    memcpy(bytes, source->buffer, part);
    return part;
}

uint64_t form_source_offset(const struct form_source *source) {
    return source->passed + source->at;
}

const char *form_source_path(const struct form_source *source) {
    return source->path;
}

bool form_source_complain(struct form_source *source, struct problem *problem) {
    if (!source->has_failed) {
        return false;
    }
    problem_add(problem, (struct problem_place){ .file = source->path },
                "reading failed behind byte %llu: %s",
                (unsigned long long)form_source_offset(source),
                "the packed bytes are damaged or cut off, or the file can not be read");
    return true;
}
