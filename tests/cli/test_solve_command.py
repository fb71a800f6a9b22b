"""`quiz solve` and `quiz quantities`, run in-process."""

import json

import pytest

from quiz.attention.quantities import QUANTITIES
from quiz.cli.main import run

CACHE = ("num_layers=32", "num_kv_heads=8", "head_dim=128")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("memory", ["80GiB", "80 GiB", "80*2**30", "85,899,345,920", "81920 MiB", "85899345920"])
def test_memory_may_be_written_as_one_says_it(capsys: pytest.CaptureFixture[str], memory: str) -> None:
    code, out, _ = said(capsys, "solve", "tokens_in_memory", f"memory={memory}", *CACHE)
    assert (code, out.splitlines()[0]) == (0, "655,360")


@pytest.mark.parametrize("hidden", ["4096", "4,096", "4_096", "2**12", "2^12", "4096.0", "32*128"])
def test_a_size_may_be_written_as_one_says_it(capsys: pytest.CaptureFixture[str], hidden: str) -> None:
    assert said(capsys, "solve", "head_dim", f"hidden_size={hidden}", "num_heads=32")[:2][1].startswith("128\n")


# What is typed by mistake: the exit code, and what the one line on stderr must say.
SLIPS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "no equals sign": (("head_dim", "4096", "32"), 2, "givens are written name=value"),
    "two of them": (("head_dim", "num_heads==32"), 2, "num_heads"),
    "a letter too few": (("head_dim", "hiden_size=4096"), 2, "did you mean hidden_size?"),
    "a short name": (("kv_cache_bytes_per_token", "kv_heads=8"), 2, "did you mean num_kv_heads"),
    "a given of another quantity": (("head_dim", *CACHE), 2, "it takes hidden_size, num_heads"),
    "capitals": (("HEAD_DIM", "num_heads=32"), 2, "did you mean head_dim"),
    "dashes": (("kv-cache-bytes",), 2, "did you mean kv_cache_bytes"),
    "a name like no other": (("weather",), 2, "`quiz quantities` lists them"),
    "nothing given": (("head_dim",), 2, "head_dim needs hidden_size (width of the residual stream"),
    "something missing": (("head_dim", "num_heads=32"), 2, "head_dim also needs hidden_size"),
    "a number with a letter": (("kv_cache_bytes", *CACHE, "context=8k"), 2, "context: "),
    "bytes for a count": (("head_dim", "hidden_size=4 GiB", "num_heads=32"), 2, "hidden_size: "),
    "an unknown dtype": (("kv_cache_bytes_per_token", *CACHE, "dtype=fp3"), 2, "unknown dtype 'fp3'; known are"),
    "twice": (("head_dim", "num_heads=32", "num_heads=16"), 2, "num_heads stands there twice"),
    "a huge power": (("head_dim", "hidden_size=10**400", "num_heads=1"), 2, "more than 512 bits"),
    "a long name": (("head_dim", "x" * 5000 + "=1"), 2, "does not take"),
    "a long quantity": (("x" * 5000,), 2, "no quantity is called"),
    "an escape": (("head_dim", "\x1b[31m=1"), 2, "givens are written"),
    "an escape as a value": (("head_dim", "num_heads=\x1b[31m"), 2, "num_heads: "),
    "nothing": (("head_dim", "num_heads="), 2, "num_heads: the expression is empty"),
    "division by zero": (("head_dim", "num_heads=1/0"), 2, "division by zero"),
    "a zero": (("head_dim", "hidden_size=4096", "num_heads=0"), 1, "num_heads must be a whole number from 1, not 0"),
    "heads that do not fit": (("head_dim", "hidden_size=800", "num_heads=12"), 1, "nearest: 10 or 16 heads"),
    "too many ranks": (("legal_tp_sizes", "num_heads=10**9", "num_kv_heads=1"), 1, "no more than 65,536"),
    "more than any array": (("inner_width", "num_heads=2**62", "head_dim=2**62"), 1, "more than any array can hold"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_one_short_line(capsys: pytest.CaptureFixture[str], slip: str) -> None:
    arguments, expected, told = SLIPS[slip]
    code, out, err = said(capsys, "solve", *arguments)
    assert (code, out) == (expected, "")
    assert told in err
    assert err.startswith("quiz: ")
    assert (err.count("\n"), "\x1b" in err) == (1, False)
    assert len(err) < 400


def test_the_list_of_quantities_names_each_with_its_unit_and_givens(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "quantities")
    assert "\nkv_cache_bytes_per_token [B]  Bytes that all layers cache for one token\n" in out
    assert "\n    num_layers num_kv_heads head_dim v_head_dim? dtype?\n" in out
    assert "[1]" not in out
    assert out.count("\n") == 2 * len(QUANTITIES) + 1


def test_the_document_of_quantities_has_each_given_with_its_domain(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, "quantities", "--json")[1])
    assert {one["quantity"] for one in found} == QUANTITIES.keys()
    assert all(given["domain"] for one in found for given in one["givens"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("solve",), "Missing argument 'QUANTITY'; `quiz solve --help` says what it takes"),
        (("solve", "head_dim", "--num_heads=3"), "No such option '--num_heads'"),
        (("quantities", "x"), "`quiz quantities --help` says what it takes"),
        (("inspect",), "`quiz inspect --help` says what it takes"),
    ],
)
def test_a_call_that_no_command_takes_is_one_line_too(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    code, out, err = said(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("quiz: ")
    assert told in err
