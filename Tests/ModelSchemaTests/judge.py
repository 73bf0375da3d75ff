"""Judges documents by a JSON Schema with the package jsonschema: judge.py SCHEMA DOCUMENTS.

DOCUMENTS is a file with a JSON object, a document by its name. Prints the names of those that do not fit, with a reason.
"""
import json
import sys

from jsonschema import Draft7Validator

schema, documents = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:])
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)
for name, document in sorted(documents.items()):
    for error in list(validator.iter_errors(document))[:1]:
        print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
