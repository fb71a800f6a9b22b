"""Where things live: the shipped packs and the learner's own folder."""

import os
from pathlib import Path

from quiz.errors import StorageError


def content_dir() -> Path:
    """The folder of shipped packs: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "content"
    return installed if installed.is_dir() else package.parent / "content"


def data_dir(home: Path | None = None) -> Path:
    """The learner's folder: ``home`` if given, else ``QUIZ_HOME``, else where the platform keeps user data."""
    chosen = os.environ.get("QUIZ_HOME") if home is None else str(home)
    if chosen:
        return Path(os.path.expanduser(chosen))  # noqa: PTH111 - Path.expanduser raises for users that do not exist
    import platformdirs  # only asked for when nothing was chosen: its import is not free

    return Path(platformdirs.user_data_dir("attention-quiz", appauthor=False))


def database(data: Path) -> Path:
    """The one SQLite file that holds the review log; where it is a link, the file that it leads to, for what SQLite
    and backups keep beside it lies there.

    Raises:
        StorageError: it leads to a folder that is not there.
    """
    path = data / "quiz.db"
    if not path.is_symlink():
        return path
    file = Path(os.path.realpath(path))
    if not file.parent.is_dir():
        raise StorageError(
            f"{path} is a link to {file}, and that folder is not there; bring it back (is its disk connected?) or"
            " remove the link"
        )
    return file


def installed_packs_dir(data: Path) -> Path:
    """Where ``quiz pack add`` puts packs."""
    return data / "packs"


def catalogue_cache(data: Path) -> Path:
    """The parsed packs, by content hash; may be deleted at any time."""
    return data / "catalogue.db"
