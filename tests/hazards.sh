#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every rule has the smallest scenario that shows it and a neighbour that stays silent; a finding
# names its cause wherever there is one.
set -u
aclsim=$builddir_absolute/aclsim
folder=${srcdir:-.}/scenarios/hazards
passed=0
failed=0

# Nothing caused these: what is wrong is the call alone.
causeless=" free_of_unknown_address handle_never_made handle_of_another_process unmap_of_nothing \
release_of_unknown_range share_never_exported access_of_nothing reset_with_memory \
import_mapped_smaller sub_out_of_block cache_call_needless "

check() {
    if eval "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1"
    fi
}

# The first product that a scenario is for; of all of them the default one.
product_of() {
    local name
    name=$(sed -n 's/^  "products": \[ "\([^"]*\)".*/\1/p' "$1")
    if [[ -z $name || $name == all ]]; then echo atlas-a2-910b1; else echo "$name"; fi
}

findings_of() {
    "$aclsim" run "$1" --product "$(product_of "$1")" |
        sed -n '/^\(error\|undefined behaviour\|leak\|advice\): /,$p'
}

for name in $("$aclsim" list hazards | cut -d ' ' -f 1); do
    shown=$(findings_of "$folder/$name.json")
    silent=$(findings_of "$folder/$name-not.json")
    check "$name.json does not show it" '[[ $shown =~ :\ $name: ]]'
    check "$name-not.json is not silent" '[[ ! $silent =~ :\ $name: ]]'
    if [[ $causeless != *" $name "* ]]; then
        check "$name has no cause" '[[ $(grep -A 2 ": $name:" <<<"$shown") == *"  because "* ]]'
    fi
    check "$name has no explanation" '[[ $("$aclsim" explain "$name") == "$name ("* ]]'
done
for file in "$folder"/*.json; do
    name=$(basename "$file" .json)
    check "$file belongs to no rule" '"$aclsim" explain "${name%-not}" >/dev/null 2>&1'
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
