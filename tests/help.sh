#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Help and manual pages come from the rows of commands; what is misspelt is answered with the nearest
# name; messages go to stderr; output that can not be written ends with exit status 3.
set -u
program=${builddir_absolute:?}/aclsim
work=$(mktemp -d "${TMPDIR:-/tmp}/aclsim-help.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
echo '{ "format": 1, "processes": { "A": { "steps": [] } } }' >tiny.json
passed=0
failed=0
skipped=0

count() {
    local title=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $title"; fi
}

# ends STATUS MESSAGE COMMAND...: exits so, with nothing on stdout and this on stderr.
ends() {
    local status=0 expected=$1 message=$2
    shift 2
    "$@" >output 2>message </dev/null || status=$?
    [ "$status" -eq "$expected" ] && [ ! -s output ] && [ "$(cat message)" = "$message" ] && return
    echo "exit status $status: $(cat message)"
    return 1
}

both_helps() {
    cmp -s <("$program" help "$1") <("$program" "$1" --help) &&
        "$program" help "$1" | head -1 | grep -q "^Usage: aclsim $1" &&
        "$program" help "$1" | grep -q '^Exit status:' &&
        ! "$program" help "$1" | grep -q '.\{81\}'
}

names_every_option() {
    local option
    for option in $("$program" help "$1" | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        "$program" help --manual "$1" | sed 's/\\-/-/g' | grep -q -- "^.fB--$option.fR" || return 1
    done
}

is_clean_roff() {
    "$program" help --manual "$@" | groff -man -ww -z >roff 2>&1 && [ ! -s roff ] && return
    cat roff
    return 1
}

commands=$("$program" list commands | sed 's/ .*//')
count "there are commands" [ -n "$commands" ]
for command in $commands; do
    count "help of $command" both_helps "$command"
    count "manual of $command" names_every_option "$command"
    count "$command in --help" grep -q "^  $command " <("$program" --help)
done
for page in "" $commands; do
    # shellcheck disable=SC2086 # No page is the page of the program.
    if command -v groff >/dev/null; then
        count "roff of aclsim $page" is_clean_roff $page
    else
        skipped=$((skipped + 1))
    fi
done

count "--version" grep -qx 'aclsim [0-9.]*' <("$program" --version)
count "no command" ends 2 'aclsim: a command is missing; see aclsim --help' "$program"
count "misspelt command" ends 2 'aclsim: there is no command "rum"; did you mean "run"?' "$program" rum
count "far command" ends 2 \
    'aclsim: there is no command "xyzzy"; expected run, verify, info, replay, list, show, explain, schema, help' \
    "$program" xyzzy
count "misspelt help" ends 2 'aclsim: there is no command "lst"; did you mean "list"?' "$program" help lst
count "misspelt option" ends 2 'aclsim: run has no option "--seeed=3"; did you mean "--seed"?' \
    "$program" run x.json --seeed=3
count "misspelt main option" ends 2 'aclsim: there is no option "--verson"; did you mean "--version"?' \
    "$program" --verson
count "flag with a value" ends 2 'aclsim: --quiet takes no value' "$program" run x.json --quiet=yes
count "misspelt kind" ends 2 'aclsim: there is no kind "call"; did you mean "calls"?' "$program" list call
count "too many words" ends 2 'aclsim: run takes one SCENARIO; see aclsim help run' "$program" run a b
count "no number" ends 2 'aclsim: run: --seed is "x"; expected a whole number' \
    "$program" run "$work/tiny.json" --seed x
if [ -w /dev/full ]; then
    "$program" help >/dev/full 2>message
    status=$?
    count "full disk" [ "$status" -eq 3 ]
    count "full disk, the message" grep -q '^aclsim: cannot write the output: ' message
    "$program" help >&- 2>message
    status=$?
    count "closed output" [ "$status" -eq 3 ]
else
    skipped=$((skipped + 3))
fi
"$program" list rules | head -1 >first
count "a reader that has enough" [ "$(wc -l <first)" -eq 1 ]
echo "$passed passed, $failed failed$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
