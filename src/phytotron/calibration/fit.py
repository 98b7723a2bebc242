"""Least squares through the replay, with robust weights, priors and physical ranges.

The Jacobian of every simulated value with respect to the parameters is computed by forward-mode differentiation of the
model over all windows at once. The loss sqrt(1 + r^2) - 1 grows like `|r|` where a residual is large.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.calibration.adjustable import Adjustable, moved, prior_centre
from phytotron.calibration.inputs import Windows
from phytotron.calibration.replay import Twin, simulation
from phytotron.calibration.search import Evaluated, Found, Vector, search, starting_points

SCALES = (1.0, 5.0, 60.0)  # K, %, ppm: residuals beyond these count linearly
SUBSTEPS = 6  # of the solver in 300 s; the climate differs by less than 0.02 K from that of 20
# Residuals 5 minutes apart say nearly the same: a day of them counts as so many independent ones.
INDEPENDENT_PER_DAY = 24.0
WINDOWS_TOGETHER = 10
HALF_LIFE = 10.0  # days: sensors, screens and crop of a month ago say less of tomorrow


@dataclasses.dataclass(frozen=True, eq=False)
class House:
    """A greenhouse to be fitted: where its parameters start, and the windows of its log."""

    start: Twin
    given: Windows


@dataclasses.dataclass(frozen=True, eq=False)
class Fit:
    """A record of where a fit ended: the twins there, and what the searches from all starts found."""

    twins: tuple[Twin, ...]
    positions: NDArray[np.int64]  # (houses, parameters): where each parameter of a house is among the coordinates
    searches: tuple[Found, ...]  # the best first
    covariance: Vector  # of the best coordinates

    @property
    def best(self) -> Found:
        """The search with the least loss."""
        return self.searches[0]


class GreenhouseObjective:
    """A measure of how far replays are from the measurements of their windows, and parameters from their priors.

    Houses share the parameters that do not differ between compartments (`Adjustable.apart`).
    """

    def __init__(self, houses: Sequence[House], choice: Sequence[Adjustable]) -> None:
        self.positions, self.prior, self.low, self.high = _layout(houses, choice)
        self._evaluations = [_evaluation(house, choice) for house in houses]

    def evaluate(self, coordinates: Vector) -> Evaluated:
        """Return the loss, gradient and curvature of all houses and of the priors."""
        away = coordinates - self.prior
        loss, gradient, curvature = 0.5 * float(away @ away), away.copy(), np.eye(away.size)
        for own, each in zip(self.positions, self._evaluations, strict=True):
            found = each(coordinates[own])
            loss += float(found[0])
            gradient[own] += found[1]
            curvature[np.ix_(own, own)] += found[2]
        return loss, gradient, curvature

    def covariance(self, at: Found) -> Vector:
        """Return the covariance of the best coordinates, from how large and how persistent the residuals really are.

        The curvature alone would take residuals for noise of the size of `SCALES` that is independent every hour. The
        gradient of each quantity has the variance of its residuals times the rows over which they persist (Huber 1967,
        Proc. 5th Berkeley Symposium 1, 221-233); the priors count as they are.
        """
        noise = np.eye(at.coordinates.size)
        for own, each in zip(self.positions, self._evaluations, strict=True):
            _, _, _, squares, pulls = each(at.coordinates[own])
            for quantity in range(squares.shape[0]):
                variance = persistent_variance(pulls[..., quantity])
                noise[np.ix_(own, own)] += variance * squares[quantity]
        inverse = np.linalg.inv(at.curvature)
        return np.asarray(inverse @ noise @ inverse)


def fit(houses: Sequence[House], choice: Sequence[Adjustable], starts: int = 1, seed: int = 0, **options: Any) -> Fit:
    """Return the parameters with which the replays of the windows come closest to the measurements and to the priors.

    The first start is the centre of the priors, further ones are drawn around it. `options` go to `search`.
    """
    objective = GreenhouseObjective(houses, choice)
    found = search(objective, starting_points(objective, starts, seed), **options)
    best = found[0].coordinates
    twins = [moved(house.start, choice, best[own]) for house, own in zip(houses, objective.positions, strict=True)]
    covariance = objective.covariance(found[0])
    return Fit(tuple(map(_as_numbers, twins)), objective.positions, tuple(found), covariance)


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
    """Positions of each house's parameters among the coordinates; centres and ends of the priors at all of these."""
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


