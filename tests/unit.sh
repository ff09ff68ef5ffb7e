#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs each suite of tests/unit in a process of its own, as many at once as there are processors, and
# prints what the suites printed, in order. In one process the tests would fork an ever larger
# one, which under the sanitizers takes many times as long.
set -eu
unit=$builddir_absolute/tests/unit
suites=$(sed -n 's/^ENTRY(test_\(.*\))$/\1/p' "$builddir_absolute/tests/suites.inc")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

run_suite() {
    CK_RUN_SUITE=$1 "$unit" >"$scratch/$1" 2>&1 || echo "the suite $1 failed" >>"$scratch/$1"
}
export unit scratch
# A machine may be busy: only a test that hangs is to be stopped.
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-60}
export -f run_suite
# shellcheck disable=SC2016 # The words are for the inner shell.
printf '%s\n' $suites | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 bash -c 'run_suite "$1"' run

cd "$scratch"
# shellcheck disable=SC2086 # A list of names without blanks.
grep -hvE '^[0-9]+ passed, [0-9]+ failed$' $suites /dev/null || true
# shellcheck disable=SC2086
awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; counted++ }
    END {
        suites = ARGC - 1
        failed += suites - counted
        printf "%d passed, %d failed\n", passed, failed
        exit failed > 0 || suites == 0
    }' $suites
