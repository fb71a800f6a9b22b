"""The commands about what the solver measures: solve, quantities."""

import click

from quiz.cli.givens import named_numbers
from quiz.cli.printing import as_json, print_json, say
from quiz.errors import SolveError


@click.command()
@click.argument("quantity")
@click.argument("givens", nargs=-1, metavar="[NAME=VALUE]...")
@as_json
def solve(quantity: str, givens: tuple[str, ...], as_json: bool) -> int:
    """Measure a quantity on arrays of these sizes; `quiz quantities` lists what can be measured, and from what.

    \b
    quiz solve head_dim hidden_size=4096 num_heads=32
    quiz solve tokens_in_memory memory=80GiB num_layers=32 num_kv_heads=8 head_dim=128 dtype=fp8

    A value may be arithmetic, such as 4096/32 or 2**13.
    """
    from quiz.attention.givens import check_names
    from quiz.attention.quantities import QUANTITIES
    from quiz.attention.solver import solve as measure

    values = named_numbers(givens)
    if quantity in QUANTITIES:
        check_names(quantity, values, [given.name for given in QUANTITIES[quantity].givens])
    try:
        solution = measure(quantity, values)
    except SolveError as error:
        if not as_json:
            raise
        from quiz.cli import documents

        print_json(documents.unsolvable(QUANTITIES[quantity], error))
        return error.exit_code
    if as_json:
        from quiz.cli import documents

        print_json(documents.solved(solution))
        return 0
    from quiz.render.numbers import show_quantity, show_shape

    value = solution.value
    say(show_shape(value) if isinstance(value, tuple) else show_quantity(value, solution.unit))
    for step in solution.steps:
        say(f"  {step}")
    say(f"  formula: {solution.formula}")
    return 0


@click.command()
@as_json
def quantities(as_json: bool) -> None:
    """List every quantity the solver can measure, its unit, and the numbers it is measured from."""
    from quiz.attention.quantities import QUANTITIES
    from quiz.cli import documents

    if as_json:
        print_json(documents.measurable(QUANTITIES.values()))
        return
    for one in QUANTITIES.values():
        unit = "" if one.unit == "1" else f" [{one.unit}]"
        say(f"{one.name}{unit}  {one.summary}")
        say(f"    {' '.join(given.name + ('' if given.needed else '?') for given in one.givens)}")
    say("A name with ? may be left out; `quiz quantities --json` says what each is, and what stands in for it.")
