#!/bin/bash
# Every mistake in a file gets its one clear message and exit status 2, and nothing else happens.
# tests/bad/NAME.json is a scenario with a mistake, NAME.expected the exact message; models in
# tests/bad/models are read for the scenario model.json. --update writes the messages anew.
set -u
cd "${srcdir:-.}/tests/bad" || exit 2
program=${builddir_absolute:?}/aclsim
work=$(mktemp -d "${TMPDIR:-/tmp}/aclsim-bad.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cp ../../models/support.csv ../../models/_ascend.json ../../models/atlas-a2-910b1.json "$work/" &&
    cp models/*.json "$work/" ||
    exit 2
passed=0
failed=0

# is NAME COMMAND...: the command says what NAME.expected says, and exits with 2.
is() {
    local name=$1 status=0
    shift
    timeout 60 "$@" >"$work/output" 2>"$work/message" </dev/null || status=$?
    sed -i "s#$work#MODELS#g" "$work/message"
    if [ "${update:-no}" = yes ]; then
        cp "$work/message" "$name.expected"
    fi
    if [ "$status" -eq 2 ] && [ ! -s "$work/output" ] && cmp -s "$work/message" "$name.expected"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: exit status $status"
        diff "$name.expected" "$work/message" | head -6
    fi
}

[ "${1:-}" = --update ] && update=yes
for file in *.json; do
    [ "$file" = model.json ] || is "${file%.json}" "$program" run "$file" --models "$work"
done
for model in unsourced loop misspelt-field bad-source override-unsourced bad-cost missing; do
    is "model-$model" "$program" run model.json --models "$work" --product "$model"
done
is directory "$program" run models
is below-a-file "$program" run empty.json/below.json
is no-file "$program" run nowhere.json
is no-scenario "$program" run
is unknown-option "$program" run model.json --prodct x
is option-without-value "$program" run model.json --product

# A million brackets, and a gigabyte of garbage: both end promptly.
head -c 1000000 /dev/zero | tr '\0' '[' >"$work/deep.json"
is million-brackets "$program" run "$work/deep.json"
truncate -s 1G "$work/garbage.json"
is gigabyte "$program" run "$work/garbage.json"
is gigabyte-replayed "$program" replay "$work/garbage.json"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
