"""Controllers: one interface for rules, schedules and policies, compiled and batched like the environments.

Those of one task are in its folder, among its baselines.
"""

from phytotron.controllers.base import Constant, FromFunction, Random, Replay
from phytotron.controllers.registry import CONTROLLERS, controller_names, make_competitor, make_controller

__all__ = [
    "CONTROLLERS",
    "Constant",
    "FromFunction",
    "Random",
    "Replay",
    "controller_names",
    "make_competitor",
    "make_controller",
]
