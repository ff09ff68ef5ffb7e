# SPDX-License-Identifier: Apache-2.0
# Holds a schema against files: schema.py SCHEMA BEYOND (good|bad) FILE...
# Good files fit. Bad ones do not, but for those that the file BEYOND lists, which must fit: no schema
# can refuse them. What is no JSON, or has a key twice, is no matter of schemas. Prints what differs and
# the counts.
import json
import os
import sys

import jsonschema


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError("a key stands twice")
    return dict(pairs)


schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
beyond = {line.split()[0] for line in open(sys.argv[2]) if line.strip() and line[0] != "#"}
passed = failed = 0
for path in sys.argv[4:]:
    try:
        document = json.loads(open(path, "rb").read().decode(), object_pairs_hook=unique)
    except (ValueError, RecursionError):
        continue
    mistakes = list(validator.iter_errors(document))
    listed = os.path.relpath(path, "tests/bad") in beyond
    if bool(mistakes) == (sys.argv[3] == "bad" and not listed):
        passed += 1
    else:
        failed += 1
        print(path, "is listed, but" if listed else "", mistakes[0].message[:300] if mistakes else "fits the schema")
print(passed, "passed,", failed, "failed")
