"""TOML files that cannot be read are named, with what is wrong and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from phytotron.core.errors import DataFileError
from phytotron.core.toml_files import read_toml


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a = ", "is not a list in TOML: .*; write one"),
        (b"a = '\xff'", "is not text in UTF-8; save it as UTF-8"),
        (b"a = " + b"[" * 100_000, "is nested too deeply; write one"),
        (b"a = " + b"1" * 5_000, "is not a list in TOML: .*; write one"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_bytes(content)
    with pytest.raises(DataFileError, match=f"list.toml: {says}"):
        read_toml(path, "a list", "write one")


def test_tables_are_read_and_a_missing_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "list.toml").write_text("[a]\nµ = 1\n".replace("µ", '"µ"'), encoding="utf-8")
    assert read_toml(tmp_path / "list.toml", "a list", "write one") == {"a": {"µ": 1}}
    with pytest.raises(DataFileError, match=r"none.toml: cannot be read \(No such file or directory\); write one"):
        read_toml(tmp_path / "none.toml", "a list", "write one")
