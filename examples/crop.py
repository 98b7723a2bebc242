"""A crop of one's own: white lupin, which differs from faba bean in some parameters, beside wheat on one field.

    python examples/crop.py lupin.toml

writes the crop file; `phytotron crop describe lupin.toml` shows it, and every option `crops` takes its path.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import phytotron
from phytotron.models.crops import CropFile, Entry, describe_crop, write_crop_file

SOURCE = "trial"
PLANT = {"maximum_root_depth": 1.1, "vegetative_temperature_sum": 820.0}  # m, °C d
HEIGHT = {"maximum": 0.9}  # m


def lupin() -> CropFile:
    """Faba bean with values from a trial of one's own, each with its source."""
    base = describe_crop("faba_bean").revised
    measured = {name: Entry(value, SOURCE, "mean of three years") for name, value in PLANT.items()}
    tall = {name: Entry(value, SOURCE) for name, value in HEIGHT.items()}
    return dataclasses.replace(
        base,
        name="lupin",
        description="White lupin",
        sources={**base.sources, SOURCE: "our field, 2019 to 2021"},
        plant={**base.plant, **measured},
        height={**base.height, **tall},
    )


def field_with(path: Path) -> Any:
    """Wheat and the crop of a file on one field."""
    return phytotron.make("phytotron/IntercropField-v1", crops=("spring_wheat", str(path)))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    write_crop_file(lupin(), target)
    grown = field_with(target).default_params.crops[1].plant
    print(f"wrote {target}: roots down to {grown.maximum_root_depth} m")
