"""Each kind of question, answered with nothing but keys."""

from collections.abc import Callable
from typing import Any

import pytest

from quiz.desk import Desk
from quiz.errors import StorageError
from quiz.tui.app import QuizApp

Kinds = dict[str, dict[str, Any]]
MakeDesk = Callable[..., Desk]
Play = Callable[..., str]


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("choice", ["1", "enter"], ["2", "space"]),
        ("several", ["1", "3", "enter"], ["1", "2", "2", "enter"]),
        ("numeric", ["=128", "enter"], ["=64", "enter"]),
        ("shape", ["=(2,4,7,16)", "enter"], ["=2 7 4 16", "enter"]),
        ("stage", ["4", "enter"], ["7", "enter"]),
        ("text", ["=Latent", "enter"], ["=long", "enter"]),
    ],
)
def test_a_question_is_answered_by_keys(
    kind: str, right: list[str], wrong: list[str], kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds[kind])
    assert "✓ Right" in play(desk, "space", *right)
    seen = play(desk, "space", *wrong)
    assert "✗ Wrong" in seen or "≈ Partly right" in seen
    assert "›1 Again" in seen


def test_an_order_is_given_digit_by_digit(
    kinds: Kinds, make_desk: MakeDesk, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quiz.desk.fresh_seed", lambda: 7)
    desk = make_desk(kinds["order"])
    asked = play(desk, "space", "3", "1", "backspace")
    assert "3 1." in asked
    assert "2." not in asked
    digits = desk.draw("trial/an-order", 7).answer.display.split(", ")
    assert "✓ Right" in play(desk, "space", *digits, "enter")


def test_a_flashcard_shows_its_back_and_is_rated(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    seen = play(desk, "space", "space")
    assert "The width of one head." in seen
    assert "›3 Good" in seen
    assert "1 answered, 1 right" in play(desk, "space", "space", "4")
    assert len(list(desk.log.reviews())) == 1


def test_the_points_of_a_rubric_are_ticked_and_move_the_proposal(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["open"])
    bare = play(desk, "space", "space")
    assert "Because of the cache." in bare
    assert "It is faster to train." in bare
    assert "›" not in bare
    ticked = play(desk, "space", "space", "a", "b")
    assert "a ✓ Cache" in ticked
    assert "›3 Good" in ticked


def test_the_proposed_rating_is_accepted_and_saved(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"], kinds["text"])
    seen = play(desk, "space", "=128", "enter", "enter")
    assert "✓ saved as Good" in seen
    assert "1 answered, 1 right, 1 left, 1 again" in seen  # the number is still being learned, so it comes back
    (review,) = desk.log.reviews()
    assert (review.key, review.typed, review.rating) == ("trial/a-number", "128", 3)


def test_another_rating_is_one_key(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"])
    play(desk, "space", "=128", "enter", "2")
    assert [(review.proposed, review.rating) for review in desk.log.reviews()] == [(3, 2)]


def test_the_field_says_how_it_reads_what_is_typed(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"] | {"unit": "B"})
    assert "read as 131,072 B" in play(desk, "space", "=128 KiB")
    assert "not yet" in play(desk, "space", "=12 apples")


def test_an_unreadable_answer_keeps_the_text_and_counts_nothing(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"])
    seen = play(desk, "space", "=12 apples", "enter")
    assert "12 apples" in seen
    assert "? " in seen
    assert "0 answered" in seen
    assert list(desk.log.reviews()) == []


def test_letters_belong_to_the_field_and_function_keys_work_in_it(
    kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["numeric"], kinds["text"])
    seen = play(desk, "space", "=hsu", "f2")
    assert "hsu" in seen
    assert "Hint 1 of 2  Divide." in seen
    assert "F2 Hint" in seen
    assert "The L in MLA?" in play(desk, "space", "f3")
    assert "Here: A question with a typed answer" in play(desk, "space", "f1")


def test_hints_come_one_by_one(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"] | {"hints": ["Fewest.", "One."]})
    assert "Hint 2 of 2" not in play(desk, "space", "h")
    assert "Hint 2 of 2  One." in play(desk, "space", "h", "h")


def test_a_skipped_question_comes_last(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"], kinds["choice"])
    assert "fewest KV heads" in play(desk, "space", "s")
    assert "What is head_dim?" in play(desk, "space", "s", "1", "enter", "4")


def test_undo_takes_back_what_was_saved_and_asks_it_again(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"], kinds["card"])
    seen = play(desk, "space", "1", "enter", "enter", "u")
    assert "Took back trial/a-choice" in seen
    assert "fewest KV heads" in seen
    assert list(desk.log.reviews()) == []


def test_undo_withdraws_an_answer_that_is_not_saved(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"])
    seen = play(desk, "space", "2", "enter", "u")
    assert "not saved" in seen
    assert "Pick the right one." in seen


def test_leaving_saves_an_answer_whose_mark_was_seen(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"])
    home = play(desk, "space", "1", "enter", "escape")
    assert "topic" in home
    assert [review.rating for review in desk.log.reviews()] == [3]


def test_quitting_saves_an_answer_whose_mark_was_seen(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"])
    app = QuizApp(desk)
    play(desk, "space", "1", "enter", "ctrl+q", app=app)
    assert app.return_code == 0
    assert len(list(desk.log.reviews())) == 1


def test_a_storage_error_is_said_and_the_card_stays(
    kinds: Kinds, make_desk: MakeDesk, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make_desk(kinds["choice"])

    def full(*_: object) -> None:
        raise StorageError("the disk is full")

    monkeypatch.setattr(desk.log, "record", full)
    seen = play(desk, "space", "1", "enter", "enter")
    assert "✗ the disk is full" in seen
    assert "›3 Good" in seen
    assert "0 answered" in seen


def test_the_end_says_what_was_done_and_what_comes_next(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"])
    seen = play(desk, "space", "1", "enter", "enter")
    assert "1 of 1 right" in seen
    assert "1 question still being learned: back in 10 min" in seen
    assert "Tomorrow: " in seen
    assert "topic" in play(desk, "space", "enter")


def test_what_is_still_being_learned_can_be_asked_early(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"])
    seen = play(desk, "space", "1", "enter", "enter", "c")
    assert "fewest KV heads" in seen
    assert "again" in seen


def test_a_sitting_can_begin_at_once_with_a_limit(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"], kinds["card"])
    app = QuizApp(desk, ("trial",), limit=1)
    assert "Done for now" in play(desk, "1", "enter", "enter", app=app)


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
def test_ratings_and_keys_stay_in_sight_of_a_long_answer(
    size: tuple[int, int], kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["choice"] | {"prompt": "Long. " * 400})
    lines = play(desk, "space", "1", "enter", size=size).split("\n")
    assert len(lines) == size[1]
    assert any("›3 Good" in line for line in lines[-4:])
    assert any("? Help" in line for line in lines[-2:])
    assert any("✓ Right" in line for line in lines)


def test_the_study_screen_survives_a_change_of_size(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["open"])
    app = QuizApp(desk)

    def shrink(_: QuizApp) -> None:
        app.screen.on_resize()  # type: ignore[attr-defined]

    assert "Because of the cache." in play(desk, "space", "space", app=app, look=shrink)


def test_the_theme_is_changed_by_a_key_and_remembered(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    desk.save(desk.settings._replace(theme="dark"))
    themes: list[str] = []
    play(desk, "t", look=lambda app: themes.append(app.theme))
    assert themes == ["quiz-light"]
    assert desk.settings.theme == "light"


def test_what_was_typed_is_still_there_after_the_lesson_and_the_help(
    kinds: Kinds, lesson: dict[str, Any], make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["numeric"] | {"lesson": "width"}, lessons=(lesson,))
    assert "✓ Right" in play(desk, "space", "=12", "f5", "escape", "f1", "escape", "=8", "enter")


def test_the_mouse_picks_and_answers(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["choice"])
    rows = play(desk, "space").split("\n")
    option = next(row for row, line in enumerate(rows) if "MQA" in line)
    bar = next(row for row, line in enumerate(rows) if "Answer" in line)
    seen = play(desk, "space", f"@{rows[option].index('MQA')},{option}", f"@{rows[bar].index('Answer')},{bar}")
    assert "✓ Right" in seen


def test_a_click_on_a_rating_saves(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["card"])
    rows = play(desk, "space", "space").split("\n")
    row = next(row for row, line in enumerate(rows) if "4 Easy" in line)
    play(desk, "space", "space", f"@{rows[row].index('4 Easy')},{row}")
    assert [review.rating for review in desk.log.reviews()] == [4]


def test_a_disputed_mark_is_said_and_kept(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"])
    seen = play(desk, "space", "=64", "enter", "d")
    assert "you hold that this is right" in seen
    assert "›3 Good" in seen
    play(desk, "space", "=64", "enter", "d", "enter")
    assert [(one.typed, one.rating) for one in desk.log.disputes()] == [("64", 3)]


def test_a_question_is_flagged_put_aside_and_never_asked_again_by_keys(
    kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["choice"])
    assert "⚑" in play(desk, "space", "f")
    assert "until you resume it" in play(desk, "space", "x")
    assert "put aside until tomorrow" in play(desk, "space", "u", "b")
    [card] = desk.log.cards().values()
    assert (card.flagged, card.buried_day is not None, card.suspended) == (True, True, False)


def test_while_typing_the_letters_are_text_and_the_function_keys_act(
    kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["numeric"])
    play(desk, "space", "f", "b", "x")
    assert list(desk.log.history()) == []
    play(desk, "space", "f8")
    assert [card.suspended for card in desk.log.cards().values()] == [True]


@pytest.mark.parametrize(
    ("kind", "key", "told"),
    [
        ("choice", "d", "← right"),
        ("several", "d", "← right"),
        ("numeric", "ctrl+g", "Answer  128"),
        ("shape", "ctrl+g", "Answer  (2, 4, 7, 16)"),
        ("stage", "d", "The sizes do not match."),
        ("text", "ctrl+g", "Answer  latent"),
        ("order", "d", "1. one"),
    ],
)
def test_who_does_not_know_is_shown_the_answer_by_one_key(
    kind: str, key: str, told: str, kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds[kind])
    seen = play(desk, "space", *(["1"] if key == "d" else []), key)
    assert "✗ Wrong" in seen
    assert "passed on it" in seen
    assert told in seen
    assert "›1 Again" in seen
    assert "I disagree" not in seen
    assert "picked" not in seen
    play(desk, "space", key, "enter")
    kept = list(desk.log.reviews())[-1]
    assert (kept.typed, kept.verdict, kept.rating, kept.misconception) == ("", "wrong", 1, None)


def test_who_types_no_number_is_told_the_key_for_not_knowing(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"])
    for typed in ("=", "=idk"):
        assert "Ctrl+G if you do not know." in " ".join(play(desk, "space", typed, "enter").split())
    assert "if you do not know" not in play(desk, "space", "=12 14", "enter")


def test_before_a_point_is_ticked_enter_brings_the_points_in_sight_and_saves_nothing(
    kinds: Kinds, make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk({**kinds["open"], "approach": "Because.\n" * 40})
    below = play(desk, "space", "space", size=(60, 18))
    assert "Tick what you said" in below
    assert "Cache" not in below
    assert "Save, next" not in below
    seen = play(desk, "space", "space", "enter", size=(60, 18))
    assert "a ○ Cache" in seen
    assert list(desk.log.reviews()) == []


def test_a_tick_keeps_a_long_list_of_points_where_it_is(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    points = [{"point": f"Point {number} " + "and so on " * 12} for number in range(1, 8)]
    desk = make_desk({**kinds["open"], "rubric": points})
    seen = play(desk, "space", "space", "enter", *(9 * ["down"]), "d", size=(60, 18))
    assert "d ✓ Point 4" in seen
    assert "Point 1" not in seen


def test_the_bar_names_as_many_keys_as_there_are_options(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    assert "a–b Tick" in play(make_desk(kinds["open"]), "space", "space")
    assert "1–3 Pick" in play(make_desk(kinds["several"]), "space")
    assert "1–7 Pick" in play(make_desk(kinds["stage"]), "space")


def test_the_bar_offers_a_hint_only_while_there_is_one(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"])
    assert "F2 Hint" in play(desk, "space", "f2")
    assert "F2 Hint" not in play(desk, "space", "f2", "f2")


def test_the_bar_offers_more_only_while_there_is_more_below(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk({**kinds["card"], "back": "Long.\n" * 30})
    assert "PgDn More" in play(desk, "space", "space")
    assert "PgDn More" not in play(desk, "space", "space", "pagedown", "pagedown", "pagedown")
    assert "PgDn More" in play(desk, "space", "space", "pagedown", "pagedown", "pagedown", "up")
    assert "PgDn More" not in play(desk, "space", "space", "+80x60")
    assert "PgDn More" in play(desk, "space", "space", "+80x60", "+80x24")


def test_a_disputed_answer_shows_as_such_and_how_to_take_it_back(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"])
    seen = play(desk, "space", "=64", "enter", "d")
    assert "you disagree" in seen
    assert "✗ Wrong" not in seen
    assert "d takes this back" in seen
    assert "d I disagree" not in seen
    assert "✗ Wrong" in play(desk, "space", "=64", "enter", "d", "d")


def test_an_answered_question_is_not_left_any_more(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    desk = make_desk(kinds["numeric"], kinds["text"])
    assert "2 left" in play(desk, "space")
    assert "1 left" in play(desk, "space", "=7", "enter")
    assert "1 left, 1 again" in play(desk, "space", "=7", "enter", "enter")


def test_the_head_calls_a_kind_as_packs_do(kinds: Kinds, make_desk: MakeDesk, play: Play) -> None:
    for kind in ("card", "choice", "numeric", "shape", "stage", "text", "order", "open"):
        assert f"{kind} · screen" in play(make_desk(kinds[kind]), "space")


def test_who_misses_a_question_again_and_again_is_told_its_lesson_and_the_keys(
    kinds: Kinds, lesson: dict[str, Any], make_desk: MakeDesk, play: Play
) -> None:
    desk = make_desk(kinds["text"] | {"lesson": "width"}, lessons=(lesson,))
    often = 4 * ["ctrl+g", "enter"]
    seen = " ".join(play(desk, "space", *often).split())
    assert "F7 puts it aside until tomorrow, F8 for good. F5 reads its lesson: The width." in seen
    assert "Missed" not in play(desk, "space", *often[2:])


def test_what_an_earlier_sitting_did_is_taken_back_with_its_day(
    kinds: Kinds, make_desk: MakeDesk, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make_desk(kinds["choice"], kinds["text"])
    play(desk, "space", "1", "enter", "enter")
    assert "Took back" not in play(desk, "space")
    monkeypatch.setenv("QUIZ_NOW", "2026-12-02T12:00:00+00:00")
    assert "Took back trial/a-choice, answered on 29 November." in play(desk, "space", "f4")
