"""What each rule of the check means, in a sentence. Rules about YAML and the pack's form come from the reader."""

from collections.abc import Mapping
from types import MappingProxyType

RULES: Mapping[str, str] = MappingProxyType(
    {
        "answer-in-prompt": "The prompt gives the answer away, so that nothing has to be known or worked out.",
        "bad-expression": "A worked example's value is not arithmetic over the model's numbers.",
        "bad-template": "The braces of a text ask for something that has no value for some drawn numbers.",
        "display-not-right": "The answer as it is shown, typed back, must be marked right.",
        "draw-cycle": "Draws and lets may depend on each other, but not in a circle.",
        "draw-range": "A draw has limits: powers of two below 2^64, divisors of a whole number up to 10^9.",
        "duplicate-choice": "Two choices read the same, so nobody can tell which is meant.",
        "duplicate-pack": "A pack's id names its memory, so two packs cannot share one.",
        "missing-given": "The solver needs a number that is neither drawn nor worked out.",
        "missing-lesson": "A question without a lesson leaves a learner who fails it with nothing to read.",
        "missing-source": "A source lets a learner check the answer, and the author keep it up to date.",
        "missing-unit": "A unit says how a bare number is read, and which other units are understood.",
        "mistake-collides": "A mistake that always gives the answer, or another mistake, cannot be told from it.",
        "mistake-not-recognised": "A mistake's number as it is shown, typed back, must be marked as that mistake.",
        "no-packs": "A folder to be checked holds at least one pack.",
        "no-right-choice": "At least one choice is right for the numbers that can be drawn.",
        "no-value": "A formula has no value for drawn numbers, such as a division by zero.",
        "no-variants": "No tuple satisfies the rules without two answers that could be confused.",
        "no-variation": "A drawn choice question whose right choice never changes is learned by heart.",
        "solver-disagrees": "The formula explains what the solver measures, so the two must agree for every tuple.",
        "solver-refuses": "For some tuple that can be drawn, the arrays cannot be reshaped.",
        "space-too-large": "A draw has at most 200,000 tuples, so that every one of them can be checked.",
        "too-few-variants": "A drawn number or shape needs 20 different variants, or it is learned by heart.",
        "unknown-model": "A worked example names a model whose numbers are not known.",
        "unknown-name": "A text names a number that is neither drawn nor worked out.",
        "unknown-quantity": "The solver measures only the quantities that `quiz quantities` lists.",
        "wide-code": "Code is not wrapped, so lines over 60 columns are cut off in a small terminal.",
        "worked-example-wrong": "A lesson's worked example must be what the solver measures for that model.",
        "wrong-quantity": "A numeric question solves for a number, a shape question for a shape.",
        "wrong-unit": "The question's unit measures another kind of thing than the quantity does.",
    }
)
