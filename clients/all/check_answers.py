"""Checks answers against the description, with the package jsonschema: check_answers.py DESCRIPTION ANSWERS."""

import json
import sys

from jsonschema import Draft202012Validator

description, answers = (json.load(open(path)) for path in sys.argv[1:])
operations = {
    operation["operationId"]: operation for methods in description["paths"].values() for operation in methods.values()
}


def resolved(part):
    if "$ref" not in part:
        return part
    found = description
    for step in part["$ref"][2:].split("/"):
        found = found[step]
    return found


for answer in answers:
    response = resolved(operations[answer["operation"]]["responses"][str(answer["status"])])
    schema = response["content"]["application/json"]["schema"]
    Draft202012Validator({**schema, "components": description["components"]}).validate(answer["body"])
print(len(answers))
