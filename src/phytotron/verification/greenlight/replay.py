"""Replaying recorded controls and weather through the GreenLight model, in float64 by RK4 with steps of one second.

Between two rows, controls and weather are polynomials of the time since the first: of degree 0 (held), 1 (linear) or
3 (PCHIP). Files with the same equations and the same kind of polynomials run as one batch.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.core.compilation import single_kernel
from phytotron.core.constants import SECONDS_PER_HOUR
from phytotron.core.fields import names, stack, unstack
from phytotron.models.greenlight import Control, Equations, Parameters, State, Weather, derivative, forcing
from phytotron.models.greenlight.rules import RuleSettings, load_rule_settings, rule_based
from phytotron.solvers import RK4, Problem, Steps, integrate, uniform
from phytotron.verification.archives import Floats
from phytotron.verification.greenlight.files import CONSTANT, LINEAR, Trajectory

LONGEST_STEP = 1.0  # s; RK4 is stable below 2 s and then exact to 1e-5 % of every state
RULE_TOLERANCE = 1e-6
SWITCHING_INSTANT = 1.0 / SECONDS_PER_HOUR  # h


def pchip_slopes(values: Floats, interval: float) -> Floats:
    """Return slopes of the monotone piecewise cubic through evenly spaced rows (Fritsch and Butland 1984).

    Inside: the harmonic mean of the two adjacent difference quotients, 0 where these differ in sign. At the ends: the
    three-point formula, limited so that the curve keeps the sign and three times the slope of the outer quotient.
    """
    quotients = np.diff(values, axis=0) / interval
    if len(quotients) == 1:
        return np.concatenate([quotients, quotients])
    left, right = quotients[:-1], quotients[1:]
    monotone = left * right > 0.0
    total = np.where(monotone, left + right, 1.0)
    inside = np.where(monotone, 2.0 * left * right / total, 0.0)

    def end(outer: Floats, inner: Floats) -> Floats:
        slope = 0.5 * (3.0 * outer - inner)
        slope = np.where(slope * outer > 0.0, slope, 0.0)
        overshoots = (outer * inner < 0.0) & (np.abs(slope) > np.abs(3.0 * outer))
        return np.where(overshoots, 3.0 * outer, slope)

    return np.concatenate([end(quotients[:1], quotients[1:2]), inside, end(quotients[-1:], quotients[-2:-1])])


def held(values: Floats, intervals: int) -> Floats:
    """Return coefficients of shape (intervals, 1, columns)."""
    return values[:intervals, None]


def linear(values: Floats, interval: float) -> Floats:
    """Return coefficients of 1 and t, of shape (intervals, 2, columns)."""
    return np.stack([values[:-1], np.diff(values, axis=0) / interval], axis=1)


def cubic(values: Floats, interval: float) -> Floats:
    """Return coefficients of 1, t, t^2 and t^3 of the PCHIP curve, of shape (intervals, 4, columns)."""
    slopes = pchip_slopes(values, interval)
    start, end, quotient = slopes[:-1], slopes[1:], np.diff(values, axis=0) / interval
    second = (3.0 * quotient - 2.0 * start - end) / interval
    third = (start + end - 2.0 * quotient) / interval**2
    return np.stack([values[:-1], start, second, third], axis=1)


def input_polynomials(trajectory: Trajectory) -> tuple[Floats, Floats]:
    """Return the polynomials of control and weather in every interval."""
    intervals, u, d = len(trajectory.x) - 1, trajectory.u, trajectory.d
    if trajectory.hold == CONSTANT:
        return held(u, intervals), held(d, intervals)
    if trajectory.hold == LINEAR:
        return linear(u, trajectory.interval), linear(d, trajectory.interval)
    if len(d) == intervals:  # the weather at the end of the last interval was not recorded
        d = np.concatenate([d, d[-1:]])
    return held(u, intervals), cubic(d, trajectory.interval)


def polynomial(coefficients: Sequence[Any], time: Any) -> Any:
    """Return Horner's rule on records, lowest order first."""
    total = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = jax.tree.map(lambda a, b: a + time * b, coefficient, total)
    return total


