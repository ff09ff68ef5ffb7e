#!/bin/sh
# Every product that there is, also those that are not standard ones, gives what the scenarios expect.
set -u
cd "${srcdir:-.}" || exit 2
program=${builddir_absolute:?}/aclsim
passed=0
failed=0
for product in $("$program" list products | cut -d ' ' -f 1); do
    if output=$("$program" verify scenarios --product "$product"); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$output" | grep -v '^ok '
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
