/* SPDX-License-Identifier: Apache-2.0 */
#include "form/form_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/host.h"

enum { BUFFER_SIZE = 64 << 10 };

struct form_file {
    const char *path;
    gzFile file;
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
    source->file = host_zeroed(1, sizeof *source->file);
    source->file->path = path;
    source->file->file = file;
    source->at = source->end = source->file->buffer;
    return source;
}

void form_source_close(struct form_source *source) {
    if (source != NULL) {
        (void)gzclose(source->file->file);
        free(source->file);
        free(source);
    }
}

bool form_source_rewind(struct form_source *source, struct problem *problem) {
    source->at = source->end = source->file->buffer;
    source->end_offset = 0;
    if (source->file->has_failed || gzrewind(source->file->file) != 0) {
        complain(source->file->path, problem, "it can not be read a second time; expected a file");
        return false;
    }
    return true;
}

/* Reads on; false at the end. */
static bool fill(struct form_source *source) {
    struct form_file *file = source->file;
    if (file->has_failed) {
        return false;
    }
    int count = gzread(file->file, file->buffer, BUFFER_SIZE);
    int code = Z_OK;
    (void)gzerror(file->file, &code);
    file->has_failed = count < 0 || (code != Z_OK && code != Z_STREAM_END);
    source->at = file->buffer;
    source->end = file->buffer + (count < 0 ? 0 : count);
    source->end_offset += (uint64_t)(source->end - source->at);
    return source->end > source->at;
}

int form_source_more(struct form_source *source) {
    return fill(source) ? *source->at++ : -1;
}

bool form_source_bytes(struct form_source *source, unsigned char *bytes, uint64_t size) {
    while (size > 0) {
        if (source->at == source->end && !fill(source)) {
            return false;
        }
        size_t left = (size_t)(source->end - source->at);
        size_t part = size < left ? (size_t)size : left;
        if (bytes != NULL) {
            memcpy(bytes, source->at, part);
            bytes += part;
        }
        source->at += part;
        size -= part;
    }
    return true;
}

size_t form_source_peek(struct form_source *source, unsigned char *bytes, size_t size) {
    if (form_source_offset(source) > 0) {
        return 0;
    }
    if (source->at == source->end) {
        (void)fill(source);
    }
    size_t left = (size_t)(source->end - source->at);
    size_t part = size < left ? size : left;
    memcpy(bytes, source->at, part);
    return part;
}

const char *form_source_path(const struct form_source *source) {
    return source->file->path;
}

bool form_source_complain(struct form_source *source, struct problem *problem) {
    if (!source->file->has_failed) {
        return false;
    }
    problem_add(problem, (struct problem_place){ .file = source->file->path },
                "reading failed behind byte %llu: %s",
                (unsigned long long)form_source_offset(source),
                "the packed bytes are damaged or cut off, or the file can not be read");
    return true;
}
