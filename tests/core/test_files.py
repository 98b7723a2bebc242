"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import zipfile
from pathlib import Path

import pytest

from phytotron.core.files import DAMAGED, UnwritableError, sha256, write_bytes, write_text, writing


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_that_cannot_be_finished_leaves_the_one_before(
    durable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "folder" / "page.html"
    write_text(target, "first µ", durable)
    assert target.read_text(encoding="utf-8") == "first µ"

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(
        UnwritableError, match=r"page.html: cannot be written \(No space left on device\); free some space"
    ):
        write_bytes(target, b"second", durable)
    assert target.read_text(encoding="utf-8") == "first µ" and list(target.parent.iterdir()) == [target]


def test_a_place_where_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UnwritableError, match=r"page.html: cannot be written \(.*\); choose another place"):
        write_text(tmp_path / "file" / "page.html", "text")
    with pytest.raises(UnwritableError, match="its folder has disappeared"), writing(tmp_path / "gone" / "page.html"):
        (tmp_path / "gone" / "page.html").open("a")


def test_the_checksum_is_sha256() -> None:
    assert sha256(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_damaged_packing_of_any_kind_is_foreseen(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("values.npy", bytes(range(256)) * 40)
    whole = bytearray(path.read_bytes())
    begin = 30 + len("values.npy") + 12  # within the packed data, after the header of the member
    whole[begin : begin + 20] = b"\xff" * 20
    path.write_bytes(bytes(whole))
    with pytest.raises(DAMAGED), zipfile.ZipFile(path) as archive:
        archive.read("values.npy")
