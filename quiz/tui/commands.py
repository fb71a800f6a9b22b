"""Every command, once: its id, keys, label, help and where it applies. Bindings, key bar, help and palette read it."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias, get_args

from textual.binding import Binding

Place: TypeAlias = Literal[
    "home",
    "picking",  # a question whose answer is picked by digits
    "typing",  # a question whose answer is typed; letters and digits belong to the text
    "recalling",  # a flashcard or an interviewer's question: said aloud, then compared
    "marked",
    "rubric",  # the answer to an interviewer's question is on screen, its points to be ticked
    "finished",
    "lessons",
    "lesson",
    "aside",  # a lesson opened from a question
    "progress",
    "interview",
    "help",
]
PLACES: tuple[Place, ...] = get_args(Place)
ASKING: tuple[Place, ...] = ("picking", "typing", "recalling")
MARKED: tuple[Place, ...] = ("marked", "rubric")
STUDY: tuple[Place, ...] = (*ASKING, *MARKED, "finished")
READING: tuple[Place, ...] = ("lesson", "aside", "progress", "help")

_NAMES = {
    "space": "Space",
    "enter": "Enter",
    "escape": "Esc",
    "backspace": "⌫",
    "question_mark": "?",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
}


# An option is picked by a digit, a point ticked by a letter.
MOST_OPTIONS = 9


class Command(NamedTuple):
    """One command. ``id`` is also the action; ``each`` hands the action the key that was pressed, one for each option
    on screen; ``face`` is shown for the keys where there are many; ``quiet`` keeps it out of the key bar."""

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    where: tuple[Place, ...]
    each: bool = False
    face: str = ""
    quiet: bool = False

    def key_at(self, place: Place, options: int = MOST_OPTIONS) -> str:
        """The key to show for it there: where text is typed, one that the text does not swallow; where each option has
        a key, the first to the last of so many."""
        if self.face:
            return self.face
        if self.each:
            first, *others = self.keys[:options]
            return f"{first}–{others[-1]}" if others else first
        live = [key for key in self.keys if not (place == "typing" and is_printable(key))]
        return key_name(live[0])


_DIGITS = tuple("123456789")
COMMANDS: tuple[Command, ...] = (
    Command("study_all", ("space", "s"), "Study", "Study all that is due", ("home",)),
    Command("study_topic", ("enter",), "This topic", "Study the topic under the cursor", ("home",)),
    Command("previous", ("up", "k"), "Up", "Move up", ("home", "lessons"), quiet=True, face="↑ k"),
    Command("next", ("down", "j"), "Down", "Move down", ("home", "lessons"), quiet=True, face="↓ j"),
    Command("lessons", ("l",), "Lessons", "Read the lessons of the topic under the cursor", ("home",)),
    Command("progress", ("p",), "Progress", "See your progress", ("home",)),
    Command("interview", ("i",), "Interview", "Set the day of your interview, and see what you will know then",
            ("home",)),
    Command("keep", ("enter",), "Keep", "Keep this day as your interview's: all study then works toward it",
            ("interview",)),
    Command("day_earlier", ("left", "h"), "Day", "Look at the day before", ("interview",)),
    Command("day_later", ("right", "l"), "Day", "Look at the next day", ("interview",)),
    Command("week_earlier", ("up", "k"), "Week", "Look a week earlier", ("interview",)),
    Command("week_later", ("down", "j"), "Week", "Look a week later", ("interview",)),
    Command("forget", ("x",), "Forget", "Have no interview any more; Enter then sets it again", ("interview",)),
    Command("open", ("enter", "space"), "Read", "Read the lesson under the cursor", ("lessons",)),
    Command("pick", _DIGITS, "Pick", "Pick an answer, or the next item in order", ("picking",), each=True),
    Command("unpick", ("backspace",), "Take back", "Take back the last pick", ("picking",)),
    Command("submit", ("enter", "space"), "Answer", "Give your answer", ("picking",)),
    Command("submit", ("enter",), "Answer", "Give your answer", ("typing",)),
    Command("submit", ("space", "enter"), "Show", "Show the other side", ("recalling",)),
    Command("pass_on", ("d", "ctrl+g"), "Don't know",
            "Say that you do not know: shows the answer, and counts as a miss", ("picking", "typing")),
    Command("tick", tuple("abcdefghi"), "Tick", "Tick a point you made", ("rubric",), each=True),
    Command("accept", ("enter", "space"), "Save, next", "Save under the marked rating and go on", MARKED),
    Command("rate", tuple("1234"), "Rate", "Save under another rating and go on", MARKED, each=True, face="1–4"),
    Command("disagree", ("d",), "I disagree", "Hold that the mark is wrong: your own rating counts, and it is noted",
            ("marked",)),
    Command("hint", ("h", "f2"), "Hint", "Show a hint", ASKING),
    Command("skip", ("s", "f3"), "Skip", "Put the question at the end of the sitting", ASKING),
    Command("undo", ("u", "f4"), "Undo", "Take back the last answer", STUDY),
    Command("lesson", ("l", "f5"), "Lesson", "Read the lesson behind the question", (*ASKING, *MARKED)),
    Command("flag", ("f", "f6"), "Flag", "Flag the question, or take its flag away", (*ASKING, "marked"), quiet=True),
    Command("flag", ("f6",), "Flag", "Flag the question, or take its flag away", ("rubric",), quiet=True),
    Command("bury", ("b", "f7"), "Not today", "Put the question aside until tomorrow", (*ASKING, "marked"), quiet=True),
    Command("bury", ("f7",), "Not today", "Put the question aside until tomorrow", ("rubric",), quiet=True),
    Command("suspend", ("x", "f8"), "Never",
            "Do not ask the question again; `quiz progress` names it, and how to resume",
            (*ASKING, *MARKED), quiet=True),
    Command("known", ("K", "f9"), "I know this", "Take the question as known, without an answer",
            ASKING, quiet=True),
    Command("reset", ("R", "f10"), "Start over", "Make the question new again", (*ASKING, *MARKED), quiet=True),
    Command("home", ("enter", "space", "escape", "q"), "Home", "Go home", ("finished",)),
    Command("more", ("m",), "More", "Go on: more new questions, or what comes back next, ahead of time",
            ("finished",)),
    Command("go_on", ("c",), "Continue", "Ask now what would come back in a few minutes", ("finished",)),
    Command("study_lesson", ("s",), "Practise", "Study the questions of this lesson", ("lesson",)),
    Command("study_weakest", ("s",), "Weakest", "Study the topic of your weakest question", ("progress",)),
    Command("read_weakest", ("l",), "Its lesson", "Read the lesson of your weakest question", ("progress",)),
    Command("next_lesson", ("n",), "Next", "Read the next lesson", ("lesson",)),
    Command("line_down", ("down", "j"), "Scroll", "Scroll down", (*ASKING, *MARKED, *READING), face="↓ j", quiet=True),
    Command("line_up", ("up", "k"), "Scroll", "Scroll up", (*ASKING, *MARKED, *READING), face="↑ k", quiet=True),
    Command("page_down", ("pagedown", "ctrl+d"), "More", "Scroll a page down", (*MARKED, *READING)),
    Command("page_down", ("pagedown",), "More", "Scroll a page down", (*ASKING, "interview")),
    Command("page_up", ("pageup", "ctrl+u"), "Page", "Scroll a page up", (*MARKED, *READING), quiet=True),
    Command("page_up", ("pageup",), "Page", "Scroll a page up", (*ASKING, "interview"), quiet=True),
    Command("top", ("home", "g"), "Top", "Go to the top", READING, quiet=True),
    Command("bottom", ("end", "G"), "End", "Go to the end", READING, quiet=True),
    Command("leave", ("escape", "q"), "Home", "Go home; an answer that was marked is saved", (*ASKING, *MARKED)),
    Command("back", ("escape", "q"), "Back", "Go back", ("lessons", "lesson", "aside", "progress", "interview")),
    Command("back", ("escape", "q", "question_mark", "f1"), "Back", "Go back", ("help",)),
    Command("theme", ("t",), "Theme", "Change between dark and light",
            tuple(p for p in PLACES if p != "typing"), quiet=True),
    Command("help", ("question_mark", "f1"), "Help", "Show the keys", tuple(p for p in PLACES if p != "help")),
    Command("quit", ("q", "ctrl+q"), "Quit", "Leave the quiz", ("home",)),
    Command("quit", ("ctrl+q",), "Quit", "Leave the quiz; an answer that was marked is saved",
            tuple(p for p in PLACES if p != "home"), quiet=True),
    Command("suspend_process", ("ctrl+z",), "Suspend", "Go back to the shell; fg returns", PLACES, quiet=True),
)  # fmt: skip
ON_THE_APP = frozenset({"theme", "help", "quit", "suspend_process"})


def commands_at(place: Place) -> Iterator[Command]:
    """The commands that apply there, most useful first."""
    return (command for command in COMMANDS if place in command.where)


def applies(action: str, place: Place) -> bool:
    """Whether the action may run there; an action that is no command of ours always may."""
    rows = [command for command in COMMANDS if command.id == action]
    return not rows or any(place in command.where for command in rows)


def bindings(places: Iterable[Place]) -> list[Binding]:
    """The key bindings of a screen that has these places."""
    wanted = set(places)
    rows = [command for command in COMMANDS if wanted & set(command.where) and command.id not in ON_THE_APP]
    return [binding for command in rows for binding in _bindings(command)]


def app_bindings() -> list[Binding]:
    """The key bindings that hold on every screen; which of them apply, the screen's place decides."""
    rows = [command for command in COMMANDS if command.id in ON_THE_APP]
    return [binding for command in rows for binding in _bindings(command)]


def is_printable(key: str) -> bool:
    """Whether a text field would take the key as text."""
    return len(key) == 1 or key in ("space", "question_mark")


def key_name(key: str) -> str:
    """The key as people know it."""
    if key.startswith("ctrl+"):
        return f"Ctrl+{key[5:].upper()}"
    return _NAMES.get(key, key.upper() if key.startswith("f") and key[1:].isdigit() else key)


def _bindings(command: Command) -> Iterator[Binding]:
    for key in command.keys:
        action = f"{command.id}({key!r})" if command.each else command.id
        # ctrl+q and ctrl+z work whatever has the focus.
        yield Binding(key, action, command.label, show=False, priority=key in ("ctrl+q", "ctrl+z"))
