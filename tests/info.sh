#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The shipped snapshots hold what is known of them, and damaged ones are refused.
set -u
aclsim=$builddir_absolute/aclsim
traces=$(cd "${srcdir:-.}" && pwd)/tests/traces
passed=0
failed=0
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

# Names and values of a snapshot, as "name=value" words.
check_values() {
    local file=$1 shown word
    shown=$("$aclsim" info "$file" | awk '{ print $1 "=" $2 }')
    shift
    for word in "$@"; do
        count "$file" "$(grep -x "${word%%=*}=.*" <<<"$shown")" "$word"
    done
}

check_values "$traces/torch-npu/snapshot_expandable.pkl.gz" devices=8 device=0 events=8092 \
    allocs=2899 frees_requested=2574 frees=2574 segment_maps=45 peak_bytes=503000496 \
    peak_event=7430 live_blocks=325 live_bytes=314057296 segments=2 reserved_bytes=643825664 \
    active_blocks=645 active_bytes=408698880 active_requested=408384288 held_blocks=320 \
    held_bytes=94326992 reserved_before=113246208
check_values "$traces/torch-npu/snapshot_with_empty_cache.pkl.gz" events=8180 segment_allocs=79 \
    segment_frees=54 peak_bytes=503000496 peak_event=7498 live_blocks=325 live_bytes=314057296 \
    segments=34 reserved_bytes=509607936 reserved_peak=662700032 reserved_before=113246208 \
    active_bytes=416417792
check_values "$traces/pytorch/medium_128_inference_memory_snapshot.pickle.gz" events=3840 \
    allocs=1280 frees_requested=1280 frees=1280 peak_bytes=35651584 peak_event=292 live_blocks=0 \
    segments=98 reserved_bytes=1763704832 reserved_before=1763704832 active_blocks=223 \
    active_bytes=1703276544 active_requested=1701310464

# Unpacked it is the same; cut off or changed it is refused, packed or not.
packed=$traces/torch-npu/snapshot_expandable.pkl.gz
gzip -dc "$packed" >"$scratch/plain.pkl"
count "unpacked" "$("$aclsim" info "$scratch/plain.pkl")" "$("$aclsim" info "$packed")"
for file in "$scratch/plain.pkl" "$packed"; do
    head -c 20000 "$file" >"$scratch/cut"
    "$aclsim" info "$scratch/cut" >"$scratch/out" 2>"$scratch/message"
    count "exit status of a cut file" $? 2
    count "output of a cut file" "$(cat "$scratch/out")" ""
    count "lines about a cut file" "$(wc -l <"$scratch/message")" 1
done
# The checksum of what gzip packed is the last thing in it.
for size in 1 4 8; do
    head -c -"$size" "$packed" >"$scratch/cut"
    count "a checksum that is cut off" "$("$aclsim" info "$scratch/cut" 2>&1 >/dev/null |
        grep -c 'the packed bytes are damaged or cut off')" 1
done
printf '\x80\x04}\x94cos\nsystem\n' >"$scratch/evil"
count "a file that imports a name" "$("$aclsim" info "$scratch/evil" 2>&1 >/dev/null |
    grep -c 'byte 4: the opcode GLOBAL (0x63) could run code and is refused')" 1
count "a device that is not there" "$("$aclsim" info "$packed" --device 8 2>&1)" \
    "$packed: device_traces: there is no device 8; expected 0 to 7"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
