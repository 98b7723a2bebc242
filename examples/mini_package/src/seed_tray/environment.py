"""An environment from outside the package: seedlings in a tray that is watered every morning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.environment import Environment, Measure
from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import Quantity
from phytotron.core.presentation import Baseline, Competitor, Presentation
from phytotron.core.spaces import Box
from seed_tray.controller import Refill

DEPTH = 50.0  # mm of soil
SEEDLINGS = {"growth": 0.2, "final_mass": 2.0, "wilting_point": 0.12, "comfort": 0.28}
OBSERVED = (
    Quantity("moisture", "w", "m3 m-3", "water content of the soil", 0.0, 0.5),
    Quantity("mass", "m", "g", "dry mass of a seedling", 0.0, 10.0),
    Quantity("day", "t", "d", "days since sowing", 0.0, 1000.0),
)
WATER = Quantity("water", "I", "mm", "water given in the morning", 0.0, 8.0)


def is_wilted(info: dict[str, Any]) -> Any:
    """Return whether the moisture was below the wilting point at the end of a day."""
    return info["costs"]["wilting"] > 0.0


class Tray(NamedTuple):
    """The state: everything that changes, in fixed dtypes."""

    moisture: Array
    mass: Array
    day: Array


@dataclass(frozen=True)
class SeedTray(Environment[Tray, dict[str, Any]]):
    """Grow seedlings with little water: one decision a day.

    Observation (3,): moisture [m3 m-3], mass [g], day [d]. Action (1,): water [mm], 0 to 8. Reward: growth [g] minus
    0.01 per mm. Cost: `wilting`, moisture below the wilting point [m3 m-3]. An episode is truncated after `days` steps.
    The evaporation of every day is drawn from the key. `seedlings` changes constants in `SEEDLINGS`.
    """

    id: ClassVar[str] = "outside/SeedTray-v0"
    differentiable: ClassVar[bool] = True

    days: int = 30
    seedlings: Mapping[str, float] = field(default_factory=dict)

    observation_space = Box.of(OBSERVED)
    action_space = Box.of((WATER,))
    measures = (
        Measure(Quantity("grown", "", "g", "growth of a seedling"), lambda info: info["growth"]),
        Measure(Quantity("watered", "", "mm", "water given"), lambda info: info["water"]),
        Measure(Quantity("wilted", "", "-", "share of days below the wilting point"), is_wilted, mean=True),
    )

    def __post_init__(self) -> None:
        """Refuse wrong options by name, before an episode begins."""
        if self.days < 1:
            raise ValueRangeError("days", self.days, "1 or more")
        for name in self.seedlings:
            if name not in SEEDLINGS:
                raise UnknownNameError("constant of seedlings", name, SEEDLINGS)

    @property
    def fields(self) -> Mapping[str, tuple[Quantity, ...]]:
        """Quantities of observation and action; a further group is shown by `phytotron describe`."""
        constants = (Quantity(name, name, "-", "see SEEDLINGS", default=v) for name, v in self.default_params.items())
        return {"observation": OBSERVED, "action": (WATER,), "seedlings": tuple(constants)}

    @property
    def default_params(self) -> dict[str, Any]:
        """Numbers that may vary between episodes, any pytree."""
        return {name: np.float32(value) for name, value in (SEEDLINGS | dict(self.seedlings)).items()}

    @property
    def episode_steps(self) -> int:
        """The most steps of an episode."""
        return self.days

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        """Controllers that reports compare with; their argument, unused here, is the environment to tune them on."""
        return {"refill": lambda _: Competitor("refill", "waters up to a set-point", self, (Refill(self),))}

    @property
    def presentation(self) -> Presentation:
        """Title, baselines and measures of the pages."""
        return Presentation(
            "Seed tray",
            decides="how much water the tray is given",
            compare=("refill", "random"),
            headline=("return", "grown"),
        )

    def initial(self, key: Array, params: dict[str, Any]) -> tuple[Array, Tray]:
        """A tray of a random moisture."""
        moisture = jax.random.uniform(key, (), jnp.float32, 0.15, 0.35)
        tray = Tray(moisture, jnp.asarray(0.05, jnp.float32), jnp.zeros((), jnp.int32))
        return self._observe(tray), tray

    def transition(self, key: Array, state: Tray, action: Array, params: dict[str, Any]) -> Any:
        """One day: water, evaporate, grow."""
        water = jnp.clip(action[0], 0.0, WATER.high)
        evaporation = jax.random.uniform(key, (), jnp.float32, 1.0, 5.0)
        moisture = jnp.clip(state.moisture + (water - evaporation) / DEPTH, 0.0, 0.5)
        dry, comfort = params["wilting_point"], params["comfort"]
        vigour = jnp.clip((moisture - dry) / (comfort - dry), 0.0, 1.0)
        growth = params["growth"] * state.mass * (1.0 - state.mass / params["final_mass"]) * vigour
        tray = Tray(moisture, state.mass + growth, state.day + 1)
        info = {"costs": {"wilting": jnp.maximum(dry - moisture, 0.0)}, "growth": growth, "water": water}
        reward = growth - 0.01 * water
        return self._observe(tray), tray, reward, jnp.zeros((), bool), tray.day >= self.days, info

    def _observe(self, tray: Tray) -> Array:
        return jnp.stack([tray.moisture, tray.mass, tray.day.astype(jnp.float32)])
