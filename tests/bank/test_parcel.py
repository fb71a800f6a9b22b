"""What is handed over for installing: files, folders, and zips from strangers."""

import os
import stat
import struct
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.bank import parcel
from quiz.bank.parcel import open_parcel
from quiz.errors import UsageError


def zip_of(path: Path, *members: tuple[str | ZipInfo, bytes], method: int = ZIP_STORED) -> Path:
    with ZipFile(path, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def member(name: str, mode: int) -> ZipInfo:
    info = ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def test_a_file_is_taken_as_it_is_whatever_its_name(tmp_path: Path) -> None:
    file = tmp_path / "pack.txt"
    file.write_bytes(b"\xff anything")
    assert [(item.name, item.content) for item in open_parcel(file)] == [(str(file), b"\xff anything")]


def test_a_folder_gives_its_packs_by_name(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "models.yaml", "README.md"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    assert [item.content for item in open_parcel(tmp_path)] == [b"a.yml", b"b.yaml"]


def test_a_link_that_leads_out_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("x", encoding="utf-8")
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "a.yaml").symlink_to(tmp_path / "secret.yaml")
    with pytest.raises(UsageError, match="leads out of the folder"):
        open_parcel(folder)


def test_a_zip_gives_its_packs_from_any_depth_and_passes_over_the_rest(tmp_path: Path) -> None:
    file = zip_of(
        tmp_path / "packs.zip",
        ("set/", b""),
        ("set/a.yaml", b"a"),
        ("b.yml", b"b"),
        ("set/README.md", b"r"),
        ("set/models.yaml", b"m"),
        ("__MACOSX/set/a.yaml", b"x"),
        ("set/._a.yaml", b"x"),
    )
    assert [(item.name, item.content) for item in open_parcel(file)] == [
        (f"{file}/set/a.yaml", b"a"),
        (f"{file}/b.yml", b"b"),
    ]


def test_a_zip_is_known_by_its_bytes_too(tmp_path: Path) -> None:
    file = zip_of(tmp_path / "download", ("a.yaml", b"a"))
    assert [item.content for item in open_parcel(file)] == [b"a"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../a.yaml", "leads out"),
        ("set/../../a.yaml", "leads out"),
        ("/etc/a.yaml", "absolute"),
        ("C:/a.yaml", "absolute"),
        ("..\\a.yaml", "backslashes"),
        ("\\\\host\\a.yaml", "backslashes"),
        ("a\x1b[2J.yaml", "control characters"),
        ("a.yaml\x00.txt", "control characters"),
        ("../README.md", "leads out"),
    ],
)
def test_a_name_that_could_write_elsewhere_is_refused(tmp_path: Path, name: str, why: str) -> None:
    info = ZipInfo("x")
    info.filename = name
    file = zip_of(tmp_path / "packs.zip", ("good.yaml", b"good"), (info, b"bad"))
    with pytest.raises(UsageError, match=why):
        open_parcel(file)


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        (stat.S_IFLNK | 0o777, "is a link"),
        (stat.S_IFCHR | 0o666, "neither a file"),
        (stat.S_IFBLK | 0o666, "neither a file"),
        (stat.S_IFIFO | 0o666, "neither a file"),
        (stat.S_IFSOCK | 0o666, "neither a file"),
    ],
)
def test_links_and_devices_in_a_zip_are_refused(tmp_path: Path, mode: int, why: str) -> None:
    file = zip_of(tmp_path / "packs.zip", (member("a.yaml", mode), b"/etc/passwd"))
    with pytest.raises(UsageError, match=why):
        open_parcel(file)


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    file = zip_of(tmp_path / "packs.zip", ("a.yaml", b"a"))
    content = bytearray(file.read_bytes())
    entry = content.index(b"PK\x01\x02")
    content[entry + 8] |= 1
    file.write_bytes(content)
    with pytest.raises(UsageError, match="is encrypted"):
        open_parcel(file)


def test_a_huge_member_is_refused_by_its_stated_size(tmp_path: Path) -> None:
    file = zip_of(tmp_path / "packs.zip", ("a.yaml", os.urandom(2**12) * (16 * 2**8 + 1)))
    with pytest.raises(UsageError, match="over 16 MB"):
        open_parcel(file)


def test_a_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    file = zip_of(tmp_path / "packs.zip", ("a.yaml", b"\0" * (8 * 2**20)), method=ZIP_DEFLATED)
    assert file.stat().st_size < 2**14
    with pytest.raises(UsageError, match="200 times its size"):
        open_parcel(file)


def test_many_members_that_are_huge_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "LARGEST_TOTAL", 25)
    assert len(open_parcel(zip_of(tmp_path / "two.zip", ("a.yaml", b"a" * 12), ("b.yaml", b"b" * 12)))) == 2
    with pytest.raises(UsageError, match="together"):
        open_parcel(zip_of(tmp_path / "three.zip", *((f"{n}.yaml", b"a" * 12) for n in range(3))))


def test_too_many_members_are_refused(tmp_path: Path) -> None:
    file = zip_of(tmp_path / "packs.zip", *((f"{number}.txt", b"") for number in range(1001)))
    with pytest.raises(UsageError, match="more than 1,000 files"):
        open_parcel(file)


def test_a_member_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    file = zip_of(tmp_path / "packs.zip", ("a.yaml", b"a" * 2**16), method=ZIP_DEFLATED)
    content = bytearray(file.read_bytes())
    struct.pack_into("<L", content, content.index(b"PK\x01\x02") + 24, 5)
    file.write_bytes(content)
    with pytest.raises(UsageError, match="damaged"):
        open_parcel(file)


def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    buffer = BytesIO()
    with ZipFile(buffer, "w") as archive:
        archive.writestr("a.yaml", b"1")
        archive.writestr("b.yaml", b"2")
    file = tmp_path / "packs.zip"
    file.write_bytes(buffer.getvalue().replace(b"b.yaml", b"a.yaml"))
    with pytest.raises(UsageError, match="twice"):
        open_parcel(file)


def test_an_unusual_compression_is_refused(tmp_path: Path) -> None:
    file = zip_of(tmp_path / "packs.zip", ("a.yaml", b"a" * 100), method=ZIP_BZIP2)
    with pytest.raises(UsageError, match="deflate"):
        open_parcel(file)


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("missing", "there is no file"),
        ("empty folder", "there is no pack"),
        ("empty zip", "there is no pack"),
        ("no zip", "is no zip"),
        ("pipe", "neither a file nor a folder"),
        ("large", "over 16 MB"),
    ],
)
def test_what_holds_no_pack_says_so(tmp_path: Path, what: str, why: str) -> None:
    path = tmp_path / "it.zip"
    match what:
        case "empty folder":
            path.mkdir()
        case "empty zip":
            zip_of(path, ("README.md", b""))
        case "no zip":
            path.write_bytes(b"format: 1")
        case "pipe":
            os.mkfifo(path)
        case "large":
            path = tmp_path / "it.yaml"
            with path.open("wb") as file:
                file.truncate(16 * 2**20 + 1)
    with pytest.raises(UsageError, match=why):
        open_parcel(path)


@given(st.data())
def test_a_damaged_zip_gives_packs_or_a_clear_refusal(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = zip_of(tmp_path_factory.mktemp("zip") / "packs.zip", ("a.yaml", b"a" * 300), method=ZIP_DEFLATED)
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    try:
        items = open_parcel(file)
    except UsageError:
        return
    assert all(isinstance(item.content, bytes) for item in items)
