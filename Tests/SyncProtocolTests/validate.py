"""Judges the schema and the documents of the sync protocol with graphql-core: validate.py SCHEMA DOCUMENT..."""
import sys

from graphql import build_schema, parse, validate, validate_schema

schema = build_schema(open(sys.argv[1], encoding="utf-8").read())
errors = validate_schema(schema)
for path in sys.argv[2:]:
    errors += validate(schema, parse(open(path, encoding="utf-8").read()))
for error in errors:
    print(error)
print(f"{len(sys.argv) - 2} documents, {len(errors)} errors")
