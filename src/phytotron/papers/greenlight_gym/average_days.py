"""The average day of a greenhouse under a controller: climate, harvest and actuators by time of day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray
from scipy.stats import t as student

from phytotron.controllers.base import Controller
from phytotron.core.compilation import single_kernel
from phytotron.environments.greenhouse import Greenhouse
from phytotron.evaluation.rollout import Progress
from phytotron.evaluation.scores import is_policy
from phytotron.weather.humid_air import co2_mole_fraction, relative_humidity

# name, meaning and unit
CLIMATE = (
    ("temperature", "air temperature", "°C"),
    ("co2", "CO₂", "ppm"),
    ("humidity", "relative humidity", "%"),
    ("harvest", "cumulative harvest", "kg m-2"),
)
POSITIONS = (
    ("boiler", "boiler valve", "-"),
    ("co2_injection", "CO₂ injection", "-"),
    ("roof_vent", "roof vent", "-"),
    ("thermal_screen", "thermal screen", "-"),
)
CONFIDENCE = 0.99

Days = dict[str, NDArray[np.float64]]  # by quantity, (days, times of a day)


class _Now(NamedTuple):
    key: Array
    observation: Array
    state: Any


class Recorder:
    """Runs controllers in an environment; policies of one structure are compiled once."""

    def __init__(self, env: Greenhouse) -> None:
        self.env = env
        self.params, self.axes, labels = env.starts()
        self.keys = jax.random.split(jax.random.key(0), len(labels))
        self.steps_per_day = env.clock.steps_per_day
        self._begin = jax.jit(jax.vmap(self._initial, (0, self.axes)))
        self._of_policies = jax.jit(lambda policy, now, params: self._day(policy, now, params, _as_it_is))

    def run(self, controller: Controller, progress: Progress | None = None) -> Days:
        """All days of all episodes; `progress` is told after each day of all episodes."""
        now = self._begin(self.keys, self.params)
        days = self.env.episode_steps // self.steps_per_day
        advance = self._advance(controller)
        found: list[dict[str, NDArray[Any]]] = []
        for day in range(days):
            now, series = advance(now, self.params)
            found.append({name: np.asarray(each, np.float64).T for name, each in series.items()})
            if progress is not None:
                progress(day + 1, days)
        joined = {name: np.concatenate([each[name] for each in found]) for name in found[0]}
        return joined | {"harvest": np.cumsum(joined["harvest"], axis=1)}

    def _advance(self, controller: Controller) -> Callable[[_Now, Any], tuple[_Now, Any]]:
        if is_policy(controller):
            return lambda now, params: self._of_policies(controller, now, params)
        return jax.jit(lambda now, params: self._day(controller, now, params, single_kernel))

    def _initial(self, key: Array, params: Any) -> _Now:
        key, first = jax.random.split(key)
        return _Now(key, *self.env.initial(first, params))

    def _day(self, controller: Controller, now: _Now, params: Any, as_kernel: Any) -> tuple[_Now, dict[str, Array]]:
        # A network is faster outside the kernel of the model, the many small operations of a rule inside.
        choose = as_kernel(jax.vmap(lambda now, params: self._choose(controller, now, params), (0, self.axes)))
        move = single_kernel(jax.vmap(self._move, (0, 0, self.axes)))

        def step(now: _Now, _: None) -> tuple[_Now, dict[str, Array]]:
            moved: tuple[_Now, dict[str, Array]] = move(now, choose(now, params), params)
            return moved

        return jax.lax.scan(step, now, length=self.steps_per_day)

    def _choose(self, controller: Controller, now: _Now, params: Any) -> Array:
        action, _ = controller.act(now.key, controller.start(now.key), now.observation, now.state, params)
        return jnp.asarray(action, self.env.action_space.dtype)

    def _move(self, now: _Now, action: Array, params: Any) -> tuple[_Now, dict[str, Array]]:
        key, move = jax.random.split(now.key)
        observation, state, _, _, _, info = self.env.transition(move, now.state, action, params)
        air = now.state.model.air_temperature
        seen = {
            "temperature": air,
            "co2": co2_mole_fraction(air, now.state.model.air_co2),
            "humidity": relative_humidity(air, now.state.model.air_vapour_pressure),
            "harvest": info["harvest"] / params.model.fruit_dry_matter,
            **{name: getattr(state.control, name) for name, _, _ in POSITIONS},
        }
        return _Now(key, observation, state), seen


def average_day(values: NDArray[np.float64], confidence: float = CONFIDENCE) -> dict[str, list[float]]:
    """Mean over days by time of day, and half of its confidence interval."""
    count = len(values)
    factor = student.ppf(0.5 + 0.5 * confidence, count - 1) / np.sqrt(count) if count > 1 else 0.0
    spread = values.std(axis=0, ddof=1) if count > 1 else np.zeros(values.shape[1])
    return {"mean": values.mean(axis=0).tolist(), "interval": (factor * spread).tolist()}


def _as_it_is(function: Any) -> Any:
    return function
