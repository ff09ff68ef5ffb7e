#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Adds up the tests below a build folder: the last "N passed, N failed" line of each test's log.
# A test that ended without such a line, or failed without admitting it, counts as one.
# Usage: tally.sh FOLDER; exit status 1 when anything failed.
set -eu

tests=$(find "$1" -name '*.trs' | sort)
for result_file in $tests; do
    result=$(sed -n 's/^:global-test-result: //p' "$result_file")
    line=$(grep -sE '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' \
        "${result_file%.trs}.log" | tail -n 1 || true)
    echo "${result:-ERROR} $line"
done | awk '
    { failed_here = (NF >= 5) ? $4 : 0 }
    NF >= 5 { passed += $2; failed += $4; skipped += $6 }
    NF < 5 && $1 == "PASS" { passed++ }
    NF < 5 && $1 == "SKIP" { skipped++ }
    $1 !~ /^(PASS|SKIP|XFAIL)$/ && failed_here == 0 { failed++ }
    END {
        if (NR == 0) failed = 1
        printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
        exit failed > 0
    }'
