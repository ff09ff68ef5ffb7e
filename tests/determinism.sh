#!/bin/bash
# Every scenario and every replay gives the same with either compiler, at either optimisation, a
# second time, and under another locale, time zone, working folder, allocator fill pattern and
# without FMA.
# Usage: tests/determinism.sh [WORK_FOLDER]; builds out of tree, in a folder that it removes.
set -u
source_dir=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/aclsim-determinism.XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# build NAME CC CFLAGS: a program of its own, without tests.
build() {
    mkdir -p "$work/$1" && cd "$work/$1" &&
        "$source_dir/configure" --quiet --disable-tests CC="$2" CFLAGS="$3" >build.log 2>&1 &&
        make -s -j"$(nproc)" >>build.log 2>&1 || { tail -20 "$work/$1/build.log" >&2; return 1; }
}

# digests NAME COMMAND...: what verify and replay print, under whatever surroundings the command sets up.
digests() {
    local name=$1
    shift
    (cd "$source_dir" && "$@" verify scenarios --digests) >"$work/$name.digests" 2>&1
    (cd "$source_dir" && replays "$@") >>"$work/$name.digests" 2>&1
}

# replays COMMAND...: what replay says of each recorded workload, with each strategy, and the samples.
replays() {
    local trace strategy
    for trace in tests/traces/*/*.gz; do
        for strategy in direct align32 pooled; do
            "$@" replay "$trace" --strategy "$strategy" --trace "$work/samples.csv"
            cksum <"$work/samples.csv"
        done
    done
}

# same NAME: the digests are those of the first build.
same() {
    if cmp -s "$work/first.digests" "$work/$1.digests"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not the same: $1"
        diff "$work/first.digests" "$work/$1.digests" | head -10
    fi
}

[ -x "$source_dir/configure" ] || (cd "$source_dir" && autoreconf -fi >/dev/null 2>&1)
build first gcc -O2 || exit 2
program=$work/first/aclsim
digests first "$program"
count=$(grep -c '^ok ' "$work/first.digests")
if [ "$count" -gt 0 ] && ! grep -q '^FAILED' "$work/first.digests"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    grep '^FAILED' "$work/first.digests"
fi

for level in -O0 -O3; do
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
        build "$compiler$level" "$compiler" "$level" || { failed=$((failed + 1)); continue; }
        digests "$compiler$level" "$work/$compiler$level/aclsim"
        same "$compiler$level"
    done
done

digests again "$program"; same again
digests locale env LC_ALL=C.UTF-8 LANG=tr_TR.UTF-8 "$program"; same locale
digests zone env TZ=Asia/Kathmandu "$program"; same zone
digests fill env MALLOC_PERTURB_=165 "$program"; same fill
digests fma env GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-AVX512F "$program"; same fma
mkdir -p "$work/elsewhere/tests"
ln -s "$source_dir/scenarios" "$work/elsewhere/scenarios"
ln -s "$source_dir/tests/traces" "$work/elsewhere/tests/traces"
(source_dir=$work/elsewhere && digests folder "$program"); same folder

echo "$count runs compared under each"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
