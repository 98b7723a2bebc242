"""Faults of what an environment says about itself."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from faulty_environments.tank import AGE, FLOW, LEVEL, Tank
from phytotron.core.environment import Environment
from phytotron.core.presentation import Presentation
from phytotron.core.spaces import Box


class Nameless(Tank):
    id = "Tank"


class Infinite(Tank):
    action_space = Box(np.array([0.0]), np.array([np.inf]), ("flow",))


class Undescribed(Tank):
    fields = {"observation": (LEVEL,), "action": (FLOW, FLOW)}  # noqa: RUF012


class Misnamed(Tank):
    fields = {"observation": (AGE, LEVEL), "action": (FLOW,)}  # noqa: RUF012


class Worded(Tank):
    @property
    def default_params(self) -> Any:
        return {"leak": 0.1, "colour": "red"}


class Keyed(Tank):
    @property
    def default_params(self) -> Any:
        return {"leak": 0.1, "draws": {"key": jax.random.key(0)}}


class AsMethods(Tank):
    def episode_steps(self) -> Any:  # type: ignore[override]
        return 5

    def presentation(self) -> Any:
        return Presentation("Tank")


class Foreign:
    """No environment at all."""

    id = "test/Foreign-v0"


class Instant(Tank):
    episode_steps = 0


class Halved(Tank):
    episode_steps = 2.5  # type: ignore[assignment]


class Unspaced(Tank):
    action_space = None  # type: ignore[assignment]


class Mistitled(Tank):
    presentation = "Tank"  # type: ignore[assignment]
    measures = ("filled",)  # type: ignore[assignment]
    channels = (LEVEL,)  # type: ignore[assignment]


class Ungrouped(Tank):
    """Without a description of its actions, from which their space follows."""

    fields = {"observation": (LEVEL, AGE)}  # noqa: RUF012
    action_space = Environment.action_space


class Untyped(Ungrouped):
    fields = {"observation": (LEVEL, AGE), "action": (("flow", 0.0, 10.0),)}  # type: ignore[dict-item]  # noqa: RUF012


FAULTS: dict[str, list[tuple[type[Any], str]]] = {
    "interface": [
        (AsMethods, "episode_steps is a method; make it a property"),
        (AsMethods, "presentation is a method; make it a property"),
        (Foreign, "Foreign is no Environment; derive the class from phytotron"),
        (Mistitled, r"^presentation holds a str; give a phytotron\.core\.presentation\.Presentation$"),
        (Mistitled, r"^measures holds a str; give a tuple of phytotron\.core\.outcomes\.Measure$"),
        (Mistitled, r"^channels holds a Quantity; give a tuple of phytotron\.core\.presentation\.Channel$"),
    ],
    "identity": [(Nameless, r"id is 'Tank'; .*'owner/Name-v0'")],
    "spaces": [
        (Unspaced, "action_space is None; give a Box or Discrete"),
        (Infinite, r"actions lie between .*inf.*finite bounds"),
        (Ungrouped, "^fields does not describe the action; give it, as 'action', one .*Quantity for each"),
        (Untyped, "^fields does not describe the action; give it, as 'action', one .*Quantity for each"),
    ],
    "fields": [
        (Undescribed, r"fields\['observation'\] has 1 quantities; .* 2 in all"),
        (Undescribed, r"fields\['action'\] has 'flow' 2 times"),
        (Misnamed, r"fields\['observation'\] and observation_space.names differ"),
    ],
    "parameters": [
        (Worded, r"default_params\['colour'\] is a str; keep numbers"),
        (Keyed, r"default_params\['draws'\]\['key'\] is a random key, .*; keep the numbers jax.random.key_data"),
    ],
    "episode_steps": [
        (Instant, "episode_steps is 0; give a whole number of steps, 1 or more"),
        (Halved, "episode_steps is 2.5; give a whole number"),
    ],
}
