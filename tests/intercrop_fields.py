"""Fields of two crops for tests: wheat and a legume that differ in all that decides who gets what."""

from __future__ import annotations

from typing import Any

import numpy as np
from wheat_seasons import DAYS

from phytotron.models.crops import Crop
from phytotron.models.crops.crop import Height
from phytotron.models.intercropping.stand import FieldManagement, Stand, make_stand
from phytotron.models.lintul3 import load_parameters

EMERGENCE = (0.0, 100.0)


def cereal(**overrides: Any) -> Crop:
    return Crop(plant=load_parameters(**overrides), height=Height())


def legume(**overrides: Any) -> Crop:
    """A crop that fixes nitrogen, ripens in four months, roots less deeply and grows taller than wheat."""
    chosen = {"TSUM1": 800.0, "TSUM2": 900.0, "K": 0.8, "ROOTDI": 0.15, "ROOTDM": 0.9, "NFIXF": 0.8, "TRANCO": 6.0}
    return Crop(plant=load_parameters(**(chosen | overrides)), height=Height(initial=0.05, maximum=1.5, rate=0.008))


def pair(**options: Any) -> Stand:
    return make_stand((cereal(), legume()), **({"emergence": EMERGENCE} | options))


def farmed(seed: int = 0, *, largest: float = 6.0, irrigation: float = 0.0) -> FieldManagement:
    """Random doses, spread and banded, and random irrigation [mm] on one day in ten."""
    random = np.random.default_rng(seed + 2000)

    def now_and_then(most: float) -> Any:
        return np.where(random.random(DAYS) < 0.1, random.uniform(0.0, most, DAYS), 0.0)

    banded = np.stack([now_and_then(largest), now_and_then(largest)], axis=-1)
    return FieldManagement(nitrogen=now_and_then(largest), banded=banded, irrigation=now_and_then(irrigation))


def spread(nitrogen: Any = 0.0) -> FieldManagement:
    """The same dose every day, or one value per day, over the whole field."""
    return FieldManagement(nitrogen=np.zeros(DAYS) + nitrogen, banded=np.zeros(DAYS), irrigation=np.zeros(DAYS))
