"""Sweeps of the control interval: profit, time within bounds and execution time of the rule-based grower."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.environments.greenhouse import Greenhouse, published_code
from phytotron.environments.greenhouse.reward import CONSTRAINTS
from phytotron.models.greenlight import Equations
from phytotron.papers.greenlight_gym.experiments.interval_runs import begin, pace_of, runner
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import GreenhouseWeather, greenhouse_weather

Numbers = NDArray[np.float64]

YEAR, DAYS = 2010, 10
QUICK_MONTHS = slice(0, None, 4)
TIMED_SECONDS = 21600  # simulated for a time measurement


class Numerics(NamedTuple):
    """A solver by name, and its sub-step [s] where it does not choose that itself."""

    label: str
    solver: str
    substep: float | None


DEFAULT = Numerics("default solver", "rosenbrock", None)
RK4 = tuple(Numerics(f"RK4, h = {h:g} s", "rk4", h) for h in (0.5, 1.0, 2.0))


class Sweep(NamedTuple):
    """By control interval, one number per start date."""

    profit: dict[int, Numbers]  # € m-2
    within: dict[str, dict[int, Numbers]]  # % of the time

    def change(self, series: dict[int, Numbers]) -> dict[int, Numbers]:
        """Relative change [%] against the shortest control interval."""
        reference = series[min(series)]
        return {interval: 100.0 * (values / reference - 1.0) for interval, values in series.items()}


class Task(NamedTuple):
    """The weather of a year, the days on which runs start, and equations."""

    series: GreenhouseWeather
    days: Any
    equations: Equations

    def environment(self, interval: int, numerics: Numerics) -> Greenhouse:
        """The greenhouse with a control interval [s]."""
        return Greenhouse(
            weather=self.series,
            control_interval=interval,
            equations=self.equations,
            solver=numerics.solver,
            substep=numerics.substep,
            episode_days=DAYS,
            precision="float64",  # hundreds of thousands of short steps
        )


def task(quick: bool, code: bool = False) -> Task:
    """Runs from the first of every month, or of every fourth; of the paper's text, or as its code has it."""
    table = embedded_weather("schiphol").window(date(YEAR, 1, 1), date(YEAR + 1, 1, 1))
    options = published_code(table) if code else {}
    series: GreenhouseWeather = options.get("weather") or greenhouse_weather(table)
    first = np.flatnonzero(series.dates == series.dates.astype("datetime64[M]"))
    days = jnp.asarray(first[QUICK_MONTHS] if quick else first, jnp.int32)
    return Task(series, days, options.get("equations", Equations()))


def sweep(task: Task, intervals: Sequence[int], numerics: Numerics, told: Callable[[int], None]) -> Sweep:
    """Ten days from every start date at every control interval; unstable runs give numbers that are not finite."""
    profit, within = {}, {name: {} for name in CONSTRAINTS}  # type: tuple[dict[int, Numbers], dict[str, Any]]
    for interval in intervals:
        env = task.environment(interval, numerics)
        run, sums = runner(env), begin(env, task.days)
        per_day = SECONDS_PER_DAY // interval
        for day in range(DAYS):
            span = day * per_day, (day + 1) * per_day
            sums = jax.block_until_ready(run(sums, env.default_params, task.days, pace_of(env), *span))
        profit[interval] = np.asarray(sums.profit)
        stable = np.isfinite(profit[interval])
        for name in CONSTRAINTS:
            within[name][interval] = np.where(stable, 100.0 * np.asarray(sums.within[name]) / env.episode_steps, np.nan)
        told(interval)
    return Sweep(profit, within)


def execution_seconds(task: Task, interval: int, numerics: Numerics) -> float:
    """Time that one greenhouse takes for ten days, from part of a day."""
    env = task.environment(interval, numerics)
    days = task.days[:1]
    run, sums, steps = runner(env), begin(env, days), TIMED_SECONDS // interval
    jax.block_until_ready(run(sums, env.default_params, days, pace_of(env), 0, 1))  # compiles
    fastest = np.inf
    for _ in range(2):
        began = time.perf_counter()
        jax.block_until_ready(run(sums, env.default_params, days, pace_of(env), 0, steps))
        fastest = min(fastest, time.perf_counter() - began)
    return float(fastest * DAYS * SECONDS_PER_DAY / (steps * interval))
