"""Figure 2 of GreenLight-Gym: what the control interval does to execution time, profit and time within bounds."""

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
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.greenhouse.reward import CONSTRAINTS
from phytotron.evaluation.performance import confidence_interval
from phytotron.papers.greenlight_gym.interval_runs import begin, pace_of, runner
from phytotron.papers.greenlight_gym.paper_numbers import (
    FIGURE2_PROFIT_FALL,
    FIGURE2_PROFIT_SMALL,
    FIGURE2_WITHIN_FALL,
    PAPER,
)
from phytotron.papers.result import Result, Row, Settings, finite
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import GreenhouseWeather, greenhouse_weather

Numbers = NDArray[np.float64]

YEAR, DAYS = 2010, 10
INTERVALS = (2, 4, 8, 16, 30, 60, 120, 180, 240, 300, 450, 600, 900, 1200, 1800, 2400, 3600)  # s
CHECKED = (2, 60, 300, 900, 3600)  # s, also with RK4
QUICK_INTERVALS, QUICK_CHECKED = (2, 30, 300, 900, 3600), (300,)
QUICK_MONTHS = slice(0, None, 4)
TIMED_SECONDS = 21600  # simulated for a time measurement


class Numerics(NamedTuple):
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


class Weather(NamedTuple):
    """A year, and the days on which runs start."""

    series: GreenhouseWeather
    days: Any

    def environment(self, interval: int, numerics: Numerics) -> Greenhouse:
        return Greenhouse(
            weather=self.series,
            control_interval=interval,
            solver=numerics.solver,
            substep=numerics.substep,
            episode_days=DAYS,
            precision="float64",  # hundreds of thousands of short steps
        )


def choose_weather(quick: bool) -> Weather:
    """The first of every month, or of every fourth."""
    series = greenhouse_weather(embedded_weather("schiphol").window(date(YEAR, 1, 1), date(YEAR + 1, 1, 1)))
    first = np.flatnonzero(series.dates == series.dates.astype("datetime64[M]"))
    return Weather(series, jnp.asarray(first[QUICK_MONTHS] if quick else first, jnp.int32))


def sweep(weather: Weather, intervals: Sequence[int], numerics: Numerics, told: Callable[[int], None]) -> Sweep:
    """Ten days from every start date at every control interval; unstable runs give numbers that are not finite."""
    profit, within = {}, {name: {} for name in CONSTRAINTS}  # type: tuple[dict[int, Numbers], dict[str, Any]]
    for interval in intervals:
        env = weather.environment(interval, numerics)
        run, sums = runner(env), begin(env, weather.days)
        per_day = SECONDS_PER_DAY // interval
        for day in range(DAYS):
            span = day * per_day, (day + 1) * per_day
            sums = jax.block_until_ready(run(sums, env.default_params, weather.days, pace_of(env), *span))
        profit[interval] = np.asarray(sums.profit)
        stable = np.isfinite(profit[interval])
        for name in CONSTRAINTS:
            within[name][interval] = np.where(stable, 100.0 * np.asarray(sums.within[name]) / env.episode_steps, np.nan)
        told(interval)
    return Sweep(profit, within)


def execution_seconds(weather: Weather, interval: int, numerics: Numerics) -> float:
    """Time that one greenhouse takes for ten days, from part of a day."""
    env = weather.environment(interval, numerics)
    days = weather.days[:1]
    run, sums, steps = runner(env), begin(env, days), TIMED_SECONDS // interval
    jax.block_until_ready(run(sums, env.default_params, days, pace_of(env), 0, 1))  # compiles
    fastest = np.inf
    for _ in range(2):
        began = time.perf_counter()
        jax.block_until_ready(run(sums, env.default_params, days, pace_of(env), 0, steps))
        fastest = min(fastest, time.perf_counter() - began)
    return float(fastest * DAYS * SECONDS_PER_DAY / (steps * interval))


