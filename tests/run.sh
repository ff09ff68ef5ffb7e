#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `aclsim run` tells a person and a program: ways of printing, reasons, who waits for whom.
set -u
export LC_ALL=C
program=${builddir_absolute:?}/aclsim
scenarios=$(cd "${srcdir:-.}" && pwd)/scenarios
work=$(mktemp -d "${TMPDIR:-/tmp}/aclsim-run.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0
failed=0

count() {
    local title=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $title"; fi
}

run() {
    "$program" run "$@" 2>&1 </dev/null
}

# says PATTERN ARGUMENT...: the output of a run has a line like this.
says() {
    local pattern=$1
    shift
    run "$@" >output
    grep -q -- "$pattern" output && return
    cat output
    return 1
}

# exits STATUS ARGUMENT...
exits() {
    local expected=$1 status=0
    shift
    "$program" run "$@" >output 2>message </dev/null || status=$?
    [ "$status" -eq "$expected" ]
}

share=$scenarios/share
clean=$scenarios/share-between-processes.json
digest=$(run "$clean" | tail -n 1)
count "the last line is the digest" grep -qx 'digest [0-9a-f]\{32\}' <<<"$digest"
count "--quiet is the digest alone" [ "$(run "$clean" --quiet)" = "$digest" ]
count "--steps has the same digest" [ "$(run "$clean" --steps | tail -n 1)" = "$digest" ]
count "--json has the same digest" says "\"digest\": \"${digest#digest }\"" "$clean" --json
count "one way of printing" exits 2 "$clean" --json --quiet

sed 's/"scenario"/"seed": 7, "scenario"/; s/align_up(3MiB/align_up(5MiB/' "$clean" >edited.json
count "--set is as if the file said so" [ "$(run "$clean" --quiet --set /seed=7 \
    --set '/processes/A/steps/1/value=align_up(5MiB, $granularity)')" = "$(run edited.json --quiet)" ]
count "--set: the head says it" says ', seed 7, set /seed=7' "$clean" --set /seed=7
count "--set: the document says it" says '"set": \["/seed=7", "/about=x"\]' "$clean" --json --set /seed=7 --set /about=x
count "--set: no such place" exits 2 "$clean" --set /process/A/device=1
count "--set: its message" grep -q '^--set: /process: there is no "process" in .*; did you mean "processes"?$' message
count "--set: a bad value" exits 2 "$clean" --set /processes/A/device=x
count "--set: that message" grep -q '^--set: /processes/A/device: device is a string; expected a whole number$' message
count "--set for verify" [ "$("$program" verify "$clean" --set '/expect/findings=["double_free"]' 2>&1 | tail -n 1)" = "0 passed, 11 failed" ]
count "--set: several lines of a text are one of the head" says '^# .*, set "/about=a\\nb"$' "$clean" --set $'/about=a\nb'

# The figures of a run against what the scenario expects of them.
unmet='/expect/totals/calls is 13, expected exactly 3'
sed 's/"totals": {/"totals": { "calls": 3,/' "$clean" >unmet.json
count "an unmet figure fails the run" exits 1 unmet.json
count "an unmet figure, in words" says "^not as expected: $unmet (line [0-9]*)$" unmet.json
count "an unmet figure, in JSON" says \
    '"pointer": "/expect/totals/calls", "line": [0-9]*, "bound": "exactly", "expected": 3, "found": 13}' \
    unmet.json --json
count "an unmet figure is unexpected" grep -q '"outcome": "unexpected"' output
count "an unmet figure, verified" grep -q "^not as expected: $unmet (line [0-9]*)$" \
    <<<"$("$program" verify unmet.json --product atlas-350 2>&1)"
count "an unmet figure that was set" says "^not as expected: $unmet (--set)$" "$clean" --set /expect/totals/calls=3
count "an unmet figure that was set, in JSON" says '"pointer": "/expect/totals/calls", "line": null' \
    "$clean" --json --set /expect/totals/calls=3
count "a figure that is met" exits 0 unmet.json --set /expect/totals/calls=13

cat >twice.json <<'END'
{ "format": 1, "scenario": "x", "processes": { "A": { "device": 0, "steps": [
  { "call": "aclrtMalloc", "size": "2MiB", "as": "p", "lifetime": "1ms" },
  { "call": "aclrtFree", "devPtr": "$p" } ] } } }
END
count "a finding at the end of a lifetime" says \
    '^  call    A:1 (line 2), aclrtFree at the end of a lifetime, call 3 at 1033200ns$' twice.json
count "the same in the document" says '"call": {"process": "A", "step": 1, .*"does": "aclrtFree"' twice.json --json
mkdir folder && ln -s .. folder/up
count "verify: a folder without scenarios" [ "$("$program" verify folder 2>&1 >output; echo $?)" = \
    "folder: there is no scenario in this folder; expected files whose names end in .json
2" ]
cp "$clean" folder/ && ln -s "$clean" folder/link.json
count "verify: a link that leads back" [ "$("$program" verify folder --product atlas-350 | tail -n 1)" = "2 passed, 0 failed" ]
count "pictures in a file" exits 2 "$clean" --plot edited.json
count "its message" grep -qx 'edited.json: this is no folder; expected one for pictures' message
count "no such list" [ "$("$program" list nosuch 2>&1 | cut -c 1-54)" = 'aclsim: there is no kind "nosuch"; expected products, ' ]
count "a process id that is sent" says '  B  *sends to A: 1001$' "$clean"
count "a share that is sent" says '  A  *sends to B: 0x[0-9a-f]*$' "$clean"
count "the reason of a refusal" says \
    'not on the whitelist: process 1001 is not among the 0 process ids that may import (vmm-and-sharing 5.3)' \
    "$share/not-listed.json"
count "what an ending process gives back" says 'is killed; this gives back 1 handle, 1 mapping (2MiB)' \
    "$share/importer-dies.json"
count "peak of a device" says '^  server, device 0: peak 4MiB' "$clean"
count "steps: a new handle" says '^ *+ A  *handle 0x[0-9a-f]*  4MiB on device 0, 1 reference' "$clean" --steps
count "steps: a changed share" says '^ *~ A  *share 0x[0-9a-f]*  2 users, imported 1 time' "$clean" --steps
count "steps: a mapping that is gone" says '^ *- B  *mapping 0x' "$clean" --steps
count "no colour in a file" [ "$(run "$share/not-listed.json" --steps | grep -c "$(printf '\033')")" -eq 0 ]
count "colour on demand" says "$(printf '\033')\\[31m= 507899" "$share/not-listed.json" --color always
count "NO_COLOR is for auto" [ "$(NO_COLOR=1 run "$clean" --steps --color always | grep -c "$(printf '\033')")" -gt 0 ]
count "no such colour" exits 2 "$clean" --color pink
count "no such colour, the message" grep -qx \
    'aclsim: run: --color is "pink"; expected auto, always or never' message

cat >queue.json <<'END'
{ "format": 1, "processes": {
  "A": { "device": 0, "steps": [ { "call": "aclrtMalloc", "size": "64MiB", "as": "m" },
                                 { "delay": "1ms" } ] },
  "B": { "device": 0, "steps": [ { "call": "aclrtMalloc", "size": "64MiB", "as": "m" } ] } } }
END
count "a scenario without a title has the name of its file" says '^# queue.json on ' queue.json
count "waiting for the driver" says ' B .* after [0-9a-z]* in the driver queue' queue.json
count "blocks of an ending process" says ' A  *ends; this gives back 1 block (66MiB)' queue.json
count "the most on a device" says '^  server, device 0: peak 132MiB at ' queue.json

cat >fails.json <<'END'
{ "format": 1, "processes": { "A": { "device": 0, "steps": [
  { "repeat": 3, "steps": [ { "call": "aclrtFree", "devPtr": "0x1000", "label": "odd" } ] },
  { "call": "aclrtFree", "devPtr": "0x1000", "expect": 107000 } ] } },
  "expect": { "findings": [ { "free_of_unknown_address": 4 } ] } }
END
count "a failure that no step asked about" says \
    '^failed, and no step expects it: A, step [0-9]* (line 2): aclrtFree returned 107000 .*0x1000 lies in no block .*, 3 times$' \
    fails.json
count "how many of them" says '4 refused, 3 of them where no step expects it$' fails.json
count "it does not fail the run" exits 0 fails.json

cat >wrong.json <<'END'
{ "format": 1, "processes": { "A": { "device": 0, "steps": [
  { "call": "aclrtFree", "devPtr": "0x1000", "expect": 0 } ] } } }
END
count "another code fails the run" exits 1 wrong.json
count "another code, in words" says '^not as expected: A, step 1 (line 2): aclrtFree returned 107000' wrong.json
count "another code, in JSON" says '"code": 107000, "expected": 0, "times": 1' wrong.json --json

cat >stuck.json <<'END'
{ "format": 1, "processes": {
  "A": { "steps": [ { "receive": "x", "from": "B" } ] },
  "B": { "steps": [ { "receive": "x", "from": "A" } ] },
  "C": { "steps": [ { "receive": "x", "from": "D" } ] },
  "D": { "steps": [ ] },
  "E": { "steps": [ { "barrier": "gate" } ] },
  "F": { "steps": [ { "receive": "x", "from": "A" }, { "barrier": "gate" } ] } } }
END
count "a deadlock fails the run" exits 1 stuck.json
count "who waits for whom" says '^waits for ever: A:1 (line 2), for a value from B, which waits too$' stuck.json
count "who waits for one that ended" says \
    '^waits for ever: C:1 (line 4), for a value from D, which has ended$' stuck.json
count "who is missing at a barrier" says \
    '^waits for ever: E:1 (line 6), for the others at the barrier "gate": F, which waits too$' stuck.json
count "who waits, in JSON" says '"for": "a value from D, which has ended", "processes": \["D"\]' stuck.json --json

# refuses LINES MESSAGE: a schedule of these lines.
refuses() {
    printf "$1" >steps.txt
    exits 2 "$clean" --schedule steps.txt && [ "$(cat message)" = "$2" ] && return
    cat message
    return 1
}
printf '# the user first\n\n B:1\t\nA:export\nA:end\n' >steps.txt
count "a schedule with comments and blanks" exits 0 "$clean" --schedule steps.txt
count "a schedule shows in the head" says '^# .*, seed 1, schedule steps.txt$' "$clean" --schedule steps.txt
count "a schedule shows in JSON" says '"schedule": "steps.txt"' "$clean" --schedule steps.txt --json
count "no such process" refuses 'A:1\nC:1\n' \
    'steps.txt:2: there is no process "C"; did you mean "A"?'
count "no such label" refuses 'A:exprt\n' 'steps.txt:1: A has no step "exprt"; did you mean "export"?'
count "no such number" refuses 'B:99\n' \
    "steps.txt:1: B has no step \"99\"; expected a label, a number up to 12, or end"
count "no such thread" refuses 'A/2:1\n' 'steps.txt:1: A has 1 thread; expected a number of them'
count "no loop" refuses 'A:1#2\n' 'steps.txt:1: the step "1" is in no loop, so no "#2"'
count "no round" refuses 'A:1#x\n' 'steps.txt:1: "#x" is no round; expected one like #2 or #2.1'
count "no step" refuses 'A\n' 'steps.txt:1: "A" is not a step; expected process:label or process:number'
count "a step that is over" refuses 'A:1\nA:1\n' \
    'steps.txt:2: step 2, "A:1", can not be reached: nothing that is ready leads to it'

"$program" run "$clean" >/dev/full 2>message
count "a full disk" [ $? -eq 3 ]
count "a full disk, the message" grep -q '^aclsim: cannot write the output' message
if command -v python3 >/dev/null; then
    for file in "$clean" unmet.json fails.json wrong.json stuck.json queue.json; do
        run "$file" --json >"${file##*/}.outcome"
    done
    python3 -c '
import json, sys
documents = [json.load(open(path)) for path in sys.argv[2:]]
rows = open(sys.argv[1]).read()
def names(value):
    if isinstance(value, dict):
        for key, inside in value.items():
            yield key
            yield from names(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from names(inside)
sys.exit(any("`" + name + "`" not in rows for name in names(documents)))
' "$scenarios/../docs/outcome.md" ./*.outcome
    count "docs/outcome.md names every member" [ $? -eq 0 ]
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
