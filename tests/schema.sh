#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The schemas that the program prints take the files that its reader takes, and refuse those that it
# refuses, as far as a schema can. Skipped, and counted so, without python3-jsonschema 4.
set -u
cd "${srcdir:-.}" || exit 2
program=${builddir_absolute:?}/aclsim
work=$(mktemp -d "${TMPDIR:-/tmp}/aclsim-schema.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# fit FORM (good|bad) FILE...
fit() {
    local form=$1 sort=$2 line
    shift 2
    "$program" schema "$form" >"$work/schema.json" || { failed=$((failed + 1)); return; }
    PYTHONDONTWRITEBYTECODE=1 python3 tests/schema.py "$work/schema.json" tests/bad/beyond-schema.txt \
        "$sort" "$@" >"$work/output" 2>&1
    line=$(tail -n 1 "$work/output")
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        [[ ${BASH_REMATCH[2]} -eq 0 ]] || head -n -1 "$work/output"
    else
        failed=$((failed + 1))
        cat "$work/output"
    fi
}

if ! python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
    echo "0 passed, 0 failed, $(find models scenarios tests/bad -name '*.json' | wc -l) skipped"
    exit 0
fi
# A scenario with a null byte or half a file is none of theirs; the rest of the messages is bad.sh's.
mapfile -t good < <(find scenarios -name '*.json' | sort)
fit scenario good "${good[@]}"
fit scenario bad tests/bad/*.json
fit model good models/*.json
fit model bad tests/bad/models/*.json
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
