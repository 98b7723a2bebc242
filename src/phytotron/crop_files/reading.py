"""Reading a crop parameter file of whatever format."""

from __future__ import annotations

import re
from pathlib import Path

from phytotron.core.errors import DataFileError
from phytotron.crop_files.keyed_lines import read_cabo, read_ini, read_pcse
from phytotron.crop_files.source import LARGEST_FILE, Source, line_error
from phytotron.crop_files.wofost_yaml import read_yaml

FORMATS = "CABO (KEY = value, ** comments), PCSE (KEY = [...], # comments), WOFOST YAML, INI (sections)"


def read_source(path: Path, variety: str | None = None) -> Source:
    """Read a file; its format is recognised by what is in it. `variety` is for YAML files with several."""
    text = file_text(path)
    if re.search(r"(?m)^CropParameters\s*:", text) or path.suffix.lower() in (".yaml", ".yml"):
        return read_yaml(path, text, variety)
    if variety is not None:
        raise DataFileError(path, "is no YAML file of WOFOST and has no varieties", "leave --variety away")
    if not re.search(r"(?m)^\s*[A-Za-z_]\w*\s*=", text):
        raise DataFileError(path, "is no crop parameter file of a known format", f"known: {FORMATS}")
    if re.search(r"(?m)^\s*\[[^\]=,]*[A-Za-z][^\]=]*\]\s*$", text):
        return read_ini(path, text)
    if re.search(r"(?m)^\s*\w+\s*=\s*[\[(]|^\s*(\"{3}|'{3})", text):
        return read_pcse(path, text)
    cabo = re.search(r"(?m)^\s*\*|^[^'\"\n#]*!", text) or not re.search(r"(?m)^[^'\"\n]*#", text)
    return read_cabo(path, text) if cabo else read_pcse(path, text)


def file_text(path: Path) -> str:
    """The text of a file, which must be UTF-8."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise DataFileError(path, "is too large for a crop file", "give the file of one crop")
        data = path.read_bytes()
    except OSError as error:
        raise DataFileError(path, f"cannot be read ({error.strerror})", "give the path of a crop file") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise line_error(path, line, "is not UTF-8", "save the file as UTF-8") from None
    if "\0" in text:
        raise DataFileError(path, "is not text", f"give a crop parameter file: {FORMATS}")
    if not text.strip():
        raise DataFileError(path, "is empty", f"give a crop parameter file: {FORMATS}")
    return text
