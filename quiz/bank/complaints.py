"""What Pydantic found wrong with a pack, in an author's words and at the author's line and column."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from quiz.bank import pack
from quiz.bank.parted import Parted, parted_text
from quiz.bank.places import Path, Place, Places
from quiz.errors import Fault
from quiz.render.nearest import nearest

MAX_COMPLAINTS = 200

KINDS: dict[str, type[pack.Question]] = {
    "card": pack.Card,
    "choice": pack.ChoiceQuestion,
    "numeric": pack.Numeric,
    "shape": pack.Shape,
    "stage": pack.StageQuestion,
    "text": pack.TextQuestion,
    "order": pack.Order,
    "open": pack.Open,
}
_DRAWS: dict[str, type[BaseModel]] = {
    "powers_of_two": pack.PowersOfTwo,
    "divisors_of": pack.DivisorsOf,
    "model": pack.FromModel,
    "range": pack.Range,
}
# The model, and its name for people, of what stands below a key.
_BELOW: dict[str, tuple[type[BaseModel], str]] = {
    "lessons": (pack.Lesson, "lesson"),
    "worked": (pack.Worked, "worked example"),
    "exceptions": (pack.Caveat, "exception"),
    "red_flags": (pack.RedFlag, "red flag"),
    "choices": (pack.Option, "choice"),
    "mistakes": (pack.Mistake, "mistake"),
    "rubric": (pack.RubricPoint, "rubric point"),
    "sources": (pack.Source, "source"),
    "misconceptions": (pack.Misconception, "misconception"),
    "tolerance": (pack.Absolute, "tolerance"),
    "golden": (pack.Golden, "golden variant"),
    "as_of": (pack.AsOf, "as_of"),
}
_WANTED = {
    "tolerance": "a number such as 0.01, or {absolute: 0.2}",
    "formula": "arithmetic over the named numbers, or a plain number",
    "value": "a number, or a list of them for a shape",
    "version": 'text in quotes, such as "1.10"; YAML drops the zero of a bare 1.10',
    "draw": "names, each with its values",
    "let": "names, each with its expression",
    "format": "the number 1",
}
_A_DRAW = "a list, {from: 1, to: 9}, {powers_of_two: [8, 64]}, {divisors_of: NAME} or {model: models}"
_BY_TYPE = {
    "text": "text",
    "quoted": "text in quotes",
    "string_type": "text",
    "expression": "arithmetic over the named numbers, or a plain number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
}
# A number in the manner of other languages.
_GROUPED = re.compile(r"[-+]?[0-9]{1,20}(?:[_,][0-9]{1,20}){1,20}")
# What is only said of a collection that may stand where it does.
_TELLING = ("missing", "too_short", "too_long")
_PLAIN_RULES = {
    "string_too_short": "empty-text",
    "string_too_long": "too-long",
    "too_short": "too-few",
    "too_long": "too-many",
    "missing": "missing-key",
    "extra_forbidden": "unknown-key",
    "string_pattern_mismatch": "bad-id",
    "name": "bad-name",
    "literal_error": "unknown-value",
    "union_tag_invalid": "unknown-kind",
}


def complaints(error: ValidationError, data: Any, places: Places, file: str, within: Path = ()) -> list[Fault]:
    """One fault for each thing wrong; where a union failed in several ways, the one nearest to what was written.

    ``within`` is the path to what was validated, where that is only a part of the data.
    """
    found = error.errors(include_url=False, include_input=False)[: 10 * MAX_COMPLAINTS]
    for one in found:
        one["loc"] = (*within, *one["loc"])
    paths = [_path(one["loc"], data) for one in found]
    # A collection that broke inside was meant as that collection: that it is no number either is not worth saying.
    broken_inside = {path[:size] for path, one in zip(paths, found, strict=True) for size in range(len(path))}
    broken_inside |= {path for path, one in zip(paths, found, strict=True) if one["type"] in _TELLING}
    faults: list[Fault] = []
    seen: set[tuple[Path, str]] = set()
    for path, one in zip(paths, found, strict=True):
        kind = str(one["type"])
        if (kind in _BY_TYPE and path in broken_inside) or _counts_only_sound_items(kind, value_at(data, path), one):
            continue
        parted = _parted(path, data, places)
        if parted and (not parted.is_first or kind in _BY_TYPE):
            # One comma, one fault: the others are no keys and no values that anybody meant.
            continue
        name = str(one["loc"][-1]) if kind == "missing" else "a type" if kind in _BY_TYPE else kind
        if (path, name) not in seen and len(faults) < MAX_COMPLAINTS:
            seen.add((path, name))
            fault = _fault(kind, path, dict(one), data, places, file)
            faults.append(fault._replace(fix=parted.fix()) if parted else fault)
    return faults


def capped(faults: list[Fault], most: int = MAX_COMPLAINTS) -> list[Fault]:
    """The first so many faults in the order of the lines, and a last one that says that there are more."""
    ordered = sorted(faults)
    if len(ordered) <= most:
        return ordered
    last = ordered[most - 1]
    message = f"the first {most} faults are listed, and there are more"
    return [*ordered[:most], Fault(last.file, last.line, last.column, "too-many-faults", message, "mend these first")]


def _counts_only_sound_items(kind: str, value: Any, one: Any) -> bool:
    """Pydantic calls a tuple too short when some of its items are wrong, which is said of them already."""
    return kind == "too_short" and len(value) >= one["ctx"]["min_length"]


def _parted(path: Path, data: Any, places: Places) -> Parted | None:
    """The text to which a stray key belongs, if it stands between braces behind one."""
    if not path or not isinstance(path[-1], str) or path[-1] in (known := _known(path[:-1], data)) or not known:
        return None
    mapping = value_at(data, path[:-1])
    is_flow = isinstance(mapping, dict) and places.of(path[:-1]).style == "flow"
    return parted_text(mapping, path[-1], known) if is_flow else None


def _known(path: Path, data: Any) -> Collection[str]:
    """The keys that may stand in a mapping, if they are known."""
    if model := _model(path, data):
        return _keys(model)
    return pack.STAGES if path[-1:] == ("why",) else ()


def _path(loc: Path, data: Any) -> Path:
    """The part of Pydantic's path that is in the file: it also names union members, as ``numeric`` and ``range``."""
    parts = list(loc)
    if parts[:1] == ["questions"] and len(parts) > 2:
        del parts[2]
        if parts[2:3] == ["draw"] and len(parts) > 4:
            del parts[4]
    path: list[str | int] = []
    value = data
    for part in parts:
        if (isinstance(value, dict) and part in value) or (
            isinstance(value, tuple) and isinstance(part, int) and part < len(value)
        ):
            value = value[part]  # type: ignore[index]  # the condition pairs the kind of value with the kind of part
            path.append(part)
    return tuple(path)


