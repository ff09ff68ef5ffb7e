#!/bin/sh
# Every scenario gives what it expects, on every product that it names.
set -u
cd "${srcdir:-.}" || exit 2
exec "${builddir_absolute:?}/aclsim" verify scenarios