@partial(jax.jit, static_argnames=("equations", "rules", "steps"))
def run(
    start: State,
    inputs: tuple[tuple[Control, ...], tuple[Weather, ...]],
    parameters: Parameters,
    *,
    equations: Equations,
    rules: RuleSettings | None,
    steps: Steps,
) -> jax.Array:
    """Return the states at the end of every interval.

    Given rules, these act on the state instead of the recorded control.
    """

    def advance(state: State, control: tuple[Control, ...], weather: tuple[Weather, ...], p: Parameters) -> State:
        fixed = forcing(control[0], weather[0], p, equations)

        def rates(time: Any, now: State) -> State:
            if len(weather) == 1:
                return derivative(now, fixed, equations)
            outside = polynomial(weather, time)
            acting = polynomial(control, time) if rules is None else rule_based(now, outside, rules)
            return derivative(now, forcing(acting, outside, p, equations), equations)

        return integrate(RK4(), Problem(rates), state, steps)

    kernel = single_kernel(advance)

    def interval(state: State, now: tuple[Any, Any]) -> tuple[State, jax.Array]:
        state = kernel(state, *now, parameters)
        return state, stack(state)

    return jax.lax.scan(interval, start, inputs)[1]


def replay(trajectories: Sequence[Trajectory], *, by_rules: bool) -> list[Floats]:
    """Return the states that the model has at all rows of x but the first, per file.

    The files must agree in parameter set, hold and interval. `by_rules` lets the published rules act on the model's own
    state, continuously, in place of the recorded controls.
    """
    first = trajectories[0]
    longest = max(len(each.x) - 1 for each in trajectories)
    with jax.enable_x64(True):
        inputs: list[tuple[Any, ...]] = []
        polynomials = zip(*map(input_polynomials, trajectories), strict=True)
        for record, rows in zip((Control, Weather), polynomials, strict=True):
            padded = [np.pad(each, ((0, longest - len(each)), (0, 0), (0, 0)), mode="edge") for each in rows]
            terms = jnp.asarray(np.stack(padded, axis=2)).swapaxes(0, 1)  # (terms, intervals, files, columns)
            inputs.append(tuple(unstack(record, term) for term in terms))
        parameters = jax.tree.map(lambda *each: jnp.asarray(each, jnp.float64), *(t.parameters for t in trajectories))
        states = run(
            unstack(State, jnp.asarray([each.x[0] for each in trajectories])),
            (inputs[0], inputs[1]),
            parameters,
            equations=first.equations,
            rules=load_rule_settings(first.parameter_set) if by_rules else None,
            steps=uniform(first.interval, int(np.ceil(first.interval / LONGEST_STEP))),
        )
        found = np.asarray(states)
    return [found[: len(each.x) - 1, file] for file, each in enumerate(trajectories)]


def follows_rules(trajectory: Trajectory) -> bool:
    """Return whether the recorded controls are those of the published rules at every row.

    A row at the very instant at which the clock switches the lamps may hold either side of the jump.
    """
    settings = load_rule_settings(trajectory.parameter_set)
    with jax.enable_x64(True):
        state, weather = unstack(State, jnp.asarray(trajectory.x)), unstack(Weather, jnp.asarray(trajectory.d))
        ruled = np.asarray(stack(rule_based(state, weather, settings)))
    hour = 24.0 * np.mod(np.asarray(state.time), 1.0)
    from_switch = [np.abs((hour - time + 12.0) % 24.0 - 12.0) for time in (settings.lamp_on, settings.lamp_off)]
    either_side = np.min(from_switch, axis=0) <= SWITCHING_INSTANT
    of_lamps = np.isin(names(Control), ("lamp", "interlamp", "blackout_screen"))
    differs = np.abs(ruled - trajectory.u) > RULE_TOLERANCE
    return not np.any(differs & ~(either_side[:, None] & of_lamps))
