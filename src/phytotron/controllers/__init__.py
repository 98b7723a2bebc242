"""Controllers: rules, schedules and policies behind one interface, compiled and batched like the environments."""

from phytotron.controllers.base import Constant, Controller, FromFunction, Random, Replay
from phytotron.controllers.greenhouse import RuleBased
from phytotron.controllers.registry import CONTROLLERS, make_controller

__all__ = [
    "CONTROLLERS",
    "Constant",
    "Controller",
    "FromFunction",
    "Random",
    "Replay",
    "RuleBased",
    "make_controller",
]
