"""The pack format as JSON Schema, for editors. Pydantic stays the judge; this is its help while typing."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from quiz.bank.complaints import KINDS
from quiz.bank.pack import Pack

_TITLES = {
    "AsOf": "As of",
    "Card": "Card",
    "ChoiceQuestion": "Choice question",
    "DivisorsOf": "Divisors of a given",
    "FromModel": "A real model",
    "Golden": "Golden variant",
    "Numeric": "Numeric question",
    "Open": "Open question",
    "Option": "Choice",
    "Order": "Order question",
    "PowersOfTwo": "Powers of two",
    "RedFlag": "Red flag",
    "RubricPoint": "Rubric point",
    "Shape": "Shape question",
    "StageQuestion": "Stage question",
    "TextQuestion": "Text question",
}
_DESCRIPTIONS = {
    "accept": "The spellings that are right",
    "answer": "The stage at which it goes wrong, or `never`",
    "approach": "How a good answer goes about it; hidden until asked for",
    "as_of": "When, and with which releases, the answer was true",
    "back": "What the card shows when it is turned",
    "choices": "One or several right ones among some, each with its why",
    "depth": "How far into the interview: screen, onsite or research",
    "draw": "Names and the values they are drawn from",
    "formula": "Arithmetic over the named numbers; must agree with `solve`",
    "givens": "The drawn numbers of the variant, by name",
    "golden": "Variants that must always come out so, each with its givens, prompt and shown answer",
    "hints": "Shown one by one when asked for",
    "id": "With the pack's id, the identity of the learner's memory: keep it",
    "items": "In the right order",
    "lesson": "The id of the lesson that teaches it",
    "let": "Names derived from the drawn ones",
    "mistakes": "Wrong formulas that people use, each with its misconception",
    "prompt": "What is asked; `{name}` and `{expression}` are filled in",
    "require": "Conditions that every drawn tuple must satisfy",
    "rubric": "What a good answer says, with weights",
    "solve": "The quantity that the solver measures: the judge",
    "steps": "The worked solution",
    "tolerance": "Relative, such as 0.01, or {absolute: 0.2}; whole numbers are exact without one",
    "unit": "The unit of the formula: B, FLOP, 1, …",
    "version": 'In quotes, such as "1.0.0"',
    "was": "Former ids of this question",
    "when": "A condition that decides whether the choice is right",
    "why": "Why it is right or wrong",
}
_ACCEPTED = {"_text": ["string", "integer"], "_expression": ["string", "number"]}


class _Generator(GenerateJsonSchema):
    """Knows what the models' own validators take beside text."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> dict[str, Any]:
        made = super().function_before_schema(schema)
        accepted = _ACCEPTED.get(getattr(schema["function"]["function"], "__name__", ""))
        return made | {"type": accepted} if accepted else made


def json_schema() -> dict[str, Any]:
    """The schema of a pack, draft 2020-12. A question's kind picks its rules by if and then: with the union that
    Pydantic writes, an editor that meets one slip reports every kind's complaints."""
    schema = Pack.model_json_schema(by_alias=True, schema_generator=_Generator)
    definitions: dict[str, Any] = schema["$defs"]
    for name, definition in definitions.items():
        definition["title"] = _TITLES.get(name, name)
        for key, value in definition.get("properties", {}).items():
            value.pop("title", None)
            if key in _DESCRIPTIONS:
                value.setdefault("description", _DESCRIPTIONS[key])
    for value in schema["properties"].values():
        value.pop("title", None)
    schema["properties"]["version"]["description"] = _DESCRIPTIONS["version"]
    schema["properties"]["questions"]["items"] = _by_kind()
    tidy: dict[str, Any] = _tidied(schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | tidy | {"title": "Quiz pack, format 1"}


def _tidied(part: Any) -> Any:
    """Pydantic's detours straightened: a limit on a union by its name in JSON Schema, and one type for all numbers."""
    if isinstance(part, list):
        return [_tidied(one) for one in part]
    if not isinstance(part, dict):
        return part
    tidy = {("minimum" if key == "ge" else key): _tidied(value) for key, value in part.items()}
    either = tidy.get("anyOf", [])
    if {"type": "integer"} in either and {"type": "number"} in either:
        tidy["anyOf"] = [one for one in either if one != {"type": "integer"}]
    if len(tidy.get("anyOf", [])) == 1:
        tidy |= tidy.pop("anyOf")[0]
    return tidy


def _by_kind() -> dict[str, Any]:
    choose: list[dict[str, Any]] = [
        {
            "if": {"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]},
            "then": {"$ref": f"#/$defs/{model.__name__}"},
        }
        for kind, model in KINDS.items()
    ]
    kind = {"enum": list(KINDS), "description": "What sort of question: decides which other keys there are"}
    return {
        "title": "Question",
        "type": "object",
        "required": ["id", "kind", "prompt"],
        "properties": {"kind": kind},
        "allOf": choose,
        "defaultSnippets": [
            {"label": f"{kind} question", "body": {"id": "$1", "kind": kind, "prompt": "$2"}} for kind in KINDS
        ],
    }
