"""The command that traces a batch through one attention layer."""

from typing import TYPE_CHECKING, Any

import click

from quiz.cli.givens import named_numbers
from quiz.cli.printing import as_json, print_json, say

if TYPE_CHECKING:
    from quiz.attention.trace import Phase


@click.command()
@click.argument("givens", nargs=-1, metavar="[NAME=VALUE]...")
@as_json
def trace(givens: tuple[str, ...], as_json: bool) -> None:
    """Show the steps a batch goes through in one layer: prefill, then one decoded token.

    \b
    quiz trace hidden_size=4096 num_heads=32 num_kv_heads=8 head_dim=128 seq_len=16
    quiz trace hidden_size=7168 num_heads=128 kv_lora_rank=512 q_lora_rank=1536 \\
        qk_nope_head_dim=128 qk_rope_head_dim=64 v_head_dim=128 seq_len=16

    Optional: v_head_dim (where it is not head_dim), q_lora_rank, batch (1), context (the tokens the cache holds with
    the decoded one; as many as seq_len), dtype (bf16).
    """
    from quiz.attention.trace import trace_givens
    from quiz.render.numbers import group_digits, show_quantity, show_shape

    phases = trace_givens(named_numbers(givens))
    if as_json:
        print_json(_document(phases))
        return
    for phase in phases:
        say(f"{phase.phase}, {phase.form}: {group_digits(phase.tokens)} new, {group_digits(phase.context)} attended to")
        for step in phase.steps:
            shape, stored = show_shape(step.shape), show_quantity(step.bytes, "B")
            say(f"  {step.step:<20} {shape:<24} {group_digits(step.elements):>16} {stored:>20}  {step.operation}")


def _document(phases: "tuple[Phase, ...]") -> list[dict[str, Any]]:
    """`quiz trace --json`: a list of phases, in the order in which they run.

    Each is {"phase": "prefill"|"decode", "form": "grouped"|"expanded"|"absorbed", "tokens", "context", "steps"}:
    ``tokens`` are new in each sequence, ``context`` are attended to. ``steps`` is a list of {"step", "operation",
    "shape", "elements", "bytes"}: the name of a result, how it is made, and its sizes; bytes that are not whole are
    "a/b".
    """
    from quiz.cli.documents import number

    return [
        {
            "phase": phase.phase,
            "form": phase.form,
            "tokens": phase.tokens,
            "context": phase.context,
            "steps": [
                {
                    "step": step.step,
                    "operation": step.operation,
                    "shape": list(step.shape),
                    "elements": step.elements,
                    "bytes": number(step.bytes),
                }
                for step in phase.steps
            ],
        }
        for phase in phases
    ]
