"""What is said of all tasks in a field, and the baseline that does nothing."""

from __future__ import annotations

from typing import Any

from phytotron.controllers.base import off
from phytotron.core.presentation import Contender, Presentation, Timeline
from phytotron.environments.field.task import FieldTask


def no_nitrogen(env: FieldTask[Any, Any]) -> Contender:
    """The baseline that gives nothing all season."""
    return Contender("no nitrogen", "the lowest action always", env, (off(env),))


def field_presentation(env: FieldTask[Any, Any], title: str, **others: Any) -> Presentation:
    """What pages say about a field whose measures are "nitrogen", "yield" and "applications", and `others` of it.

    Its channels are "total_dose" [kg ha-1] and "grain" [t ha-1] at least.
    """
    usual: dict[str, Any] = {
        "headline": ("return", "yield"),
        "learning": ("nitrogen", "yield"),
        "resources": ("nitrogen", "applications"),
        "product": "yield",
        "costs": {
            "nitrogen": ("nitrogen of the season above its limit", "kg ha-1"),
            "applications": ("applications of the season above their limit", ""),
        },
        "course": (
            ("total_dose", "nitrogen given so far", "kg ha-1"),
            ("grain", "grain", "t ha-1"),
            ("sum of return", "return so far", "g m-2"),
        ),
        "timeline": Timeline(env.interval, first=float(env.first_day + env.interval), calendar=True),
    }
    return Presentation(title, **usual | others)
