#!/bin/sh
# Families of calls refuse by rules only, and every rule is in use.
set -u
cd "${srcdir:-.}/sim/acl" || exit 2
passed=0
failed=0
for file in acl.c acl_*.c; do
    [ "$file" = acl_error.c ] && continue
    if grep -n 'ACL_ERROR_' "$file" /dev/null; then
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
for rule in $(sed -n 's/^RULE(\([A-Z0-9_]*\),.*/\1/p' acl_rules.inc); do
    if grep -q "RULE_$rule\>" acl*.[ch]; then
        passed=$((passed + 1))
    else
        echo "no call refuses by the rule $rule"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
