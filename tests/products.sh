#!/bin/sh
# The clean protocol of sharing gives what it expects on every product that there is.
set -u
cd "${srcdir:-.}" || exit 2
program=${builddir_absolute:?}/aclsim
passed=0
failed=0
for product in $("$program" list products | cut -d ' ' -f 1); do
    if output=$("$program" verify scenarios/share-between-processes.json --product "$product"); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$output"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
