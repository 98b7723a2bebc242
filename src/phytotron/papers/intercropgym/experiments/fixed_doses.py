"""What a farmer who decides before the season can get from two crops: the best fixed doses on some seasons.

Found by trying all of them: every dose of the ladder, from every decision on, once to `MOST` times with four weeks in
between; and every dose at all decisions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import PhytotronError
from phytotron.core.spaces import Discrete
from phytotron.environments.field.controllers import Schedule
from phytotron.environments.intercrop import TwoCrops
from phytotron.evaluation.scores import Scores, evaluate_stacked

MOST = 4  # applications
APART = 28  # d


class FixedDose(NamedTuple):
    """A schedule that was chosen on some seasons, and what it came to on each of these."""

    schedule: Schedule
    dose: float  # kg ha-1, of one application
    decisions: tuple[int, ...]  # at which it is given, from 0 on
    returns: NDArray[np.float64]


def best_fixed_dose(environment: TwoCrops, seasons: int | None = None) -> FixedDose:
    """The dose, the time and the number of applications that are best on average.

    Over all seasons of the environment, or over so many, evenly spread.
    """
    return _best(environment, fixed_doses(environment), seasons)


def best_constant_dose(environment: TwoCrops, seasons: int | None = None) -> FixedDose:
    """The dose that is best on average if it is given at every decision; it may be none."""
    doses = np.arange(_actions(environment), dtype=np.int32)
    return _best(environment, np.repeat(doses[:, None], environment.episode_steps, axis=1), seasons)


def best_by_season(environment: TwoCrops) -> NDArray[np.float64]:
    """The return of the fixed dose that is best in each season, as if its weather were known."""
    returns = evaluate_stacked(environment, Schedule(jnp.asarray(fixed_doses(environment)))).values["return"]
    found: NDArray[np.float64] = returns.max(axis=0)
    return found


def evaluate_schedules(environment: TwoCrops, schedules: list[Schedule]) -> Scores:
    """One row per schedule."""
    return evaluate_stacked(environment, Schedule(jnp.stack([each.actions for each in schedules])))


def fixed_doses(environment: TwoCrops) -> NDArray[np.int32]:
    """All schedules (rows) that are tried; the first gives nothing."""
    decisions, apart = environment.episode_steps, max(1, round(APART / environment.interval))
    rows = [np.zeros(decisions, np.int32)]
    for dose in range(1, _actions(environment)):
        for count in range(1, MOST + 1):
            for first in range(decisions - (count - 1) * apart):
                row = np.zeros(decisions, np.int32)
                row[first + apart * np.arange(count)] = dose
                rows.append(row)
    return np.stack(rows)


def _best(environment: TwoCrops, tried: NDArray[np.int32], seasons: int | None) -> FixedDose:
    returns = evaluate_stacked(environment, Schedule(jnp.asarray(tried)), episodes=seasons).values["return"]
    best = int(np.argmax(returns.mean(axis=1)))
    actions: Any = tried[best]
    given = tuple(np.flatnonzero(actions).tolist())
    action = actions[given[0]] if given else 0
    dose = environment.processing.decision(jnp.asarray(action), environment.precision).nitrogen
    return FixedDose(Schedule(jnp.asarray(actions)), float(dose), given, returns[best])


def _actions(environment: TwoCrops) -> int:
    space = environment.action_space
    if not isinstance(space, Discrete):
        raise PhytotronError(f"{environment.id} has continuous doses; give a ladder, e.g. doses=(0, 20, 40)")
    return int(space.n)
