#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The models that are not standard ones run the sharing protocol and every scenario that is for
# their family too. Called by "make check-long".
set -u
aclsim=${builddir_absolute:?}/aclsim
cd "${srcdir:-.}" || exit 2
passed=0
failed=0
for product in $("$aclsim" list products | awk '$NF == "-" { print $1 }'); do
    out=$("$aclsim" verify scenarios --product "$product" 2>&1)
    if [[ $? -eq 0 && $out == *"ok     scenarios/share-between-processes.json on $product"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$product:"
        grep -v '^ok ' <<<"$out"
    fi
done
[[ $passed -gt 0 ]] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
