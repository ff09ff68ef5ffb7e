#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `aclsim list` and `aclsim show` print: one entry a line, its name first, and the same in JSON.
set -u
export LC_ALL=C
program=${builddir_absolute:?}/aclsim
scenarios=$(cd "${srcdir:-.}" && pwd)/scenarios
passed=0
failed=0

count() {
    local title=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $title"; fi
}

work=$(mktemp -d "${TMPDIR:-/tmp}/aclsim-lists.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT

kinds=$("$program" list | sed 's/ .*//')
for kind in products calls codes rules fields costs units formats commands; do
    count "there is a list of $kind" grep -qx "$kind" <<<"$kinds"
done
for kind in $kinds; do
    "$program" list "$kind" >"$work/$kind.text"
    "$program" list "$kind" --json >"$work/$kind.json"
    count "no entry of $kind has an empty cell" [ "$(grep -c '  *$' "$work/$kind.text")" -eq 0 ]
done
if command -v python3 >/dev/null; then
    # One start of the interpreter for all of them.
    count "lists in JSON are those in text" python3 -c 'import json, sys
for kind in sys.argv[2:]:
    path = sys.argv[1] + "/" + kind
    names = [entry["name"] or "-" for entry in json.load(open(path + ".json"))]
    if names != [line.split()[0] for line in open(path + ".text")]: sys.exit(kind)
' "$work" $kinds
fi
count "a call has its parameters" grep -q 'aclrtMapMem .* virPtr size \[offset\] handle \[flags\]  *all$' \
    <("$program" list calls)
count "a call has its families" grep -q 'acldvppMalloc .* atlas_a3,atlas_a2,atlas_200i_500_a2,atlas_inference,atlas_training$' \
    <("$program" list calls)
count "a rule has its section" grep -q '^not_listed  *507899  *vmm-and-sharing 5.3 ' <("$program" list rules)

for product in $("$program" list products | sed 's/ .*//'); do
    "$program" show product "$product" | grep -v '^#' >/dev/null || count "show product $product" false
done
product=atlas-a2-910b1
all=$("$program" show product $product)
guesses=$("$program" show product $product --assumed)
count "a value has unit, basis and model" grep -q \
    '^/costs/export  *20us  *time  *I L  *_ascend  *aclrtMemExportToShareableHandle' <<<"$all"
count "--assumed is a part of all" [ -z "$(comm -13 <(grep -o '^/[^ ]*' <<<"$all") <(grep -o '^/[^ ]*' <<<"$guesses"))" ]
count "--assumed has guesses only" [ -z "$(grep '^/' <<<"$guesses" | grep -vE '  (assumed|I [HML])  ')" ]
number=$(grep -c '^/' <<<"$guesses")
count "the last line counts them" grep -q "^# $product .* $number of them assumed or inferred" <<<"$all"
count "a run says the same number" grep -q "rest on $number assumed or inferred numbers of $product" \
    <("$program" run "$scenarios/share-between-processes.json" --product $product)
count "no such product" [ "$("$program" show product nothing-of-it >/dev/null 2>&1; echo $?)" -eq 2 ]
count "no such kind" [ "$("$program" show produkt $product 2>&1)" = \
    'aclsim: there is no kind "produkt"; did you mean "product"?' ]
count "another locale changes nothing" cmp -s <("$program" list calls) <(LC_ALL=tr_TR.UTF-8 "$program" list calls)
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
