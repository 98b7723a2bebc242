"""The common result of the readers of all formats: values by key, with the line on which each stands."""

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from phytotron.core.errors import DataFileError

LARGEST_FILE = 4_000_000  # bytes; real crop files have some 20 000

Content: TypeAlias = float | list[float] | str  # text where it should perhaps have been a number
# Only these are compared: mistaking one for another is what happens, and their spelling leaves no doubt.
COMPARED = {"cm", "m", "mm", "cm d-1", "m d-1", "mm d-1", "kg ha-1", "g m-2", "ha kg-1", "m2 g-1", "m2 kg-1"}


@dataclass(frozen=True)
class Given:
    """One value of a file."""

    value: Content
    line: int
    unit: str = ""  # as the file states it, in a comment or beside the value; empty where it does not


@dataclass(frozen=True)
class Source:
    """All values of one file; a key that is there more than once has its last value, and `repeated` has the others."""

    path: Path
    format: str
    values: dict[str, Given]
    repeated: dict[str, list[Given]] = field(default_factory=dict)

    def error(self, key: str, problem: str, remedy: str) -> DataFileError:
        """Return an error about a key."""
        return line_error(self.path, self.values[key].line, f"{key} {problem}", remedy)


def line_error(path: Path, line: int, problem: str, remedy: str) -> DataFileError:
    """Return an error about a line of a file."""
    return DataFileError(f"{path}, line {line}", problem, remedy)


def content(text: str) -> Content:
    """Return a number, or numbers with commas between them; text that is neither is left as it is."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
    numbers = [number(part) for part in parts]
    if any(each is None for each in numbers):
        return text.strip()
    found = [each for each in numbers if each is not None]
    return found[0] if len(found) == 1 else found


def number(text: str) -> float | None:
    """Return a finite number, or nothing; `float` alone would also take nan, inf and 1_000."""
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return None
    found = float(text)
    return found if math.isfinite(found) else None


def collected(path: Path, format: str, found: list[tuple[str, Given]]) -> Source:
    """Return a source from values in the order of the file."""
    values: dict[str, Given] = {}
    repeated: dict[str, list[Given]] = {}
    for key, given in found:
        if key in values and values[key].value != given.value:
            repeated.setdefault(key, []).append(values[key])
        values[key] = given
    if not values:
        raise DataFileError(path, "holds no parameters", "give a crop parameter file")
    return Source(path, format, values, repeated)


def check_unit(source: Source, key: str, expected: str) -> None:
    """Refuse a value whose stated unit is another one than its key has."""
    stated = re.sub(r"[.\s]+", " ", source.values[key].unit.strip().lower())
    if stated in COMPARED and expected in COMPARED and stated != expected:
        problem = f"is stated in {stated}, although {key} is in {expected}"
        raise source.error(key, problem, f"convert the value to {expected}")
