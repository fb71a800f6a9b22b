"""The command that shows how far the learner is."""

from pathlib import Path

import click

from quiz.cli.printing import as_json, print_json, say


@click.command()
@as_json
@click.pass_obj
def progress(home: Path | None, as_json: bool) -> None:
    """Show how far you are."""
    from quiz.desk import open_desk

    with open_desk(home) as desk:
        figures = desk.progress()
    if as_json:
        print_json(figures)
        return
    from quiz.render.charts import meter

    cards = figures["cards"]
    say(f"{figures['reviews']} reviews on {figures['studied_days']} days, {figures['due_now']} due now")
    say(f"{cards['new']} new, {cards['learning']} learning, {cards['review']} in review; streak {figures['streak']}")
    for name, topic in figures["topics"].items():
        share = topic["strength"]
        say(f"{name:<16} {meter(share, 20)} {share:4.0%} known, {topic['due']} due, {topic['new']} new")
    say("due on the days ahead:")
    for day in figures["forecast"]:
        say(f"  {day['day']}  {day['due']}")
    for title, rows, shown in (
        ("last sittings:", figures["sittings"], "{began:.16}  {answered} answered, {right} right"),
        ("slips:", figures["misconceptions"], "{count} × {id}, last on {last}"),
    ):
        if rows:
            say(title)
        for row in rows:
            say(f"  {shown.format_map(row)}")
