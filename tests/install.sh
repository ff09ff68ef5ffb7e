#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `make install` puts into a staging folder works from there, with the models that it brought,
# and `make uninstall` takes all of it away.
set -u
cd "${builddir_absolute:?}" || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/aclsim-install.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

count() {
    local title=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "not so: $title"; fi
}

# The jobs of the make that runs this test are not for the one inside.
staged() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DESTDIR make -s "$@" DESTDIR="$work/stage" \
        prefix=/usr docdir=/usr/share/doc/aclsim >"$work/log" 2>&1 || { tail -5 "$work/log"; return 1; }
}

count "install" staged install
cd "$work" || exit 2
share=$work/stage/usr/share
for file in aclsim/models/support.csv aclsim/models/atlas-a2-910b1.json \
    aclsim/scenarios/share-between-processes.json aclsim/scenarios/share/two-devices.json \
    man/man1/aclsim.1 man/man1/aclsim-run.1 doc/aclsim/README.md doc/aclsim/docs/scenario.md; do
    count "$file is installed" [ -s "$share/$file" ]
done
run() {
    "$work/stage/usr/bin/aclsim" run "$share/aclsim/scenarios/share-between-processes.json" --quiet
}
count "the installed program runs" grep -q '^digest ' <(run)
mv "$share/aclsim/models" "$share/aclsim/elsewhere"
count "without its models it does not" [ -z "$(run 2>/dev/null)" ]
count "with --models it does" grep -q '^digest ' <("$work/stage/usr/bin/aclsim" run --quiet \
    --models "$share/aclsim/elsewhere" "$share/aclsim/scenarios/share-between-processes.json")
mv "$share/aclsim/elsewhere" "$share/aclsim/models"
cd "$builddir_absolute" || exit 2
count "uninstall" staged uninstall
count "nothing is left" [ -z "$(find "$work/stage" -type f)" ]
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
