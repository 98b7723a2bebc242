"""Least squares through the replay, with robust weights, priors and physical ranges.

The Jacobian of every simulated value with respect to the parameters is computed by forward-mode differentiation of the
model over all windows at once. The loss sqrt(1 + r^2) - 1 grows like `|r|` where a residual is large. How much a row
counts beside the priors follows from the residuals themselves: from their size, and from how long they last.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.calibration.adjustable import Adjustable, moved, prior_centre
from phytotron.calibration.inputs import Windows
from phytotron.calibration.replay import Twin, simulation
from phytotron.calibration.search import Evaluated, Found, Vector, search, starting_points
from phytotron.core.constants import SECONDS_PER_DAY

SCALES = (1.0, 5.0, 60.0)  # K, %, ppm: residuals beyond these count linearly
SUBSTEPS = 6  # of the solver in 300 s; the climate differs by less than 0.02 K from that of 20
# Before residuals are known, a day of rows, 5 minutes apart, counts as 24 independent ones with errors of `SCALES`.
FIRST_WEIGHT = 24.0 / 288.0
LEAST_VARIANCE = 1.0 / 400.0  # of residuals: no sensor is better than a twentieth of `SCALES`
ROUNDS = 5  # searches, each with the weights that the residuals of the one before ask for
SAME_WEIGHTS = 0.1  # share by which weights may still change when no further round is needed
WINDOWS_TOGETHER = 10
HALF_LIFE = 10.0  # days: sensors, screens and crop of a month ago say less of tomorrow

Keep = Callable[[list[dict[str, Any]]], None]


@dataclasses.dataclass(frozen=True, eq=False)
class House:
    """A greenhouse to be fitted: where its parameters start, and the windows of its log."""

    start: Twin
    given: Windows


class NormalEquations(NamedTuple):
    """The normal equations of the residuals of a house at some coordinates, by quantity and without weights."""

    loss: Any  # (quantities,)
    gradient: Any  # (quantities, parameters)
    curvature: Any  # (quantities, parameters, parameters)
    squares: Any  # the products of slopes, as curvature but without robust weights
    pulls: Any  # (rows, windows, quantities): how each residual pulls


@dataclasses.dataclass(frozen=True, eq=False)
class Fit:
    """The end of a fit: the fitted twins, and the results of the searches."""

    twins: tuple[Twin, ...]
    positions: NDArray[np.int64]  # (houses, parameters): where each parameter of a house is among the coordinates
    starts: tuple[Found, ...]  # the searches from all starts, with the first weights; the best first
    best: Found  # the search from the best of them, with weights that fit its residuals
    steps: int  # of all searches together
    covariance: Vector  # of the best coordinates


class GreenhouseObjective:
    """A measure of how far replays are from the measurements of their windows, and parameters from their priors.

    Houses share the parameters that do not differ between compartments (`Adjustable.apart`). `weights` (houses,
    quantities) say how many independent measurements, with errors of `SCALES`, a row counts for.
    """

    def __init__(self, houses: Sequence[House], choice: Sequence[Adjustable]) -> None:
        self.positions, self.prior, self.low, self.high = _layout(houses, choice)
        self.weights = np.full((len(houses), len(SCALES)), FIRST_WEIGHT)
        self._evaluations = [_evaluation(house, choice) for house in houses]

    def evaluate(self, coordinates: Vector) -> Evaluated:
        """Return the loss, gradient and curvature of all houses and of the priors."""
        return self.combined(coordinates, self.normal_equations(coordinates))

    def normal_equations(self, coordinates: Vector) -> list[NormalEquations]:
        """Return those of every house."""
        return [each(coordinates[own]) for own, each in zip(self.positions, self._evaluations, strict=True)]

    def combined(self, coordinates: Vector, houses: Sequence[NormalEquations]) -> Evaluated:
        """Return the loss, gradient and curvature from the normal equations of the houses, with weights and priors."""
        away = coordinates - self.prior
        loss, gradient, curvature = 0.5 * float(away @ away), away.copy(), np.eye(away.size)
        for own, weights, each in zip(self.positions, self.weights, houses, strict=True):
            loss += float(weights @ each.loss)
            gradient[own] += weights @ each.gradient
            curvature[np.ix_(own, own)] += np.tensordot(weights, each.curvature, 1)
        return loss, gradient, curvature

    def covariance(self, at: Found, houses: Sequence[NormalEquations]) -> Vector:
        """Return the covariance of the best coordinates, from how large and how persistent the residuals really are.

        The gradient of each quantity has the variance of its residuals times the rows over which they persist (Huber
        1967, Proc. 5th Berkeley Symposium 1, 221-233); the priors count as they are.
        """
        noise = np.eye(at.coordinates.size)
        for own, weights, each in zip(self.positions, self.weights, houses, strict=True):
            variances = weights**2 * [persistent_variance(column) for column in np.moveaxis(each.pulls, -1, 0)]
            noise[np.ix_(own, own)] += np.tensordot(variances, each.squares, 1)
        inverse = np.linalg.inv(at.curvature)
        return np.asarray(inverse @ noise @ inverse)


def fit(
    houses: Sequence[House],
    choice: Sequence[Adjustable],
    starts: int = 1,
    seed: int = 0,
    callback: Callable[[int, int], None] = lambda done, total: None,
    keep: Keep = lambda progress: None,
    kept: Sequence[dict[str, Any]] = (),
    **options: Any,
) -> Fit:
    """Return the parameters with which the replays of the windows come closest to the measurements and to the priors.

    The first start is the centre of the priors, further ones are drawn around it. From the best, the search is repeated
    with the weights that its residuals ask for, until these stay the same. `options` go to `search`, as do `callback`,
    `keep` and `kept`, which count all rounds.
    """
    objective = GreenhouseObjective(houses, choice)
    begin, past = starting_points(objective, starts, seed), list[dict[str, Any]]()
    rounds: list[list[Found]] = []
    for number in range(ROUNDS):
        own = [each for each in kept if each.get("round", 0) == number]
        keep_all = functools.partial(_keep_round, keep, past, number)
        rounds.append(search(objective, begin, callback=callback, keep=keep_all, kept=own, **options))
        best = rounds[-1][0]
        here = objective.normal_equations(best.coordinates)
        weights = asked_weights(here)
        if number == ROUNDS - 1 or same_weights(weights, objective.weights):
            break
        past += _tagged(number, [each.as_json() for each in rounds[-1]])
        objective.weights, begin = weights, [best.coordinates]
    positions = objective.positions
    twins = [moved(house.start, choice, best.coordinates[own]) for house, own in zip(houses, positions, strict=True)]
    steps = sum(each.steps for one in rounds for each in one)
    covariance = objective.covariance(best, here)
    return Fit(tuple(map(_as_numbers, twins)), positions, tuple(rounds[0]), best, steps, covariance)


def _keep_round(keep: Keep, past: list[dict[str, Any]], number: int, searches: list[dict[str, Any]]) -> None:
    keep([*past, *_tagged(number, searches)])


def _tagged(number: int, searches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"round": number, **each} for each in searches]


def asked_weights(houses: Sequence[NormalEquations]) -> Vector:
    """Return the weights (houses, quantities) with which residuals as these count for what they are.

    Then the curvature of the loss is the inverse of the variance of its gradient: a row counts for much where residuals
    are small and do not last, and for little where they persist for hours.
    """
    found = []
    for each in houses:
        columns = np.moveaxis(each.pulls, -1, 0)
        variances = [max(persistent_variance(column), LEAST_VARIANCE) for column in columns]
        bends = [np.sqrt(1.0 - column[column != 0.0] ** 2).mean() if column.any() else 1.0 for column in columns]
        found.append(np.array(bends) / variances)
    return np.array(found)


def same_weights(asked: Vector, used: Vector) -> bool:
    """Return whether new weights are so close to the old ones that another search would change the result little."""
    return bool((np.abs(asked / used - 1.0) < SAME_WEIGHTS).all())


def persistent_variance(series: Any) -> float:
    """Return the variance of a series times the number of rows over which it persists; (rows, windows), 0 where
    unknown.

    That number is 1 and twice the sum of the autocorrelations before the first that is not positive.
    """
    known = series != 0.0
    lagged = [float(np.sum(series * series)) / max(int(known.sum()), 1)]
    for lag in range(1, series.shape[0]):
        pairs = known[lag:] & known[:-lag]
        product = float(np.sum(series[lag:] * series[:-lag])) / max(int(pairs.sum()), 1)
        if product <= 0.0 or not pairs.any():
            break
        lagged.append(product)
    return lagged[0] + 2.0 * sum(lagged[1:])


def _layout(houses: Sequence[House], choice: Sequence[Adjustable]) -> tuple[NDArray[np.int64], Vector, Vector, Vector]:
    """Return the places of each house's parameters among the coordinates, and centres and ends of all priors."""
    where, next_free = np.zeros((len(houses), len(choice)), np.int64), 0
    for index, each in enumerate(choice):
        width = len(houses) if each.apart else 1
        where[:, index] = next_free + np.arange(len(houses)) % width
        next_free += width
    prior, low, high = np.zeros((3, next_free))
    for house, own in zip(reversed(houses), where[::-1], strict=True):  # what is shared starts as in the first house
        prior[own] = [prior_centre(house.start, each) for each in choice]
        low[own] = [each.coordinate(each.low) for each in choice]
        high[own] = [each.coordinate(each.high) for each in choice]
    return where, prior, low, high


