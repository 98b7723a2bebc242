"""Units that a file states beside its values, where they can be understood."""

from __future__ import annotations

import re

from phytotron.crop_files.source import Source

# Only these are compared: mistaking one for another is what happens, and their spelling leaves no doubt.
COMPARED = {"cm", "m", "mm", "cm d-1", "m d-1", "mm d-1", "kg ha-1", "g m-2", "ha kg-1", "m2 g-1", "m2 kg-1"}


def check_unit(source: Source, key: str, expected: str) -> None:
    """Refuse a value whose stated unit is another one than its key has."""
    stated = re.sub(r"[.\s]+", " ", source.values[key].unit.strip().lower())
    if stated in COMPARED and expected in COMPARED and stated != expected:
        problem = f"is stated in {stated}, although {key} is in {expected}"
        raise source.error(key, problem, f"convert the value to {expected}")
