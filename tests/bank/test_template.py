from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank.template import TemplateError, parse_template

GIVENS: dict[str, int | Fraction | str] = {
    "n": 131072,
    "odd": 131073,
    "heads": 12,
    "half": Fraction(1, 2),
    "third": Fraction(-4000, 3),
    "model": "Llama 3 8B",
}


def filled(text: str) -> str:
    return parse_template(text, GIVENS.keys()).fill(GIVENS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no braces, [h] and `x[i]`", "no braces, [h] and `x[i]`"),
        ("{n} {n:,} {n:bytes}", "131072 131,072 128 KiB"),
        ("{odd:bytes}, {n * 2**33:bytes}, {0:bytes}", "131,073 B, 1 PiB, 0 B"),
        ("{model}: {heads * 64} = {heads} x 64", "Llama 3 8B: 768 = 12 x 64"),
        ("{half} {1 / 64} {third} {third:,}", "0.5 0.015625 -4000/3 -4,000/3"),
        ("{sqrt(2)}", "1.41421"),
        ("a set {{8, 16}} and }}{{", "a set {8, 16} and }{"),
        ("{n if heads > 3 else 0:,}", "131,072"),
        ("`{heads}` of `{other}` and `{{heads}}`", "`12` of `{other}` and `{{heads}}`"),
        ("`{n:,}` `{n:bytes}` `{n + 1}` `f'{x!r}'`", "`131,072` `128 KiB` `{n + 1}` `f'{x!r}'`"),
        ("``a ` {b}`` {heads}", "``a ` {b}`` 12"),
        ("a lone ` and {heads}", "a lone ` and 12"),
        ("open ` here\n\n{heads} ` closed", "open ` here\n\n12 ` closed"),
        ("```python\nd = {heads: {heads}}\n```\n{heads}", "```python\nd = {heads: 12}\n```\n12"),
        ("~~~\n{x}\n```\n{y}\n~~~\n{heads}", "~~~\n{x}\n```\n{y}\n~~~\n12"),
        ("```\n{x} never closed {heads}", "```\n{x} never closed 12"),
        ("```not a fence``` {heads}", "```not a fence``` 12"),
    ],
)
def test_texts_are_filled(text: str, shown: str) -> None:
    assert filled(text) == shown


@pytest.mark.parametrize(
    ("text", "line", "column", "kind", "said"),
    [
        ("one\ntwo {hads}", 2, 6, "unknown name", "did you mean `heads`?"),
        ("{heads:.2f}", 1, 8, "malformed", "there are `:,` and `:bytes`"),
        ("{heads,}", 1, 7, "malformed", "write `{heads:,}`"),
        ("{n bytes}", 1, 3, "malformed", "write `{n:bytes}`"),
        ("{heads x 16}", 1, 8, "malformed", "write *"),
        ("heads in {8, 16}", 1, 11, "not allowed", "write `{{` and `}}`"),
        ("{heads} }", 1, 9, "malformed", "a lone `}`"),
        ("a { b", 1, 3, "malformed", "a lone `{`"),
        ("{}", 1, 2, "empty", "empty"),
        ("{heads + }", 1, 9, "malformed", "ends too early"),
        ("{heads > 3}", 1, 2, "not allowed", "a condition cannot be shown"),
    ],
)
def test_faults_are_found_when_the_text_is_read(text: str, line: int, column: int, kind: str, said: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse_template(text, GIVENS.keys())
    assert (caught.value.line, caught.value.column, caught.value.kind) == (line, column, kind)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["x\n{1 / (heads - 12)}", "x\n{ model * 2}", "x\n{ model:,}"])
def test_faults_of_the_givens_are_found_when_it_is_filled(text: str) -> None:
    template = parse_template(text)
    with pytest.raises(TemplateError) as caught:
        template.fill(GIVENS)
    assert caught.value.line == 2


def test_names_are_those_that_must_be_given() -> None:
    assert parse_template("{a + b} `{c}`").names == {"a", "b"}
    assert parse_template("{a + b} `{c}` `{d}`", ["a", "b", "c"]).names == {"a", "b", "c"}


def test_a_text_that_is_all_code_keeps_its_braces() -> None:
    template = parse_template('{"hidden_size": {n}, "x": {}}', GIVENS.keys(), is_code=True)
    assert template.fill(GIVENS) == '{"hidden_size": 131072, "x": {}}'


@given(st.text(st.characters(codec="utf-8", exclude_characters="`~"), max_size=40))
def test_doubled_braces_give_any_text_back(text: str) -> None:
    doubled = text.replace("{", "{{").replace("}", "}}")
    assert parse_template(doubled, ()).fill({}) == text


@given(st.text("ab {}`~\n:,0n", max_size=60))
def test_any_text_is_filled_or_a_template_error_inside_it(text: str) -> None:
    outcome: str | tuple[int, int]
    try:
        outcome = parse_template(text, ["a", "n"]).fill({"a": 1, "n": 2})
    except TemplateError as error:
        outcome = (error.line, error.column)
        assert 1 <= error.line <= text.count("\n") + 1  # noqa: PT017
    assert outcome is not None


def test_a_text_filled_in_pieces_is_the_text_filled() -> None:
    text = parse_template("{a} of {{x}} and `{b}`: {a * b:,}", {"a", "b"})
    givens = {"a": 12, "b": 345}
    assert [piece.names for piece in text.pieces() if piece.names] == [{"a"}, {"b"}, {"a", "b"}]
    assert "".join(piece.fill(givens) for piece in text.pieces()) == text.fill(givens) == "12 of {x} and `345`: 4,140"
    assert [piece.fill({}) for piece in parse_template("plain").pieces()] == ["plain"]
