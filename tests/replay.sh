#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The shipped snapshots, replayed end to end.
set -u
aclsim=$builddir_absolute/aclsim
traces=$(cd "${srcdir:-.}" && pwd)/tests/traces
snapshot=$traces/torch-npu/snapshot_with_empty_cache.pkl.gz
passed=0
failed=0
skipped=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

count() {
    if [[ $2 == "$3" ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: \"$2\", expected \"$3\""
    fi
}

value() {
    awk -v name="$1" '$1 == name { print $2 }' "$scratch/out"
}

# Every byte that was asked for at the peak: what was held before the log included.
for strategy in direct align32 pooled; do
    "$aclsim" replay "$snapshot" --strategy "$strategy" >"$scratch/out"
    count "$strategy: exit status" $? 0
    count "$strategy: verdict" "$(grep -c '^it fits$' "$scratch/out")" 1
    count "$strategy: requests" "$(value requests)" $((320 + 2899 + 2574))
    count "$strategy: bytes at the end" "$(value requested)" 408384288
    count "$strategy: peak" "$(value peak_requested)" $((94326992 + 503000496))
    count "$strategy: its event" "$(value peak_requested_event)" 7498
    count "$strategy: last line" "$(tail -n 1 "$scratch/out" | grep -cE '^digest [0-9a-f]{32}$')" 1
done
"$aclsim" replay "$traces/torch-npu/snapshot_expandable.pkl.gz" >"$scratch/out"
count "expandable: its event" "$(value peak_requested_event)" 7430
"$aclsim" replay "$traces/pytorch/medium_128_inference_memory_snapshot.pickle.gz" >"$scratch/out"
count "inference: bytes at the end" "$(value requested)" 1701310464

# Samples: one for each request, whole or not at all.
"$aclsim" replay "$snapshot" --trace "$scratch/samples.csv" >"$scratch/out"
count "samples" "$(wc -l <"$scratch/samples.csv")" $((1 + 320 + 2899 + 2574))
count "columns" "$(awk -F, '{ print NF }' "$scratch/samples.csv" | sort -u)" 15
count "the last sample" "$(tail -n 1 "$scratch/samples.csv" | cut -d, -f 7)" 408384288
count "drafts that are left" "$(find "$scratch" -name 'samples.csv.*' | wc -l)" 0
"$aclsim" replay "$snapshot" --trace "$scratch/x.json" --trace "$scratch/x.calls" \
    --trace "$scratch/x.csv" >"$scratch/out"
count "samples beside other traces" "$(cmp "$scratch/samples.csv" "$scratch/x.csv" && echo same)" same
count "calls of the log" "$(grep -c ' aclrtMallocAlign32(' "$scratch/x.calls")" \
    "$(sed -n 's/^aclrtMallocAlign32: \([0-9]*\) calls.*/\1/p' "$scratch/out")"
count "figures of the allocator" "$(grep -c '"name":"memory of the allocator"' "$scratch/x.json")" \
    "$(grep -c '^{"ph":"X"' "$scratch/x.json")"
# Standard output is written where it is, a file as well as one that has no name any more.
"$aclsim" replay "$snapshot" --trace /dev/stdout >"$scratch/x.csv"
count "samples on standard output" "$(head -n 5794 "$scratch/x.csv" | cmp - "$scratch/samples.csv" && \
    tail -n 1 "$scratch/x.csv" | cut -c 1-6)" "digest"
(rm "$scratch/x.csv" && "$aclsim" replay "$snapshot" --trace /dev/stdout) >"$scratch/x.csv"
count "what is no file any more" "$? $([[ -L /dev/stdout ]] && echo link)" "0 link"
"$aclsim" replay "$snapshot" --trace "$scratch/no/such/folder.csv" >"$scratch/out" 2>"$scratch/message"
count "a trace that can not be written" $? 3
count "then nothing is printed" "$(cat "$scratch/out")" ""
(ulimit -f 1; "$aclsim" replay "$snapshot" --trace "$scratch/large.csv") >"$scratch/out" 2>"$scratch/message"
count "a file that may not grow" "$? $(grep -c 'large.csv: it can not be written: File too large' "$scratch/message")" "3 1"
if [[ -w /dev/full ]]; then
    "$aclsim" replay "$snapshot" --trace /dev/full >"$scratch/out" 2>"$scratch/message"
    count "a full disk" "$? $(grep -c 'can not be written' "$scratch/message")" "3 1"
else
    skipped=$((skipped + 1))
fi

# The document says the same.
"$aclsim" replay "$snapshot" --json >"$scratch/out"
if command -v python3 >/dev/null; then
    count "JSON" "$(python3 -c 'import json, sys
document = json.load(sys.stdin)
print(document["replay"]["requested"], document["fits"], document["failed"])' <"$scratch/out")" \
        "408384288 True None"
else
    skipped=$((skipped + 1))
fi

if command -v gnuplot >/dev/null; then
    "$aclsim" replay "$snapshot" --plot "$scratch/pictures" >"$scratch/out"
    count "pictures" "$? $(cd "$scratch/pictures" && echo *)" \
        "0 fragmentation.svg occupancy.svg replay.csv"
else
    skipped=$((skipped + 1))
fi

"$aclsim" replay "$snapshot" --strategy poold >"$scratch/out" 2>"$scratch/message"
count "a strategy that is not there" "$? $(grep -c 'did you mean "pooled"' "$scratch/message")" "2 1"
"$aclsim" replay "$snapshot" --product atlas-a2-910b9 >"$scratch/out" 2>&1
count "a product that is not there" $? 2
"$aclsim" replay "$scratch" >"$scratch/out" 2>&1
count "a folder" $? 2

# A device that is too small: the smallest model with its memory cut down.
mkdir "$scratch/models"
cp "${srcdir:-.}"/models/* "$scratch/models/"
cat >"$scratch/models/small.json" <<'END'
{ "format": 1, "product": "small", "extends": "atlas-a2-910b1", "memory": { "usable": "512MiB" },
  "sources": { "/memory/usable": "assumed" } }
END
"$aclsim" replay "$snapshot" --models "$scratch/models" --product small >"$scratch/out" 2>"$scratch/message"
count "a device that is too small" "$? $(grep -c '^it does not fit: fewer bytes' "$scratch/out")" "1 1"
count "at which event" "$(grep -cE '^  alloc of .* at event [0-9]+: the last call returned 207001' "$scratch/out")" 1

if [[ $skipped -gt 0 ]]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[[ $failed -eq 0 ]]
