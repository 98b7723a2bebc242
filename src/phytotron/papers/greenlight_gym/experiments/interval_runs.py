"""The rule-based grower at any control interval, as running sums: short intervals make too many steps to keep.

The tasks are those of `environments.greenhouse`. One compiled function per solver serves all control intervals, because
the numbers of intervals and sub-steps are arguments of it.
"""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array, lax

from phytotron.core.compilation import single_kernel
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.fields import unstack
from phytotron.environments.greenhouse import ControlProcessing, Greenhouse, GreenhouseParams
from phytotron.environments.greenhouse import reward as rewards
from phytotron.models.greenlight import GreenLight, State, Weather, forcing
from phytotron.models.greenlight.growth import harvest_rate
from phytotron.models.greenlight.rules import rule_based
from phytotron.solvers import Steps, integrate_observing


class Pace(NamedTuple):
    """The division of a control interval into holds of the weather, and of these into sub-steps of the solver."""

    interval: Any  # s
    holds: Any
    first: Any  # s, the first sub-step
    ratio: Any  # of each sub-step to the one before
    count: Any  # sub-steps of a hold


class Sums(NamedTuple):
    """One number per greenhouse."""

    model: State
    profit: Array  # € m-2
    within: dict[str, Array]  # control intervals that end within the bounds of a constraint


def pace_of(env: Greenhouse) -> Pace:
    """Return the pace of an environment."""
    steps = env.model.steps
    return Pace(env.control_interval, env.clock.pieces, float(steps.first), float(steps.ratio), steps.count)


def begin(env: Greenhouse, start_days: Array) -> Sums:
    """Return the start of an episode on each of the days, in the precision of the environment."""

    def start(day: Array) -> State:
        params = dataclasses.replace(env.default_params, start_days=day[None])
        return env.initial(jax.random.key(0), params)[1].model

    zero, none = jnp.zeros(start_days.shape, env.precision), jnp.zeros(start_days.shape, jnp.int32)
    return Sums(jax.vmap(start)(start_days), zero, dict.fromkeys(rewards.CONSTRAINTS, none))


def runner(env: Greenhouse) -> Callable[[Sums, GreenhouseParams, Array, Pace, int, int], Sums]:
    """Return a function that continues sums from one control interval to another: `run(sums, params, start_days,
    pace, from, to)`.
    """
    return _runner(GreenLight(env.solver, equations=env.equations))


@functools.cache
def _runner(model: GreenLight) -> Callable[[Sums, GreenhouseParams, Array, Pace, int, int], Sums]:
    processing = ControlProcessing()  # the paper's four actuators; lamps and blackout screen follow the same rules

    def run(sums: Sums, params: GreenhouseParams, days: Array, pace: Pace, begin: int, end: int) -> Sums:
        p, series = params.model, params.weather
        steps = Steps(pace.first, pace.ratio, pace.count)
        precision = sums.profit.dtype
        of_year = jnp.asarray(series.days_since_new_year)[days].astype(precision)

        def interval(index: Array, now: Sums) -> Sums:
            second = index * pace.interval
            state = dataclasses.replace(now.model, time=of_year + second.astype(precision) / SECONDS_PER_DAY)
            ruled = rule_based(state, unstack(Weather, series.at(days, second)), params.rules)
            control = processing.control(processing.action(ruled, ruled), ruled, ruled)

            def hold(piece: Array, carry: tuple[State, Array]) -> tuple[State, Array]:
                outside = unstack(Weather, series.at(days, second + piece * (pace.interval // pace.holds)))
                problem = model.problem(forcing(control, outside, p, model.equations))
                rate = functools.partial(harvest_rate, p=p)
                after, more = integrate_observing(model.method, problem, carry[0], steps, rate)
                return after, carry[1] + more

            after, harvest = lax.fori_loop(0, pace.holds, hold, (state, jnp.zeros_like(now.profit)))
            flows = rewards.turnover(harvest, control, p, pace.interval)
            excess = rewards.violations(after, params.reward)
            return Sums(
                after,
                now.profit + rewards.profit(flows, p, params.prices),
                {name: now.within[name] + (excess[name] == 0.0) for name in excess},
            )

        return lax.fori_loop(begin, end, interval, sums)

    return jax.jit(single_kernel(run))
