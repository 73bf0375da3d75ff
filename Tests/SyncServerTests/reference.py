"""Answers of graphql-core, to compare ours with: reference.py validate|execute SCHEMA CASES

validate: CASES is a list of documents; prints for each whether it is valid.
execute: CASES is a list of {query, operationName, variables, root}; prints {data, paths} of each, paths of errors.
"""
import json
import sys

from graphql import GraphQLError, build_schema, graphql_sync, parse, validate

schema = build_schema(open(sys.argv[2], encoding="utf-8").read())
cases = json.load(open(sys.argv[3], encoding="utf-8"))


def is_valid(text):
    try:
        return not validate(schema, parse(text))
    except GraphQLError:
        return False


def execute(case):
    root = {name: (lambda value: lambda info, **arguments: value)(value) for name, value in case["root"].items()}
    result = graphql_sync(schema, case["query"], root, None, case.get("variables"), case.get("operationName"))
    paths = [error.path for error in result.errors or []]
    return {"data": result.data, "paths": paths}


print(json.dumps([is_valid(case) if sys.argv[1] == "validate" else execute(case) for case in cases]))
