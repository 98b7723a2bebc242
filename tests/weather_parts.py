"""A small environment with parts of weather, as a package outside Phytotron would write one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import jax.numpy as jnp
from jax import Array
from toy_environments import Count, RuledAiming

from phytotron.controllers import Constant
from phytotron.core.environment import Info, Starts
from phytotron.core.fields import Quantity
from phytotron.core.presentation import Baseline, Competitor
from phytotron.core.spaces import Box, Discrete, Space

MARKS = {"train": (1.0, 2.0), "validation": (2.0,), "test": (3.0, 4.0)}


@dataclass(frozen=True, kw_only=True, eq=False)
class PartedAiming(RuledAiming):
    """Aiming at one mark for each start, as the part of the weather says."""

    id = "test/PartedAiming-v0"
    parts: ClassVar[tuple[str, ...]] = ("train", "validation", "test")
    weather: str = "train"
    shots: int = 5
    choices: bool = False  # whether actions are numbers of places to aim at
    marks: tuple[float, ...] = ()  # instead of those of the weather

    @property
    def fields(self) -> Mapping[str, tuple[Quantity, ...]]:  # type: ignore[override]
        action = () if self.choices else (Quantity("aim", "a", "-", "place aimed at", 0.0, 4.0),)
        return {"observation": (Quantity("mark", "m", "-", "place of the mark", 1.0, 4.0),), "action": action}

    @property
    def action_space(self) -> Space:  # type: ignore[override]
        return Discrete(5) if self.choices else Box.uniform(0.0, 4.0, (1,))

    @property
    def episode_steps(self) -> int:  # type: ignore[override]
        return self.shots

    @property
    def default_params(self) -> Array:  # type: ignore[override]
        return jnp.asarray(self.marks or MARKS[self.weather], jnp.float32)

    @property
    def weather_name(self) -> str:
        return self.weather

    def on(self, weather: str) -> PartedAiming:
        return replace(self, weather=weather)

    def starts(self, params: Any = None) -> Starts:
        marks = self.default_params if params is None else params
        return Starts(marks[:, None], 0, tuple(f"mark {float(each):g}" for each in marks))

    def initial(self, key: Array, params: Any) -> tuple[Array, Count]:
        mark = params[:1]
        return mark, {"mark": mark, "age": jnp.zeros((), jnp.int32)}

    def transition(
        self, key: Array, state: Count, action: Array, params: Any
    ) -> tuple[Array, Count, Array, Array, Array, Info]:
        aim = jnp.ravel(action)
        reward = self.bonus - jnp.sum((state["mark"] - aim) ** 2)
        after = {"mark": state["mark"], "age": state["age"] + 1}
        over = after["age"] >= self.episode_steps
        return after["mark"], after, reward, jnp.zeros((), bool), over, {"costs": {}, "action": aim[0]}

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        held = Constant(2) if self.choices else Constant(jnp.full(1, 2.0, jnp.float32))
        return {
            "middle": lambda _: Competitor("middle", "aims at 2", self, (held,)),
        }


class MisplacedBaseline(PartedAiming):
    """With a baseline that acts in the environment to tune on."""

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        held = Constant(jnp.full(1, 2.0, jnp.float32))
        return {"middle": lambda env: Competitor("middle", "aims at 2", env, (held,))}


class NarrowedAiming(PartedAiming):
    """With an option that chooses among the starts of a part."""

    narrowing = ("marks",)


@dataclass(frozen=True, kw_only=True, eq=False)
class SeasonalAiming(PartedAiming):
    """On parts that have names of their own, which are not those of its weather."""

    parts: ClassVar[tuple[str, ...]] = ("spring", "autumn")
    weather: str = "mild:spring"

    @property
    def default_params(self) -> Array:  # type: ignore[override]
        return jnp.asarray({"mild:spring": (1.0,), "mild:autumn": (2.0,)}[self.weather], jnp.float32)

    def on(self, weather: str) -> SeasonalAiming:
        return replace(self, weather=f"mild:{weather}")


def parted(**options: Any) -> PartedAiming:
    """Return the task, as a function that does not name the options that it passes on."""
    return PartedAiming(**options)
