#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `aclsim run --trace --plot` leaves on the disk: whole files, byte for byte, or none.
set -u
export LC_ALL=C
program=${builddir_absolute:?}/aclsim
source=$(cd "${srcdir:-.}" && pwd)
traced=$source/tests/traced
work=$(mktemp -d "${TMPDIR:-/tmp}/aclsim-traces.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0
failed=0
skipped=0

count() {
    local title=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $title"; fi
}

# A model with round numbers, so that the files change only when the formats do.
mkdir models && cp "$source/models/support.csv" "$traced/by-hand.json" models/ && chmod -R u+w models
run() {
    "$program" run "$@" --models models </dev/null
}
small() {
    run "$traced/scenario.json" --product by-hand "$@"
}

# exits STATUS ARGUMENT...
exits() {
    local expected=$1 status=0
    shift
    small "$@" >output 2>message || status=$?
    [ "$status" -eq "$expected" ] && return
    cat message
    return 1
}

# same FILE: it equals the one in tests/traced, but for the version of the program.
same() {
    sed 's/aclsim [0-9][0-9.]*[0-9]/aclsim VERSION/' "$1" >shown
    cmp -s shown "$traced/$1" && return
    diff "$traced/$1" shown | head -n 10
    return 1
}

endings=$(cd "$traced" && echo small.*)
options=$(for file in $endings; do echo "--trace=${file}"; done)
# shellcheck disable=SC2086 # Options are words.
count "several traces at once" exits 0 --quiet $options
digest=$(cat output)
for file in $endings; do
    count "$file" same "$file"
done
count "the digest is that without traces" [ "$digest" = "$(small --quiet)" ]
count "nothing but the traces is left" [ "$(ls | grep -cv -e '^small\.' -e '^models$' -e '^output$' -e '^folder' -e '^message$' -e '^shown$')" -eq 0 ]

# Files are whole or not there.
echo before >kept.csv
count "a run that breaks off" exits 2 --quiet --max-steps 5 --trace kept.csv
count "leaves what was there" [ "$(cat kept.csv)" = before ]
count "and no draft" [ "$(ls | grep -c draft)" -eq 0 ]
chmod 640 kept.csv
count "a run that ends" exits 0 --quiet --trace kept.csv
count "replaces what was there" cmp -s kept.csv small.csv
count "and keeps its mode" [ "$(stat -c %a kept.csv)" = 640 ]
ln -s kept.csv link.csv
count "a trace through a link" exits 0 --quiet --trace link.csv
count "leaves the link" [ -L link.csv ]
if [ -c /dev/full ]; then
    ln -s /dev/full full.csv
    count "a full disk" exits 3 --trace full.csv
    count "a full disk, the message" grep -q '^full.csv: it can not be written: No space left' message
    count "a full disk, and still the digest" [ "$(tail -n 1 output)" = "$digest" ]
    count "a full disk leaves the device" [ -c /dev/full ]
else
    skipped=$((skipped + 4))
fi
count "no such folder" exits 2 --trace nowhere/x.csv
count "no such folder, the message" grep -qx 'nowhere/x.csv: it can not be written: No such file or directory' message
mkdir folder.csv
count "a folder" exits 2 --trace folder.csv
count "no such format" exits 2 --trace x.xml
count "no such format, the message" grep -q '^x.xml: no trace format has this ending; expected .csv' message
count "no such format, nothing ran" [ ! -s output ]

# The table of calls adds up to the summary.
small --json >small.outcome
count "calls of the table" [ "$(grep -c '^call,' small.csv)" = "$(sed -n 's/.*"totals": {"calls": \([0-9]*\),.*/\1/p' small.outcome)" ]
# totals_of PROCESS: calls, refused, busy and queueing, as in the outcome.
totals_of() {
    sed 's/"A,""1"""/A/' small.csv | awk -F, -v process="$1" '
        $1 == "call" && $7 == process { calls++; refused += $11 != 0; busy += $5; queue += $3 }
        END { printf "\"calls\": %d, \"refused\": %d, \"call_ns\": %d, \"queue_ns\": %d\n",
              calls, refused, busy, queue }'
}
count "times of a process" grep -qF "\"process\": \"B\", \"pid\": 1001, $(totals_of B)" small.outcome
count "times of another" grep -qF "\"pid\": 1000, $(totals_of A)" small.outcome
count "rows stand in the order of service" awk -F, '
    { sub(/"A,""1"""/, "A") } $1 == "call" { at = $2 + $3 + $4 } $1 != "call" { at = $2 }
    NR > 1 { if (at < last) exit 1; last = at }' small.csv
count "ends are starts and what follows" awk -F, '
    { sub(/"A,""1"""/, "A") } $1 == "call" && $2 + $3 + $4 + $5 != $6 { exit 1 }' small.csv
count "every row has every column" awk -F, '
    { sub(/"A,""1"""/, "A") } NF != 25 { exit 1 }' small.csv
count "the peak of the device" grep -q "\"device\": 0, \"peak_bytes\": $(awk -F, '
    $1 == "device" && $17 > most { most = $17 } END { print most }' small.csv)," small.outcome

# Forms that other programs read: JSON, and facts that are all there.
count "a line of .jsonl for each fact and finding, and one before" \
    [ "$(grep -c '"fact":"called"' small.jsonl)" = "$(grep -c '^call,' small.csv)" ]
count "a line of .calls for each call" \
    [ "$(grep -c '^[0-9]* [0-9]* [0-9]* acl' small.calls)" = "$(grep -c '^call,' small.csv)" ]
time='[0-9]+ [0-9]+ [0-9]+' scalar='(-?[0-9]+|0x[0-9a-f]+|"([^"\\]|\\.)*"|null|default)'
item="($scalar|\\{$scalar(,$scalar)*\\})"
pair="[A-Za-z][A-Za-z0-9_]*=($item|\\[($item(,$item)*)?\\])"
pairs="($pair(, $pair)*)"
label='( @"([^"\\]|\\.)*")?'
call="acl[A-Za-z0-9]*\\($pairs?\\) = -?[0-9]+( \\{$pairs\\})?( (blocked|wait|cost)=[0-9]+)*"
count "lines of .calls are those of docs/calls.md" \
    [ "$(sed '1,/^begin$/d' small.calls | grep -cvE "^$time ($call|\\+[a-z]+\\($pairs?\\))$label\$|^end [0-9]+\$")" -eq 0 ]
names=$(sed -n 's/^FACT([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$source/sim/core/fact_rows.inc")
for name in $names; do
    grep -q "\`$name\`" "$source/docs/traces.md" || echo "no $name"
done >missing
count "docs/traces.md names every fact" [ ! -s missing ]
if command -v python3 >/dev/null; then
    count ".json is JSON" python3 -m json.tool small.json json
    count ".jsonl is JSON, line by line" python3 -c '
import json
for line in open("small.jsonl"): json.loads(line)'
    count "spans of a track lie side by side or within each other" python3 -c '
import collections, json
tracks = collections.defaultdict(list)
for event in json.load(open("small.json"))["traceEvents"]:
    if event["ph"] == "X":
        start = round(event["ts"] * 1000)
        tracks[event["pid"], event["tid"]].append((start, -start - round(event["dur"] * 1000)))
for spans in tracks.values():
    open_ends = []
    for start, end in sorted(spans):
        while open_ends and open_ends[-1] <= start: open_ends.pop()
        assert not open_ends or -end <= open_ends[-1]
        open_ends.append(-end)'
    count "arrows have two ends, within spans" python3 -c '
import json
events = json.load(open("small.json"))["traceEvents"]
spans = [(e["pid"], e["tid"], e["ts"], e["ts"] + e["dur"]) for e in events if e["ph"] == "X"]
tails = {e["id"]: e for e in events if e["ph"] == "s"}
heads = {e["id"]: e for e in events if e["ph"] == "f"}
assert tails and set(tails) == set(heads)
for e in list(tails.values()) + list(heads.values()):
    assert any(s[:2] == (e["pid"], e["tid"]) and s[2] <= e["ts"] < s[3] for s in spans)'
    count "every track of a span has a name" python3 -c '
import json
events = json.load(open("small.json"))["traceEvents"]
named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M"}
assert {(e["pid"], e["tid"]) for e in events if e["ph"] in "Xb"} <= named'
else
    skipped=$((skipped + 5))
fi

# Pictures.
if command -v gnuplot >/dev/null; then
    count "pictures" exits 0 --quiet --plot pictures
    count "pictures without a complaint" [ ! -s message ]
    for name in occupancy fragmentation latency; do
        count "$name" grep -q '</svg>' "pictures/$name.svg"
    done
    count "the table of the pictures" cmp -s pictures/run.csv small.csv
    echo '{ "format": 1, "processes": { "A": { "steps": [] } } }' >empty.json
    count "pictures of nothing" run empty.json --product by-hand --quiet --plot pictures >output 2>message
    count "pictures of nothing without a complaint" [ ! -s message ]
else
    skipped=$((skipped + 8))
fi
mkdir none
PATH=$work/none small --quiet --plot pictures >output 2>message
count "no gnuplot" [ $? -eq 3 ]
count "no gnuplot, the message" grep -q '^gnuplot: this program is not installed' message

echo "$passed passed, $failed failed$([ $skipped -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