def value_at(data: Any, path: Path) -> Any:
    """The value at a path that is in the file."""
    for part in path:
        data = data[part]
    return data


def _fault(kind: str, path: Path, one: dict[str, Any], data: Any, places: Places, file: str) -> Fault:
    place = places.of(path)
    line, column = place.line, place.column
    value = value_at(data, path)
    if kind == "union_tag_not_found" and isinstance(value, dict) and "kind" not in value:
        kind, one["loc"] = "missing", (*path, "kind")
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        place = places.of((*path, "kind"))
        said = value["kind"] if isinstance(value, dict) else value
        close = nearest(str(said), KINDS)
        fix = f"did you mean {close!r}? " if close else ""
        message = f"there is no kind {_described(said)}"
        return Fault(file, place.line, place.column, "unknown-kind", message, f"{fix}the kinds: {', '.join(KINDS)}")
    rule = _PLAIN_RULES.get(kind, "wrong-type" if kind in _BY_TYPE else "out-of-range")
    is_key = one["loc"][-1] == "[key]"
    if (is_key or rule == "unknown-key") and path:
        line, column = places.of_key(path)
    message, fix = _words(kind, path, value, is_key, one, data, place)
    return Fault(file, line, column, rule, message, fix)


def _words(
    kind: str, path: Path, value: Any, is_key: bool, one: Mapping[str, Any], data: Any, place: Place
) -> tuple[str, str]:
    field = _field(path)
    context = one.get("ctx", {})
    if is_key:
        return _bad_key(kind, str(path[-1]))
    if kind in _BY_TYPE:
        return f"{field} must be {_wanted(kind, path, data)}; here is {_described(value)}", _type_fix(
            kind, value, place
        )
    by_kind: dict[str, Callable[[], tuple[str, str]]] = {
        "missing": lambda: (f"{_noun(path, data)} lacks `{one['loc'][-1]}`", _missing_fix(str(one["loc"][-1]))),
        "extra_forbidden": lambda: _unknown_key(path, data),
        "string_pattern_mismatch": lambda: (f"{field} cannot be {_described(value)}", _AN_ID),
        "name": lambda: (f"{field} cannot be {_described(value)}", _A_NAME),
        "literal_error": lambda: _unknown_value(field, value, str(context.get("expected", ""))),
        "string_too_short": lambda: (f"{field} is empty", "write a text, or remove the key"),
        "string_too_long": lambda: (f"{field} has over {context.get('max_length', 0):,} characters", "shorten it"),
        "too_short": lambda: (f"{field} has {len(value)} items; at least {context['min_length']} are needed", ""),
        "too_long": lambda: (f"{field} has {context['actual_length']} items; at most {context['max_length']}", ""),
        "greater_than_equal": lambda: (f"{field} must be at least {context['ge']}; here is {_described(value)}", ""),
        "less_than_equal": lambda: (f"{field} must be at most {context['le']}; here is {_described(value)}", ""),
        "finite_number": lambda: (f"{field} must be a finite number", ""),
    }
    if kind in by_kind:
        return by_kind[kind]()
    return f"{field}: {str(one['msg'])[:1].lower()}{str(one['msg'])[1:]}", ""


_AN_ID = "an id is up to 64 letters, digits and `. _ -`, and begins with a letter or digit"
_A_NAME = "a name is a letter or _, then letters, digits and _"


