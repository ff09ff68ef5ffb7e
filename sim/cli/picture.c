/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/place.h"

enum { NO_PROGRAM = 127 };

static bool complain(const char *file, struct problem *problem, const char *what) {
    problem_add(problem, (struct problem_place){ .file = file }, "%s", what);
    return false;
}

bool picture_make_folder(const char *folder, struct problem *problem) {
    struct stat status;
    if (mkdir(folder, 0777) == 0) {
        return true;
    }
    int error = errno;
    if (stat(folder, &status) != 0) {
        return complain(folder, problem, strerror(error));
    }
    return S_ISDIR(status.st_mode) ||
           complain(folder, problem, "this is no folder; expected one for pictures");
}

static int run_gnuplot(const char *csv, const char *folder, const char *script) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execlp("gnuplot", "gnuplot", "-c", script, csv, folder, (char *)NULL);
        _exit(NO_PROGRAM);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

bool picture_draw(const char *name, const char *csv, const char *folder, struct problem *problem) {
    struct text script = { 0 };
    char *scripts = place_find("plots");
    text_printf(&script, "%s/%s.gnuplot", scripts, name);
    free(scripts);
    int status = run_gnuplot(csv, folder, text_get(&script));
    bool is_drawn = status == 0;
    if (status == NO_PROGRAM) {
        complain("gnuplot", problem,
                 "this program is not installed; pictures need it (Debian: "
                 "gnuplot-nox)");
    } else if (!is_drawn) {
        complain(text_get(&script), problem, "gnuplot could not draw by this script");
    }
    text_fini(&script);
    return is_drawn;
}
