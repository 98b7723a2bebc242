"""The numbers that the paper prints."""

from collections.abc import Mapping
from typing import NamedTuple

PAPER = "InterCropGym, intercropping expansion of CropGym"
BETA = 10.0  # of the published code


class Printed(NamedTuple):
    """Averages of 100 test episodes (section VI)."""

    reward: float
    first_yield: float  # g m-2
    second_yield: float  # g m-2
    fertiliser: float  # as printed; in kg ha-1 by the text, in the code g m-2 of both crops together


RESULTS: Mapping[str, Printed] = {
    "DDQN": Printed(-695.0, 20.64, 579.56, 64.44),
    "SAC": Printed(-372.29, 20.64, 579.52, 33.04),
    "PPO": Printed(-657.94, 20.64, 579.56, 60.76),
}
EPISODES = 100
