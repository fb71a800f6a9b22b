from pathlib import Path

import pytest

from quiz.errors import StorageError
from quiz.memory.model import DEFAULT_WEIGHTS
from quiz.memory.personal import FILE, Personal, load_personal, save_personal


def test_weights_are_kept(tmp_path: Path) -> None:
    assert load_personal(tmp_path) == Personal()
    kept = Personal(DEFAULT_WEIGHTS, (0.3, *DEFAULT_WEIGHTS[1:]))
    save_personal(tmp_path, kept)
    assert load_personal(tmp_path) == kept


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"weights": [1], "previous": null}', '{"weights": 3, "previous": 1}']
)
def test_a_file_that_holds_none_is_said_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(StorageError, match="delete it"):
        load_personal(tmp_path)