def _evaluation(house: House, choice: Sequence[Adjustable]) -> Callable[[Vector], NormalEquations]:
    """The normal equations of a house as a function of its coordinates."""
    function, arguments = equations_of(house, choice)

    def evaluate(coordinates: Vector) -> NormalEquations:
        found = function(jnp.asarray(coordinates, jnp.result_type(float)), *arguments)
        return NormalEquations(*(np.asarray(each, float) for each in found))

    return evaluate


def equations_of(house: House, choice: Sequence[Adjustable]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return a compiled function of coordinates that gives the normal equations of a house, and its other arguments.

    The measurements are the last of these.
    """
    given, size = padded(house.given), len(choice)
    free = jnp.arange(given.drive.light.shape[0]) >= given.spin_up
    # One copy of the windows for every parameter, so that each copy is differentiated in a direction of its own.
    drive = jax.tree.map(lambda column: jnp.tile(jnp.asarray(column), (1, size)), given.drive)
    mean = jnp.tile(jnp.asarray(given.mean_temperature), size)
    twin = jax.tree.map(lambda value: jnp.asarray(value, mean.dtype), house.start)
    numbers = ([each.spread for each in choice], SCALES, recency(given))
    spreads, scales, weights = (jnp.asarray(each, mean.dtype) for each in numbers)
    plain = (dataclasses.replace(each, low=0.0, high=0.0, spread=1.0, centre=None) for each in choice)
    function = _normal_equations(tuple(plain), given.spin_up, given.measured.shape[1])
    return function, (spreads, twin, drive, mean, free, scales, weights, jnp.asarray(given.measured))


def padded(given: Windows) -> Windows:
    """Return the data with more windows, in which nothing is measured, up to a multiple of `WINDOWS_TOGETHER`.

    So fits of logs of about the same length share one compiled function.
    """
    count = given.starts.size
    index = np.minimum(np.arange(-(-count // WINDOWS_TOGETHER) * WINDOWS_TOGETHER), count - 1)
    measured = np.where((np.arange(index.size) < count)[:, None], given.measured[:, index], np.nan)
    drive = jax.tree.map(lambda column: np.asarray(column)[:, index], given.drive)
    return dataclasses.replace(
        given,
        drive=drive,
        measured=measured,
        mean_temperature=given.mean_temperature[index],
        starts=given.starts[index],
    )


def recency(given: Windows) -> Vector:
    """Return the weight of each window: half for every `HALF_LIFE` before the last, so that a fit follows what
    changes.
    """
    age = (given.starts.max() - given.starts).astype("timedelta64[s]").astype(float) / SECONDS_PER_DAY
    return np.asarray(0.5 ** (age / HALF_LIFE))


@functools.cache
def _normal_equations(choice: tuple[Adjustable, ...], spin_up: int, count: int) -> Callable[..., Any]:
    """The normal equations of the robust loss, as one compiled function.

    `choice` has spreads of 1, so that one function serves all priors; the spreads are an argument of it.
    """
    run, size, exact = simulation(SUBSTEPS), len(choice), jax.lax.Precision.HIGHEST

    def of(coordinates: Any, spreads: Any, twin: Twin, drive: Any, mean: Any, free: Any, scales: Any, weights: Any,
           measured: Any) -> NormalEquations:  # fmt: skip
        known = jnp.isfinite(measured)[:, None]
        target = jnp.nan_to_num(measured)[:, None]

        def residuals(places: Any) -> Any:
            simulated = run(moved(twin, choice, places * spreads[:, None]), drive, mean, free)[spin_up:]
            apart = simulated.reshape(-1, size, count, simulated.shape[-1])
            return jnp.where(known, (apart - target) / scales, 0.0)

        directions = jnp.repeat(jnp.eye(size, dtype=coordinates.dtype), count, axis=1)
        copies, changes = jax.jvp(residuals, (jnp.broadcast_to(coordinates[:, None], directions.shape),), (directions,))
        value, slopes, recent = copies[:, 0], jnp.moveaxis(changes, 1, 0), weights[:, None]
        root = jnp.sqrt(1.0 + value * value)
        counted = slopes * recent
        weighted = counted / root  # the weights of iteratively reweighted least squares
        return NormalEquations(
            loss=jnp.sum(recent * value * value / (1.0 + root), axis=(0, 1)),
            gradient=jnp.einsum("arwq,rwq->qa", weighted, value, precision=exact),
            curvature=jnp.einsum("arwq,brwq->qab", weighted, slopes, precision=exact),
            squares=jnp.einsum("arwq,brwq->qab", counted, counted, precision=exact),
            pulls=value / root,
        )

    return jax.jit(of)


def _as_numbers(twin: Twin) -> Twin:
    return jax.tree.map(float, twin)
