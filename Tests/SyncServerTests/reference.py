"""Answers of graphql-core, to compare ours with: reference.py validate|execute SCHEMA CASES

validate: CASES is a list of documents; prints for each whether it is valid.
execute: CASES is a list of {query, operationName, variables, root}; prints {data, paths} of each, paths of errors.
"""
import json
import sys

from graphql import GraphQLError, OperationDefinitionNode, StringValueNode, build_schema, graphql_sync, parse, validate
from graphql import is_scalar_type, is_specified_scalar_type

schema = build_schema(open(sys.argv[2], encoding="utf-8").read())
cases = json.load(open(sys.argv[3], encoding="utf-8"))


def read_literal(node, variables=None):
    """The scalars of the protocol travel as strings."""
    if not isinstance(node, StringValueNode):
        raise GraphQLError("not a string", node)
    return node.value


for scalar in schema.type_map.values():
    if is_scalar_type(scalar) and not is_specified_scalar_type(scalar):
        scalar.parse_literal = read_literal


def is_valid(text):
    """Valid, and every operation is of a kind that the schema has: graphql-core tells that only when it executes."""
    try:
        document = parse(text)
        operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
        return bool(operations) and not validate(schema, document) and all(
            schema.get_root_type(operation.operation) for operation in operations)
    except GraphQLError:
        return False


def execute(case):
    root = {name: (lambda value: lambda info, **arguments: value)(value) for name, value in case["root"].items()}
    result = graphql_sync(schema, case["query"], root, None, case.get("variables"), case.get("operationName"))
    paths = [error.path for error in result.errors or []]
    return {"data": result.data, "paths": paths}


print(json.dumps([is_valid(case) if sys.argv[1] == "validate" else execute(case) for case in cases]))