def _bad_key(kind: str, key: str) -> tuple[str, str]:
    written = key if len(key) <= 40 else key[:39] + "…"
    if kind == "literal_error":
        close = nearest(key, pack.STAGES)
        hint = f"did you mean {close!r}?" if close else f"the stages: {', '.join(pack.STAGES)}"
        return f"there is no stage `{written}`", hint
    return f"`{written}` cannot stand as a key here", _A_NAME if kind == "name" else _AN_ID


def _unknown_value(field: str, value: Any, expected: str) -> tuple[str, str]:
    known = [word.strip().strip("'") for word in expected.replace(" or ", ", ").split(",")]
    close = nearest(str(value), known)
    hint = f"did you mean {close!r}?" if close else f"one of: {', '.join(known)}" if len(known) > 1 else ""
    return f"{field} cannot be {_described(value)}" + ("" if hint else f"; it must be {expected}"), hint


def _unknown_key(path: Path, data: Any) -> tuple[str, str]:
    key, parent = str(path[-1]), path[:-1]
    written = key if len(key) <= 40 else key[:39] + "…"
    model = _model(parent, data)
    known = _keys(model) if model else []
    message = f"{_noun(parent, data)} has no key `{written}`"
    if close := nearest(key, [one for one in known if one not in value_at(data, parent)] or known):
        return message, f"did you mean {close!r}?"
    elsewhere = [kind for kind, other in KINDS.items() if key in other.model_fields]
    if elsewhere and len(parent) == 2 and parent[0] == "questions":
        return message, f"`{key}` belongs to the kind {' or '.join(elsewhere)}"
    return message, f"its keys: {', '.join(known)}"


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _model(path: Path, data: Any) -> type[BaseModel] | None:
    if not path:
        return pack.Pack
    if len(path) == 2 and path[0] == "questions":
        return KINDS.get(str(value_at(data, path).get("kind")))
    if len(path) == 4 and path[2] == "draw":
        draw = value_at(data, path)
        return _DRAWS[next((form for form in _DRAWS if form in draw), "range")]
    word = _last_word(path)
    return _BELOW[word][0] if word in _BELOW else None


def _noun(path: Path, data: Any) -> str:
    if not path:
        return "the pack"
    if len(path) == 2 and path[0] == "questions":
        kind = value_at(data, path).get("kind")
        return f"a question of kind {kind}" if isinstance(kind, str) and kind in KINDS else "a question"
    if len(path) == 4 and path[2] == "draw":
        return f"the draw of `{path[3]}`"
    word = _last_word(path)
    return f"a {_BELOW[word][1]}" if word in _BELOW else f"`{word}`"


def _last_word(path: Path) -> str:
    """The key that says what stands at the path: ids below ``sources`` and ``misconceptions`` do not."""
    words = [part for part in path if isinstance(part, str)]
    return words[0] if words[0] in ("sources", "misconceptions") else words[-1]


def _field(path: Path) -> str:
    if not path:
        return "the pack"
    if isinstance(path[-1], int):
        words = [part for part in path if isinstance(part, str)]
        return f"item {path[-1] + 1} of `{words[-1]}`"
    return f"`{path[-1]}`"


def _wanted(kind: str, path: Path, data: Any) -> str:
    if len(path) == 4 and path[0] == "questions" and path[2] == "draw":
        return _A_DRAW
    word = path[-1] if path else ""
    if word == "formula" and len(path) == 3 and data["questions"][path[1]].get("kind") == "shape":
        return "a list of sizes, such as [batch, num_heads, seq_len, head_dim]"
    return _WANTED.get(str(word), _BY_TYPE[kind])


def _described(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return repr(value if len(value) <= 40 else value[:39] + "…")
        case int() | float():
            return f"the number {value}"[:60]
        case tuple():
            return "a list"
    return "a mapping"


def _type_fix(kind: str, value: Any, place: Place) -> str:
    if isinstance(value, dict | tuple) and place.style == "flow":
        return f"put text that begins with {'{' if isinstance(value, dict) else '['} in quotes"
    if isinstance(value, tuple):
        return "a line that begins with a dash and a blank is an item of a list"
    if isinstance(value, dict):
        return "a line with a colon and a blank is a key of a mapping; put such text in quotes"
    if value is None:
        return "write it after the colon; a text that begins with # goes in quotes"
    if not isinstance(value, str):
        return "put it in quotes if text is meant"
    if kind == "bool_type":
        return {"yes": "write true", "on": "write true", "no": "write false", "off": "write false"}.get(
            value.lower(), ""
        )
    if kind in ("int_type", "float_type") and _GROUPED.fullmatch(value):
        return f"write {int(re.sub('[_,]', '', value))}"
    return ""


def _missing_fix(key: str) -> str:
    return {
        "format": "begin the pack with `format: 1`",
        "version": 'add one in quotes, such as version: "1.0.0"',
        "kind": f"one of: {', '.join(KINDS)}",
        "why": "say why it is right or wrong",
    }.get(key, "")
