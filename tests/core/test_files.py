"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from phytotron.core.files import sha256, write_bytes, write_text


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_that_cannot_be_finished_leaves_the_one_before(
    durable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "folder" / "page.html"
    write_text(target, "first µ", durable)
    assert target.read_text(encoding="utf-8") == "first µ"

    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_bytes(target, b"second", durable)
    assert target.read_text(encoding="utf-8") == "first µ"


def test_the_checksum_is_sha256() -> None:
    assert sha256(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
