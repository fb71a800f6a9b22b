"""`quiz trace`, run in-process."""

import json
from typing import Any

import pytest

from quiz.cli.main import run

GQA = ("hidden_size=4096", "num_heads=32", "num_kv_heads=8", "head_dim=128", "seq_len=16", "context=2**13")
MLA = ("hidden_size=2048", "num_heads=16", "kv_lora_rank=512", "qk_nope_head_dim=128", "qk_rope_head_dim=64")


def traced(capsys: pytest.CaptureFixture[str], *givens: str) -> list[dict[str, Any]]:
    assert run(("trace", *givens, "--json")) == 0
    document: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return document


def test_the_json_is_a_list_of_phases_with_their_steps(capsys: pytest.CaptureFixture[str]) -> None:
    prefill, decode = traced(capsys, *GQA)
    assert {name: prefill[name] for name in prefill if name != "steps"} == {
        "phase": "prefill",
        "form": "grouped",
        "tokens": 16,
        "context": 16,
    }
    assert prefill["steps"][1] == {
        "step": "queries",
        "operation": "q_proj, weight (4096, 4096)",
        "shape": [1, 16, 4096],
        "elements": 65_536,
        "bytes": 131_072,
    }
    assert (decode["phase"], decode["tokens"], decode["context"]) == ("decode", 1, 8192)


def test_mla_is_traced_expanded_and_absorbed(capsys: pytest.CaptureFixture[str]) -> None:
    phases = traced(capsys, *MLA, "v_head_dim=128", "seq_len=4", "dtype=fp8")
    assert [(phase["phase"], phase["form"]) for phase in phases] == [
        ("prefill", "expanded"),
        ("prefill", "absorbed"),
        ("decode", "expanded"),
        ("decode", "absorbed"),
    ]


def test_bytes_that_are_not_whole_stay_exact(capsys: pytest.CaptureFixture[str]) -> None:
    givens = ("hidden_size=3", "num_heads=1", "num_kv_heads=1", "head_dim=1", "seq_len=1", "dtype=int4")
    assert traced(capsys, *givens)[0]["steps"][0]["bytes"] == "3/2"


def test_people_get_one_line_for_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("trace", *GQA)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "prefill, grouped: 16 new, 16 attended to"
    assert "decode, grouped: 1 new, 8,192 attended to" in lines
    assert " ".join(lines[2].split()) == "queries (1, 16, 4096) 65,536 131,072 B q_proj, weight (4096, 4096)"


def test_a_wrong_call_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("trace", "num_heads=32", "heads")) == 2
    assert run(("trace", *MLA, "--json")) == 2
    assert run(("trace", *(given.replace("num_kv_heads=8", "num_kv_heads=5") for given in GQA))) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 3


# One given changed or added: the exit code, and what the one line on stderr must say.
SLIPS = {
    "batch=10**18": (1, "more than any array can hold"),
    "batch=10**400": (2, "more than 512 bits"),
    "context=0": (1, "context must be a whole number from 1, not 0"),
    "seq_len=-1": (1, "seq_len must be a whole number from 1"),
    "seq_len=1/2": (1, "not 1/2"),
    "dtype=fp3": (2, "unknown dtype 'fp3'"),
    "dtype=0": (1, "1/8 to 16 bytes"),
    "num_kv_heads=5": (1, "nearest: 4 or 8 KV heads"),
    "num_kv_heads=64": (1, "32 query heads do not split over 64 KV heads"),
    "num_heads==32": (2, "num_heads: "),
    "num_heads=": (2, "the expression is empty"),
    "num_head=32": (2, "did you mean num_heads"),
    "heads=32": (2, "does not take 'heads'"),
    "q_lora_rank=8": (2, "of MHA, GQA or MQA does not take 'q_lora_rank'"),
    "head_dim=None": (2, "head_dim: "),
    "head_dim=divisors(12)": (2, "head_dim: "),
    "x" * 5000 + "=1": (2, "does not take"),
    "num_heads=" + "9" * 5000: (2, "num_heads: "),
}


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip[:30])
def test_a_slip_is_one_short_line(capsys: pytest.CaptureFixture[str], slip: str) -> None:
    name = slip.partition("=")[0]
    code = run(("trace", *(given for given in GQA if not given.startswith(f"{name}=")), slip))
    out, err = capsys.readouterr()
    assert (code, out) == (SLIPS[slip][0], "")
    assert SLIPS[slip][1] in err
    assert err.count("\n") == 1
    assert len(err) < 400


def test_what_is_missing_is_named_with_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("trace",)) == 2
    assert run(("trace", "num_heads=32")) == 2
    nothing, something = capsys.readouterr().err.splitlines()
    assert nothing.startswith("quiz: a trace needs hidden_size (width of the residual stream, from 1), num_heads")
    assert something.startswith("quiz: a trace also needs hidden_size")
