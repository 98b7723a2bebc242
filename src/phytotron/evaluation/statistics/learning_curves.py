"""Stability of training, read from learning curves (runs, points); van Laatum et al., GreenLight-Gym, section 3.3.4.

Their learning curve is the return averaged over the last 100 episodes: `smoothed(returns, 100)`.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from phytotron.core.errors import ShapeError, ValueRangeError
from phytotron.evaluation.statistics.comparison import finite_numbers

Numbers = NDArray[np.float64]


def smoothed(curves: ArrayLike, window: int) -> Numbers:
    """Return the average over the last `window` points, or over fewer at the beginning, as (..., points)."""
    values = finite_numbers("the curves", curves)
    if not values.ndim or not values.size:
        raise ShapeError("the curves", "(..., points)", values.shape, "at least one point")
    if window < 1:
        raise ValueRangeError("window", window, "at least 1 point")
    first = np.cumsum(values[..., : window - 1], axis=-1)
    first /= np.arange(1, first.shape[-1] + 1)
    if first.shape[-1] == values.shape[-1]:
        return first
    rest = sliding_window_view(values, window, axis=-1).mean(axis=-1)
    return np.concatenate([first, rest], axis=-1)


def coefficient_of_variation(curves: ArrayLike) -> Numbers:
    """Return the standard deviation over runs divided by the absolute value of their mean, at each point (points,);
    never NaN.

    The deviation is that of a sample (one degree of freedom less). Where the mean is 0 the ratio is infinite, or 0 if
    the runs are equal.
    """
    values = _curves(curves, least_runs=2)
    deviation, mean = values.std(axis=0, ddof=1), np.abs(values.mean(axis=0))
    no_mean = np.where(deviation > 0.0, np.inf, 0.0)
    with np.errstate(over="ignore"):
        return np.divide(deviation, mean, out=no_mean, where=mean > 0.0)


def convergence_rate(steps: ArrayLike, curves: ArrayLike) -> Numbers:
    """Return the gradient of the mean learning curve per step (points,), for `steps` (points,) of any spacing."""
    values = _curves(curves, least_runs=1)
    at = finite_numbers("the steps", steps)
    points = values.shape[1]
    if points < 2:
        raise ShapeError("the curves", "(runs, points) with at least 2 points", values.shape, "a slope needs two")
    if at.shape != (points,):
        raise ShapeError("the steps", f"({points},)", at.shape, "one number per point of the curves")
    if not np.all(np.diff(at) > 0.0):
        raise ValueRangeError("the steps", at.tolist(), "numbers that rise from point to point")
    return np.asarray(np.gradient(values.mean(axis=0), at))


def _curves(curves: ArrayLike, least_runs: int) -> Numbers:
    """Return checked curves as an array (runs, points)."""
    values = finite_numbers("the curves", curves)
    if values.ndim != 2 or len(values) < least_runs or not values.size:
        meaning = f"one row per run, at least {least_runs}, and one column per point of its curve"
        raise ShapeError("the curves", "(runs, points)", values.shape, meaning)
    return values
