"""A small environment with parts of weather, as a package outside Phytotron would write one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import jax.numpy as jnp
from jax import Array
from toy_environments import Count, Line, RuledAiming

from phytotron.controllers import Constant
from phytotron.core.environment import Info, Starts
from phytotron.core.presentation import Baseline, Competitor

MARKS = {"train": (1.0, 2.0), "validation": (2.0,), "test": (3.0, 4.0)}


@dataclass(frozen=True, kw_only=True, eq=False)
class PartedAiming(RuledAiming):
    """Aiming at one mark for each start, as the part of the weather says."""

    id = "test/PartedAiming-v0"
    parts: ClassVar[tuple[str, ...]] = ("train", "validation", "test")
    weather: str = "train"

    @property
    def default_params(self) -> Array:  # type: ignore[override]
        return jnp.asarray(MARKS[self.weather], jnp.float32)

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
        reward = self.bonus - jnp.sum((state["mark"] - action) ** 2)
        after = {"mark": state["mark"], "age": state["age"] + 1}
        over = after["age"] >= self.episode_steps
        return after["mark"], after, reward, jnp.zeros((), bool), over, {"costs": {}, "action": action[0]}

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        held = Constant(jnp.full(1, 2.0, jnp.float32))
        return {
            "middle": lambda _: Competitor("middle", "aims at 2", self, (held,)),
            "aimed": lambda _: Competitor("aimed", "aims at the mark", self, (Line(1.0, 0.0),)),
        }


class MisplacedBaseline(PartedAiming):
    """With a baseline that acts in the environment to tune on."""

    @property
    def baselines(self) -> Mapping[str, Baseline]:
        held = Constant(jnp.full(1, 2.0, jnp.float32))
        return {"middle": lambda env: Competitor("middle", "aims at 2", env, (held,))}