def _evaluation(house: House, choice: Sequence[Adjustable]) -> Callable[..., Any]:
    """The normal equations of a house as a function of its coordinates, without priors."""
    given, size = padded(house.given), len(choice)
    free = jnp.arange(given.drive.light.shape[0]) >= given.spin_up
    # One copy of the windows for every parameter, so that each copy is differentiated in a direction of its own.
    drive = jax.tree.map(lambda column: jnp.tile(jnp.asarray(column), (1, size)), given.drive)
    mean = jnp.tile(jnp.asarray(given.mean_temperature), size)
    twin = jax.tree.map(lambda value: jnp.asarray(value, mean.dtype), house.start)
    weights, spreads = (jnp.asarray(each, mean.dtype) for each in (recency(given), [each.spread for each in choice]))
    arguments = (
        spreads,
        twin,
        drive,
        mean,
        free,
        jnp.asarray(given.measured),
        jnp.asarray(SCALES, mean.dtype),
        weights,
    )
    plain = (dataclasses.replace(each, low=0.0, high=0.0, spread=1.0, centre=None) for each in choice)
    function = _normal_equations(tuple(plain), given.spin_up, given.measured.shape[1])

    def evaluate(coordinates: Vector) -> tuple[Vector, ...]:
        found = function(jnp.asarray(coordinates, mean.dtype), *arguments)
        return tuple(np.asarray(each, float) for each in found)

    return evaluate


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
    age = (given.starts.max() - given.starts).astype("timedelta64[s]").astype(float) / 86400.0
    return np.asarray(0.5 ** (age / HALF_LIFE))


@functools.cache
def _normal_equations(choice: tuple[Adjustable, ...], spin_up: int, count: int) -> Callable[..., Any]:
    """Robust loss, its gradient and its Gauss-Newton curvature, as one compiled function.

    `choice` has spreads of 1, so that one function serves all priors; the spreads are an argument of it. It also gives
    what the covariance needs: by quantity the products of weighted slopes, and how residuals pull.
    """
    run, size, share = simulation(SUBSTEPS), len(choice), INDEPENDENT_PER_DAY / 288.0

    def of(coordinates: Any, spreads: Any, twin: Twin, drive: Any, mean: Any, free: Any, measured: Any, scales: Any,
           weights: Any) -> Any:  # fmt: skip
        known = jnp.isfinite(measured)[:, None]
        target = jnp.nan_to_num(measured)[:, None]

        def residuals(places: Any) -> Any:
            simulated = run(moved(twin, choice, places * spreads[:, None]), drive, mean, free)[spin_up:]
            apart = simulated.reshape(-1, size, count, simulated.shape[-1])
            return jnp.where(known, (apart - target) / scales, 0.0)

        directions = jnp.repeat(jnp.eye(size, dtype=coordinates.dtype), count, axis=1)
        copies, changes = jax.jvp(residuals, (jnp.broadcast_to(coordinates[:, None], directions.shape),), (directions,))
        value = copies[:, 0].reshape(-1)
        slopes = jnp.moveaxis(changes, 1, 0).reshape(size, -1)
        root = jnp.sqrt(1.0 + value * value)
        counts = share * jnp.broadcast_to(weights[:, None], copies[:, 0].shape).reshape(-1)
        weighted = slopes * counts / root  # the weights of iteratively reweighted least squares
        pulls = (value / root).reshape(copies[:, 0].shape)
        each = (slopes * counts).reshape(size, -1, pulls.shape[-1])
        squares = jnp.einsum("arq,brq->qab", each, each)
        return jnp.sum(counts * (root - 1.0)), weighted @ value, weighted @ slopes.T, squares, pulls

    return jax.jit(of)


def _as_numbers(twin: Twin) -> Twin:
    return jax.tree.map(float, twin)
