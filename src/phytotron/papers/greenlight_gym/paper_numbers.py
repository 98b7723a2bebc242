"""Numbers of the paper that our results are put beside.

van Laatum, van Henten and Boersma, GreenLight-Gym: A Reinforcement Learning Benchmark Environment for Greenhouse Crop
Production Control.
"""

from __future__ import annotations

from types import MappingProxyType

PAPER = "van Laatum, van Henten and Boersma, GreenLight-Gym"

# Table 9: by sampling time [s] and state, the mean of the rRMSE over twelve cycles and the 95 % interval [%].
TABLE9 = MappingProxyType(
    {
        0.5: {"co2Air": (0.58, 0.28), "tAir": (1.45, 0.32), "vpAir": (1.70, 0.37), "cFruit": (0.02, 0.02)},
        1.0: {"co2Air": (0.57, 0.27), "tAir": (1.45, 0.32), "vpAir": (1.71, 0.37), "cFruit": (0.02, 0.02)},
        2.0: {"co2Air": (0.57, 0.27), "tAir": (1.45, 0.32), "vpAir": (1.70, 0.37), "cFruit": (0.02, 0.02)},
    }
)

# Section 4.2: the largest falls [%] for control intervals up to an hour, against one of 2 s.
FIGURE2_PROFIT_FALL = -6.6
FIGURE2_PROFIT_SMALL = (400, -1.0)  # below so many seconds the change is smaller than this
FIGURE2_WITHIN_FALL = MappingProxyType({"co2": -41.2, "humidity": -11.0, "temperature": -3.1})

# Table 11, rule-based: profit [€ m-2] and time within bounds [%].
TABLE11 = MappingProxyType(
    {
        "validation": {"profit": 3.97, "co2": 99.9, "temperature": 99.9, "humidity": 83.1},
        "test": {"profit": 3.88, "co2": 99.9, "temperature": 99.9, "humidity": 84.1},
    }
)
TABLE11_TEST_PROFIT_INTERVAL = 0.15  # section 4.5
