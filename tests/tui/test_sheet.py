"""The sheet of a question: what scrolls, what stays in sight, and how little of it is painted."""

import asyncio
from collections.abc import Callable

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Region, Size
from textual.pilot import Pilot
from textual.selection import Selection

from quiz.tui.widgets.sheet import Sheet

HEAD, FOOT = [Content("the head".ljust(40))], [Content("the foot".ljust(40))]
LONG = {"first": Content("\n".join(f"line {n}" for n in range(30))), "last": Content("the end")}
Act = Callable[[Sheet, Pilot[None]], object]


class Alone(App[None]):
    """A sheet and nothing else."""

    def compose(self) -> ComposeResult:
        yield Sheet()


def rows(act: Act, size: tuple[int, int] = (40, 10)) -> list[str]:
    """What the sheet shows after this was done to it."""

    async def run() -> list[str]:
        app = Alone()
        async with app.run_test(size=size) as pilot:
            sheet = app.query_one(Sheet)
            await pilot.pause()
            done = act(sheet, pilot)
            if asyncio.iscoroutine(done):
                await done
            await pilot.pause()
            return [sheet.render_line(row).text.rstrip() for row in range(sheet.size.height)]

    return asyncio.run(run())


def test_the_text_stands_between_the_head_and_the_foot() -> None:
    seen = rows(lambda sheet, _: sheet.show(HEAD, {"a": Content("one"), "b": Content("two")}, FOOT))
    assert seen == ["the head", "", "  one", "", "  two", "", "", "", "", "the foot"]


def test_head_and_foot_stay_while_the_text_scrolls() -> None:
    def scroll(sheet: Sheet, _: Pilot[None]) -> None:
        sheet.show(HEAD, LONG, FOOT)
        sheet.scroll_to(y=5, animate=False)

    seen = rows(scroll)
    assert (seen[0], seen[1].split(), seen[-1]) == ("the head", ["line", "4"], "the foot")


def test_a_block_is_brought_in_sight_or_to_the_top() -> None:
    blocks = {"first": LONG["first"], "second": Content("here"), "third": LONG["first"]}

    def in_sight(sheet: Sheet, _: Pilot[None]) -> None:
        sheet.show(HEAD, blocks, FOOT)
        sheet.go_to("second")

    def at_top(sheet: Sheet, _: Pilot[None]) -> None:
        sheet.show(HEAD, blocks, FOOT)
        sheet.go_to("second", at_top=True)

    assert rows(in_sight)[-2].strip() == "here"
    assert rows(at_top)[1].split()[0] == "here"


def test_a_shorter_text_is_not_left_scrolled() -> None:
    def shorten(sheet: Sheet, _: Pilot[None]) -> None:
        sheet.show(HEAD, LONG, FOOT)
        sheet.go_to("last")
        sheet.show(HEAD, {"a": Content("short")}, FOOT)

    assert rows(shorten)[2] == "  short"


def test_it_tells_whether_there_is_more_below() -> None:
    told: list[bool] = []

    def look(sheet: Sheet, _: Pilot[None]) -> None:
        for blocks in ({"a": Content("short")}, LONG):
            sheet.show(HEAD, blocks, FOOT)
            told.append(sheet.more)
        sheet.go_to("last")
        told.append(sheet.more)

    rows(look)
    assert told == [False, True, False]


def test_only_lines_that_differ_are_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Region] = []

    def change(sheet: Sheet, _: Pilot[None]) -> None:
        sheet.show(HEAD, {"a": Content("one"), "b": Content("two")}, FOOT)
        monkeypatch.setattr(sheet, "refresh", lambda *regions: painted.extend(regions))
        sheet.show(HEAD, {"a": Content("one"), "b": Content("three")}, FOOT)
        monkeypatch.undo()

    rows(change)
    assert painted == [Region(0, 4, 40, 1)]


def test_nothing_that_is_shown_lays_the_screen_out() -> None:
    sizes: list[Size] = []

    async def change(sheet: Sheet, pilot: Pilot[None]) -> None:
        await pilot.pause()
        sheet.screen.screen_layout_refresh_signal.subscribe(sheet, lambda screen: sizes.append(screen.size))
        for blocks in (LONG, {"a": Content("one")}):
            sheet.show(HEAD, blocks, FOOT)
            await pilot.pause()

    rows(change)
    assert sizes == []


def test_a_narrower_window_wraps_the_text_anew() -> None:
    async def narrow(sheet: Sheet, pilot: Pilot[None]) -> None:
        sheet.show(HEAD, {"a": Content("a line of words that is wide")}, FOOT)
        await pilot.resize_terminal(28, 10)

    assert rows(narrow)[2:4] == ["  a line of words that is", "  wide"]


def test_the_bar_shows_where_the_text_stands_and_a_click_on_it_goes_there() -> None:
    async def click(sheet: Sheet, pilot: Pilot[None]) -> None:
        sheet.show(HEAD, LONG, FOOT)
        await pilot.pause()
        await pilot.click(offset=(39, 8))

    assert "line 29" in "\n".join(rows(click))


def test_what_the_mouse_selects_is_the_text() -> None:
    got: list[tuple[str, str] | None] = []

    def select(sheet: Sheet, _: Pilot[None]) -> None:
        sheet.show(HEAD, {"a": Content("one"), "b": Content("two")}, FOOT)
        got.append(sheet.get_selection(Selection(None, None)))

    rows(select)
    assert got == [("one\n\ntwo", "\n")]
