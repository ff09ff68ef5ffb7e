#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks the rules of style that a script can check; prints FILE:LINE: RULE for each breach.
# Usage: tests/tidy.sh; make check sets CC and TIDY_CPPFLAGS for the check of headers.
set -u
export LC_ALL=C

root=$(dirname "$0")/../
mapfile -t sources < <(find "${root}sim" "${root}tests" -name '*.[ch]' | sort)

# Rules about one file at a time.
check_lines() {
    awk -v root="$root" '
    function breach(text) { printf "%s:%d: %s\n", name, FNR, text }
    function breach_at(line, text) { printf "%s:%d: %s\n", name, line, text }
    function has_call(calls) { return code ~ ("(^|[^A-Za-z0-9_])(" calls ") *\\(") }
    function in_banned_word(word) {
        return word ~ /(^|_)(data|info|manager|helper|util|misc|common)s?(_|$)/ && word !~ /^cmd_/
    }
    function finish_file() {
        limit = (name ~ /\.h$/) ? 150 : 500
        if (name != "" && lines > limit) breach_at(lines, "more than " limit " lines")
    }
    function start_file(  stem) {
        name = substr(FILENAME, length(root) + 1)
        count = split(name, part, "/")
        folder = (part[1] == "sim") ? part[2] : ""
        stem = part[count]; sub(/\.[ch]$/, "", stem)
        if (in_banned_word(stem)) breach("the name of the file says nothing")
        if (folder != "" && !(folder in level)) breach("the folder has no layer number")
        own = folder "/" stem ".h"
        needs_own = (name ~ /^sim\/.*\.c$/ && (getline ignored < (root "sim/" own)) > 0)
        close(root "sim/" own)
        first_include = 1; function_line = 0; in_comment = 0
        if ($0 != "/* SPDX-License-Identifier: Apache-2.0 */") breach("the SPDX line is not first")
    }
    function check_include(  target, other) {
        target = $2; gsub(/["<>]/, "", target)
        if (first_include && needs_own && target != own) breach("the first include is not " own)
        first_include = 0
        if (folder == "" || $2 !~ /^"/) return
        other = target; sub(/\/.*/, "", other)
        if (target !~ /\//) breach("includes are written from sim/")
        else if (other != folder && level[other] >= level[folder])
            breach("layer " folder " may not include " target)
    }
    function check_function(  word) {
        if (/^[A-Za-z_].*\(/) {
            function_line = /;$/ ? 0 : FNR
            word = $0; sub(/ *\(.*/, "", word); sub(/.*[ *]/, "", word)
            if (in_banned_word(word)) breach("the name of function " word " says nothing")
        } else if (/^[A-Za-z_]/) function_line = 0
        if (/^}/ && function_line) {
            if (FNR - function_line >= 60) breach_at(function_line, "function of over 60 lines")
            function_line = 0
        }
    }
    function check_types(  rest, word) {
        rest = code
        while (match(rest, /(struct|enum|union) +[A-Za-z0-9_]+/)) {
            word = substr(rest, RSTART, RLENGTH); sub(/.* /, "", word)
            if (in_banned_word(word)) breach("the name of type " word " says nothing")
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    function check_repeatable() {
        if (has_call("time|clock|clock_gettime|gettimeofday|localtime|gmtime"))
            breach("the engine asks for the time of the host")
        if (has_call("s?rand|s?random|drand48")) breach("randomness comes from random_stream only")
        if (has_call("getenv|setlocale")) breach("the engine depends on its surroundings")
        if (code ~ /%[-0-9]*p/) breach("an address is printed")
        if (tolower($0) ~ /atlas|ascend_?[0-9]|(^|[^0-9a-z])(910_?[a-d]|910_9|310_?[pb]|950(pr|dt))/)
            breach("the engine knows a product by name")
        if (folder ~ /^(hazard|strategy)$/ && has_call("malloc|calloc|realloc|free"))
            breach("folder " folder " owns no memory")
    }
    BEGIN {
        split("base 0 store 1 core 2 memory 2 form 2 machine 3 acl 4 strategy 5 hazard 5 trace 5 " \
              "scenario 6 replay 6 import 7 explore 7 plan 7 view 7 cli 8", pair, " ")
        for (i = 1; i in pair; i += 2) level[pair[i]] = pair[i + 1] + 0
    }
    FNR == 1 { finish_file(); start_file() }
    { lines = FNR; code = $0; gsub(/\/\*.*\*\//, "", code) }
    in_comment || code ~ /\/\*/ { code = ""; in_comment = ($0 !~ /\*\//) }
    length($0) > 100 { breach("more than 100 columns") }
    /\t/ { breach("a tab") }
    /TODO|FIXME|(^|[^X])XXX([^X]|$)/ { breach("unfinished") }
    code ~ /(^|[^:])\/\// { breach("a comment is written between /* and */") }
    (in_comment || /^ *\/\*/) && /(\) ?[;{]|= .*;|})( \*\/)?$/ { breach("code in a comment") }
    code ~ /__DATE__|__TIME__/ { breach("the build shows in the output") }
    code ~ /__FILE__/ && name != "sim/base/must.h" { breach("__FILE__ belongs to must.h") }
    /^#include/ { check_include() }
    { check_function(); check_types() }
    folder != "" && folder != "cli" { check_repeatable() }
    END { finish_file() }' "${sources[@]}"
}

# Rules about all files together.
check_lists() {
    local source folder
    printf '%s\n' "${sources[@]##*/}" | sort | uniq -d | while read -r name; do
        echo "$name:1: two files have this name"
    done
    for source in "${sources[@]}"; do
        folder=${source%/*}
        [[ -e $folder/local.mk ]] && grep -qF "%D%/${source##*/}" "$folder/local.mk" ||
            echo "${source#"$root"}:1: not in the local.mk of its folder"
    done
    for folder in "${root}"sim/*/; do
        grep -qF "include ${folder#"$root"}local.mk" "${root}Makefile.am" ||
            echo "${folder#"$root"}local.mk:1: not included by Makefile.am"
    done
}

# Each header compiles on its own; one compiler for many headers saves most of the time.
# The compiler and its flags are several words, so they stay without quotes.
check_headers() {
    local flags=${TIDY_CPPFLAGS:-"-I${root}sim -D_POSIX_C_SOURCE=200809L"}
    local output
    output=$(printf '%s\n' "${sources[@]}" | grep '/sim/.*\.h$' |
        xargs -n 8 -P "$(getconf _NPROCESSORS_ONLN)" \
            ${CC:-cc} -std=c11 $flags -fsyntax-only -x c 2>&1) && return
    grep -q 'error: ' <<<"$output" || echo "tests/tidy.sh:1: the compiler failed: $output"
    sed -n "s|^$root\([^:]*:[0-9]*\):.*error: |\1: does not compile alone: |p" <<<"$output"
}

breaches=$(check_lines; check_lists; check_headers)
[[ -z $breaches ]] || echo "$breaches"
failed=$(printf '%s' "$breaches" | cut -d : -f 1 | sort -u | grep -c .)
echo "$((${#sources[@]} > failed ? ${#sources[@]} - failed : 0)) passed, $failed failed"
[[ $failed -eq 0 ]]