def figure2(settings: Settings) -> Result:
    """Sweep the control interval with the default solver, check with RK4, measure times."""
    intervals = QUICK_INTERVALS if settings.quick else INTERVALS
    checked = QUICK_CHECKED if settings.quick else CHECKED
    done, all_of_it = 0, len(intervals) * (2 + len(RK4)) + 2 * len(checked)

    def told(what: str) -> None:
        nonlocal done
        done += 1
        settings.progress(what, done / all_of_it)

    with jax.enable_x64(True):
        weather = choose_weather(settings.quick)
        seconds: dict[str, list[float]] = {}
        for numerics in (DEFAULT, *RK4):
            seconds[numerics.label] = []
            for interval in intervals:
                seconds[numerics.label].append(execution_seconds(weather, interval, numerics))
                told(f"time of {numerics.label}, {interval} s")
        ours = sweep(weather, intervals, DEFAULT, lambda interval: told(f"control interval {interval} s"))
        checks = {
            numerics.label: sweep(weather, checked, numerics, lambda interval: told(f"RK4, {interval} s"))
            for numerics in RK4[1:]
        }
    title = f"The control interval, {len(weather.days)} start dates of {YEAR}, ten days, rule-based grower"
    return Result(
        "greenlight-gym/figure2",
        title,
        f"{PAPER}, figure 2 and section 4.2",
        rows=(*change_rows(ours), *time_rows(seconds, intervals), *check_rows(ours, checks)),
        notes=NOTES,
        series=curves(ours, seconds, intervals),
        quick=settings.quick,
    )


def change_rows(ours: Sweep) -> list[Row]:
    """The statements of section 4.2 beside ours."""
    limit, small = FIGURE2_PROFIT_SMALL
    profit = {interval: values.mean() for interval, values in ours.change(ours.profit).items()}
    below = [change for interval, change in profit.items() if interval < limit]
    name = "largest change of the mean"
    rows = [
        Row(
            f"{name}, intervals up to 1 h", "profit", "%", finite(_largest(profit.values())), paper=FIGURE2_PROFIT_FALL
        ),
        Row(f"{name}, intervals below {limit} s", "profit", "%", finite(_largest(below)), paper=small),
    ]
    for constraint, published in FIGURE2_WITHIN_FALL.items():
        change = [values.mean() for values in ours.change(ours.within[constraint]).values()]
        quantity = f"time within bounds of {constraint}"
        rows.append(
            Row(f"{name}, intervals up to 1 h", quantity, "%", finite(min(change)), paper=published),
        )
    return rows


def _largest(changes: Any) -> float:
    return float(max(changes, key=abs))


def time_rows(seconds: dict[str, list[float]], intervals: Sequence[int]) -> list[Row]:
    """Execution time at the control interval of the paper."""
    at = list(intervals).index(300)
    return [Row("ten days at 300 s, one greenhouse", label, "s", values[at]) for label, values in seconds.items()]


def check_rows(ours: Sweep, checks: dict[str, Sweep]) -> list[Row]:
    """Profit of RK4 beside that of the default solver."""
    rows = []
    for label, check in checks.items():
        for interval, profit in check.profit.items():
            setting = f"mean profit at {interval} s"
            rows.append(Row(setting, label, "€ m-2", finite(profit.mean()), finite(confidence_interval(profit))))
    for interval in next(iter(checks.values())).profit:
        profit = ours.profit[interval]
        rows.append(Row(f"mean profit at {interval} s", DEFAULT.label, "€ m-2", finite(profit.mean())))
    return sorted(rows, key=lambda row: int(row.setting.split()[-2]))


def curves(ours: Sweep, seconds: dict[str, list[float]], intervals: Sequence[int]) -> dict[str, Any]:
    """What the figure shows: means, and 95 % intervals over the start dates."""

    def curve(series: dict[int, Numbers]) -> dict[str, list[float]]:
        change = ours.change(series)
        return {
            "mean": [float(change[interval].mean()) for interval in intervals],
            "interval": [confidence_interval(change[interval]) for interval in intervals],
        }

    return {
        "control_interval": list(intervals),
        "seconds": seconds,
        "profit": curve(ours.profit),
        "within": {name: curve(ours.within[name]) for name in CONSTRAINTS},
    }


NOTES = (
    f"Weather of Schiphol {YEAR}, which comes with the package; the paper's is of 2000.",
    f"Times are those of one greenhouse in float64 on this machine, measured over {TIMED_SECONDS // 3600} h and scaled "
    "to ten days, without compilation. The paper reports no numbers but a factor of ten over Matlab.",
    "Profit and time within bounds are those of the default solver. Where RK4 differs, the grower's bands chatter: any "
    "two solvers part after a few hours of a closed loop with long intervals, and agree on average.",
)
