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
skipped=0

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
# Whom nothing may keep from reading tries it as nobody.
as=()
[ "$(id -u)" -ne 0 ] || as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
echo '{}' >"$work/unreadable.json"
chmod 0 "$work/unreadable.json"
chmod 755 "$work"
if "${as[@]}" "$program" list commands >/dev/null 2>&1; then
    is unreadable "${as[@]}" "$program" run "$work/unreadable.json" --models "$work"
else
    skipped=$((skipped + 1))
fi
if [ -r /proc/self/mem ]; then
    is read-error "$program" run /proc/self/mem
else
    skipped=$((skipped + 1))
fi
is no-file "$program" run nowhere.json
is no-scenario "$program" run
is unknown-option "$program" run model.json --prodct x
is option-without-value "$program" run model.json --product

# What --set can not do, and mistakes in what it did.
set_in() {
    local name=$1 argument
    local arguments=()
    shift
    for argument in "$@"; do
        arguments+=(--set "$argument")
    done
    is "$name" "$program" run label-twice.json --models "$work" "${arguments[@]}"
}
good='/processes={"A":{"device":0,"steps":[{"delay":"1us"}]}}'
set_in set-without-value /processes
set_in set-without-pointer processes=1
set_in set-no-parent /procesess/A/device=1 /processes/A/steps/7/delay=1us
set_in set-in-no-object /format/x=1
set_in set-bad-letters $'/scenario=\xff' $'/a\xffb=1' $'/scenario=\e[1m'
set_in set-wrong-type "$good" /processes/A/device=one /seed='"x"'
set_in set-misspelt "$good" '/processes/A/steps/-={"call":"aclrtMaloc","size":"4MiB"}' /processes/A/step=1
set_in set-bad-size "$good" '/processes/A/steps/0={"call":"aclrtMalloc","size":"4MB"}' /expect=null
is set-misspelt-option "$program" run label-twice.json --sett /format=1

# A million brackets, and a gigabyte of garbage: both end promptly.
head -c 1000000 /dev/zero | tr '\0' '[' >"$work/deep.json"
is million-brackets "$program" run "$work/deep.json"
truncate -s 1G "$work/garbage.json"
is gigabyte "$program" run "$work/garbage.json"
is gigabyte-replayed "$program" replay "$work/garbage.json"

echo "$passed passed, $failed failed$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
