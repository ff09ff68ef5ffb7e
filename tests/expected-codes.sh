#!/bin/sh
# The codes that calls return in the sharing scenarios are those of tests/expected-codes.csv, which
# was written from the specification; every call of those scenarios stands there, once a product.
set -u
cd "${srcdir:-.}" || exit 2
program=${builddir_absolute:?}/aclsim
work=$(mktemp -d "${TMPDIR:-/tmp}/aclsim-codes.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT

# A step in a loop counts once.
"$program" verify scenarios/share scenarios/share-between-processes.json --codes |
    grep '^scenarios/' | sort -u >"$work/returned"
sed '1d' tests/expected-codes.csv | cut -d, -f1-4 | sort -u >"$work/expected"
rows=$(wc -l <"$work/expected")
comm -3 "$work/expected" "$work/returned" | sed 's/^\t//' | cut -d, -f1-3 | sort -u >"$work/differ"
differ=$(wc -l <"$work/differ")
comm -23 "$work/expected" "$work/returned" | sed 's/^/expected /' | head -40
comm -13 "$work/expected" "$work/returned" | sed 's/^/returned /' | head -40
echo "$((rows > differ ? rows - differ : 0)) passed, $differ failed"
[ "$differ" -eq 0 ] && [ "$rows" -gt 0 ]
