"""Local search for the best sequence of choices: steepest ascent over changes of one step and moves between
two steps.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-6  # of the largest value at hand: a gain below it is one of rounding

Choices = NDArray[np.int32]  # one per step
Values = Callable[[Choices], NDArray[np.float64]]  # of many sequences (candidates, steps)


def neighbours(plan: Choices, choices: int) -> Choices:
    """Return all sequences in which one step has another choice, with or without another step set to the choice 0.

    The latter moves a dose from one week to another, which two single changes could reach only through a worse plan.
    """
    steps = len(plan)
    step, choice = (each.ravel() for each in np.meshgrid(np.arange(steps), np.arange(choices), indexing="ij"))
    changed = np.repeat(plan[None], len(step), axis=0)
    changed[np.arange(len(step)), step] = choice
    parts = [changed]
    for given in np.flatnonzero(plan):
        moved = changed.copy()
        moved[:, given] = np.where(step == given, moved[:, given], 0)
        parts.append(moved)
    every = np.unique(np.concatenate(parts), axis=0)
    return every[np.any(every != plan, axis=1)]


def climb(plan: Choices, choices: int, values: Values, rounds: int) -> tuple[Choices, list[float]]:
    """Return the plan that no change or move of one step improves, and the values on the way there."""
    best = float(_comparable(values(plan[None]))[0])
    history = [best]
    for _ in range(rounds):
        tried = neighbours(plan, choices)
        found = _comparable(values(tried))
        top = int(np.argmax(found))
        if not float(found[top]) - best > ROUNDING * np.abs(found[np.isfinite(found)]).max(initial=0.0):
            break
        plan, best = tried[top], float(found[top])
        history.append(best)
    return plan, history


def _comparable(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values in which -inf stands for NaN, so that any other value is higher."""
    return np.where(np.isnan(found), -np.inf, found)
