"""Every quantity is measured on arrays and said by a formula: the two must agree, and a wrong formula must not."""

import ast
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quiz.attention.givens import GIVENS
from quiz.attention.quantities import QUANTITIES
from quiz.attention.quantity import Quantity, Value
from quiz.attention.solver import solve
from quiz.bank.expression import ExpressionError, parse

Numbers = Mapping[str, int | Fraction]
Givens = dict[str, int | Fraction | str]

DTYPES: tuple[int | Fraction | str, ...] = ("fp32", "bf16", "fp8", "int4", 1, 2, 3, Fraction(3, 4))


def legal_givens(pick: Callable[[int, int], int]) -> Givens:
    """Givens that fit together, whatever ``pick(low, high)`` picks."""
    kv_heads, group = pick(1, 12), pick(1, 9)
    heads, head_dim = kv_heads * group, pick(2, 256)
    # A little more than whole pairs, if that leaves it a share: the width is rounded down.
    rotary = 2 * pick(1, head_dim // 2)
    return {
        "hidden_size": pick(1, 3000),
        "num_heads": heads,
        "num_kv_heads": kv_heads,
        "head_dim": head_dim,
        "v_head_dim": pick(1, 300),
        "num_layers": pick(1, 130),
        "kv_lora_rank": pick(1, 700),
        "q_lora_rank": pick(1, 2000),
        "qk_nope_head_dim": pick(1, 200),
        "qk_rope_head_dim": 2 * pick(1, 64),
        "batch": pick(1, 64),
        "seq_len": pick(1, 5000),
        "context": pick(1, 5000),
        "dtype": DTYPES[pick(0, len(DTYPES) - 1)],
        "tp": _divisor(kv_heads, pick) if pick(0, 1) else kv_heads * _divisor(group, pick),
        "query_head": pick(0, heads - 1),
        "multiple": pick(1, 200),
        "vocab_size": pick(1, 200_000),
        "memory": pick(1, 2**40),
        "partial_rotary_factor": min(Fraction(1), Fraction(4 * rotary + pick(0, 3), 4 * head_dim)),
        "query_pre_attn_scalar": Fraction(pick(1, 4000), pick(1, 7)),
        "factor": Fraction(pick(10, 640), 10),
        "mscale_all_dim": Fraction(pick(1, 1500), 1000),
    }


def _divisor(number: int, pick: Callable[[int, int], int]) -> int:
    divisors = [n for n in range(1, number + 1) if number % n == 0]
    return divisors[pick(0, len(divisors) - 1)]


@st.composite
def some_givens(draw: st.DrawFn) -> Givens:
    return legal_givens(lambda low, high: draw(st.integers(low, high)))


def fitting(quantity: Quantity, givens: Givens) -> Givens:
    """The givens, with a hidden size that heads fill, or that holds one block, where that is the question."""
    hidden_size, num_heads = int(givens["hidden_size"]), int(givens["num_heads"])
    fitted = {
        "head_dim": hidden_size * num_heads,
        "num_heads": hidden_size * int(givens["head_dim"]),
        "previous_hidden_size": hidden_size + num_heads * int(givens["multiple"]),
    }
    return givens | {"hidden_size": fitted.get(quantity.name, hidden_size)}


def evaluate(formula: str, numbers: Numbers) -> Value:
    node = ast.parse(formula, mode="eval").body
    if isinstance(node, ast.Tuple):
        return tuple(int(parse(ast.unparse(size)).number(numbers)) for size in node.elts)
    if isinstance(node, ast.GeneratorExp):
        return _listed(node, numbers)
    return parse(formula).number(numbers)


def _listed(node: ast.GeneratorExp, numbers: Numbers) -> tuple[int, ...]:
    """``(name for name in divisors(NUMBER) if CONDITION)``: a formula that lists sizes."""
    loop = node.generators[0]
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    assert ast.unparse(node.elt) == loop.target.id
    candidates = f"{loop.target.id} in {ast.unparse(loop.iter)}"
    condition = parse(f"{candidates} and ({ast.unparse(loop.ifs[0])})")
    most = int(parse(ast.unparse(loop.iter.args[0])).number(numbers))
    return tuple(size for size in range(1, most + 1) if condition.holds({**numbers, loop.target.id: size}))


def is_same(measured: Value, stated: Value) -> bool:
    if isinstance(measured, tuple) or isinstance(stated, tuple):
        return measured == stated
    return measured == stated or abs(Fraction(measured) - stated) * 10**29 < abs(Fraction(measured))


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(givens=some_givens())
def test_every_measurement_agrees_with_its_formula(givens: Givens) -> None:
    for quantity in QUANTITIES.values():
        numbers = quantity.numbers(fitting(quantity, givens))
        measured, _ = quantity.measure(**numbers)
        stated = evaluate(quantity.formula, numbers)
        assert is_same(measured, stated), f"{quantity.name}: measured {measured}, stated {stated} for {numbers}"


def mutants(formula: str) -> Iterator[str]:
    """The formula with one factor changed: a constant or a name dropped or swapped, an operator."""
    names = sorted({node.id for node in ast.walk(ast.parse(formula)) if isinstance(node, ast.Name)} & set(GIVENS))
    places = [node for node in ast.walk(ast.parse(formula, mode="eval")) if isinstance(node, ast.expr)]
    for place in range(len(places)):
        for change in range(len(names) + 2):
            tree = ast.parse(formula, mode="eval")
            node = [node for node in ast.walk(tree) if isinstance(node, ast.expr)][place]
            changed = _changed(node, change, names)
            if changed is not None:
                yield ast.unparse(_Replace(node, changed).visit(tree))


def _changed(node: ast.expr, change: int, names: list[str]) -> ast.expr | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and change < 3:
        other = (node.value + 1, node.value * 2, 1)[change]
        return ast.Constant(other) if other != node.value else None
    if isinstance(node, ast.Name) and node.id in names:
        others = [ast.Name(name) for name in names if name != node.id]
        return [ast.Constant(1), *others][change] if change <= len(others) else None
    if isinstance(node, ast.BinOp) and change == 0:
        swapped = ast.Mult() if isinstance(node.op, ast.Div | ast.FloorDiv) else ast.Add()
        return ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else swapped, node.right)
    return None


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


