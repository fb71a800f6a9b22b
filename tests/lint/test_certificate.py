import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from quiz.lint.certificate import Certificate
from quiz.lint.check import Report

Check = Callable[..., Report]
CACHE = """\
  - id: q
    kind: numeric
    prompt: "{num_layers} layers, {num_heads} heads, {num_kv_heads} KV heads of {head_dim}"
    draw:
      num_layers: [24, 32]
      num_kv_heads: [1, 2, 4, 8]
      group_size: [1, 2, 4]
      head_dim: [64, 128]
    let: {num_heads: num_kv_heads * group_size}
    require: [num_heads <= 16, num_layers > 0]
    unit: B
    solve: kv_cache_bytes_per_token
    formula: 4 * num_layers * num_kv_heads * head_dim
    mistakes:
      - {formula: 4 * num_layers * num_heads * head_dim, misconception: a}
      - {formula: 2 * num_layers * num_kv_heads * head_dim, misconception: b}
"""


def certificate(report: Report) -> Certificate:
    assert report.errors == ()
    (found,) = report.certificates
    return found


def test_the_counts_of_a_space_worked_out_by_hand(check: Check) -> None:
    found = certificate(check(CACHE))
    # 2 · 4 · 3 · 2 tuples; 8 KV heads in groups of 4 make 32 query heads; groups of one make both answers alike.
    assert (found.enumerated, found.valid, found.sound) == (48, 44, 28)
    assert found.distinct == 28
    # 24 layers: 1 · 64, … 32 layers: 1 · 64, …; with 1 to 4 KV heads 2 group sizes each, with 8 one.
    assert found.commonest is not None
    assert found.commonest.answer == "12,288 B"
    assert found.commonest.share == Fraction(4, 28)
    assert found.rank == {"2": 28}
    assert [(rule.rule, rule.removes) for rule in found.starved] == [("num_heads <= 16", 4), ("num_layers > 0", 0)]


def test_choices_that_collide_are_one_pair_however_they_then_read(check: Check) -> None:
    (certificate,) = check(
        '  - {id: q, kind: choice, lesson: l, sources: [s], prompt: "{a} {b}?", draw: {a: {from: 2, to: 9}, '
        'b: {from: 2, to: 9}}, choices: [{text: "{a * b}", right: true, why: W}, {text: "{a * a}", why: W}]}\n'
    ).certificates
    (collision,) = certificate.collisions
    assert (collision.first, collision.second, collision.count) == ("{a * b}", "{a * a}", 8)
    assert collision.constraint == "a != b"


def test_a_collision_names_the_pair_an_example_and_the_cheapest_rule_that_removes_it(check: Check) -> None:
    (collision,) = certificate(check(CACHE)).collisions
    assert (collision.first, collision.second, collision.count) == ("answer", "a", 16)
    assert collision.example["num_heads"] == collision.example["num_kv_heads"]
    assert (collision.constraint, collision.removes) == ("num_kv_heads < num_heads", 16)


def test_no_rule_is_advised_that_costs_far_more_than_the_collisions(check: Check) -> None:
    report = check(
        '  - {id: q, kind: numeric, unit: "1", prompt: "{n} {m}", draw: {n: {from: 1, to: 9}, m: {from: 1, to: 9}}, '
        "formula: n + m, mistakes: [{formula: 2 * n + m - 3, misconception: a}]}\n"
    )
    (collision,) = certificate(report).collisions
    # n = 3 in all nine: only `n > 3`-like rules would do, and none of the comparisons is.
    assert (collision.count, collision.constraint, collision.removes) == (9, None, 0)


def test_a_tolerance_that_reaches_a_mistake_is_a_collision(check: Check) -> None:
    def count(tolerance: str) -> int:
        report = check(
            f'  - {{id: q, kind: numeric, unit: "1", tolerance: {tolerance}, prompt: "{{n}}", '
            "draw: {n: {from: 60, to: 160}}, formula: n, mistakes: [{formula: n + 1, misconception: a}]}\n"
        )
        return sum(collision.count for collision in certificate(report).collisions)

    # Within 1 % of the larger of the two: n + 1 >= 100.
    assert count("0.01") == 62
    assert count("0") == 0
    assert count("{absolute: 0.99}") == 0


def test_tuples_without_a_value_are_counted_apart(check: Check) -> None:
    report = check(
        '  - {id: q, kind: numeric, unit: "1", tolerance: 0, prompt: "{n}", draw: {n: {from: 1, to: 40}}, '
        "formula: n, mistakes: [{formula: 60 / (n - 7), misconception: a}]}\n"
    )
    found = certificate(report)
    assert (found.valid, found.sound, found.without_value) == (40, 38, 1)
    assert [collision.example for collision in found.collisions] == [{"n": 12}]


def test_choices_count_as_different_by_what_is_shown(check: Check) -> None:
    report = check(
        '  - {id: q, kind: choice, prompt: "n mod 2 is {odd}?", draw: {n: [1, 2, 3, 4]}, let: {odd: n % 2}, '
        "choices: [{text: Odd, why: W, when: odd == 1}, {text: Even, why: W, when: odd == 0}]}\n"
    )
    found = certificate(report)
    assert (found.sound, found.distinct, found.rank) == (4, 2, {"1": 2, "2": 2})
    assert found.commonest is not None
    assert found.commonest.share == Fraction(1, 2)


def test_the_json_is_plain_data_with_the_promised_names(check: Check) -> None:
    plain: dict[str, Any] = json.loads(json.dumps(certificate(check(CACHE)).to_json()))
    assert {"key", "enumerated", "valid", "sound", "distinct", "commonest", "rank", "collisions", "starved"} <= set(
        plain
    )
    assert plain["commonest"] == {"answer": "12,288 B", "share": 0.142857}
    assert list(plain["collisions"][0]) == ["first", "second", "count", "example", "constraint", "removes"]
    assert plain["starved"][0] == {"rule": "num_heads <= 16", "removes": 4}