@pytest.mark.parametrize("name", QUANTITIES)
def test_a_formula_with_any_one_factor_changed_is_noticed(name: str) -> None:
    quantity, random = QUANTITIES[name], Random(20)
    specs = [legal_givens(random.randint) for _ in range(80)]
    edges: list[Givens] = [
        {"head_dim": width, "partial_rotary_factor": Fraction(128, width)} for width in (128, 129, 150)
    ]
    specs += [legal_givens(random.randint) | edge for edge in edges]
    cases = [quantity.numbers(fitting(quantity, spec)) for spec in specs]
    measured = [quantity.measure(**numbers)[0] for numbers in cases]
    changed = set(mutants(quantity.formula))
    unnoticed = [formula for formula in changed if _holds(formula, cases, measured)]
    assert changed
    assert not unnoticed


def _holds(formula: str, cases: list[dict[str, int | Fraction]], measured: list[Value]) -> bool:
    try:
        return all(is_same(value, evaluate(formula, numbers)) for value, numbers in zip(measured, cases, strict=True))
    except ExpressionError:
        return False


@pytest.mark.parametrize("quantity", QUANTITIES.values(), ids=QUANTITIES)
def test_a_quantity_says_what_it_is_and_where_it_is_read(quantity: Quantity) -> None:
    assert quantity.summary
    assert quantity.source
    assert quantity.unit in ("1", "B", "FLOP", "FLOP/B")
    assert all(given.domain for given in quantity.givens)


@pytest.mark.parametrize("quantity", QUANTITIES.values(), ids=QUANTITIES)
def test_a_formula_speaks_only_of_the_quantitys_givens(quantity: Quantity) -> None:
    names = {node.id for node in ast.walk(ast.parse(quantity.formula)) if isinstance(node, ast.Name)}
    assert names & set(GIVENS) <= {given.symbol for given in quantity.givens}


@settings(max_examples=50, deadline=None)
@given(givens=some_givens())
def test_values_are_exact_and_never_numpy_integers(givens: Givens) -> None:
    for quantity in QUANTITIES.values():
        value = solve(quantity.name, fitting(quantity, givens)).value
        for number in value if isinstance(value, tuple) else (value,):
            assert type(number) in (int, Fraction)
            assert not isinstance(number, Fraction) or number.denominator > 1
