"""What greenhouse episodes came to: profit, yield, consumption, time within bounds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.greenhouse.reward import CONSTRAINTS
from phytotron.evaluation.comparison import confidence_interval as confidence_interval
from phytotron.evaluation.rollout import Episodes

Numbers = NDArray[np.float64]


class Performance(NamedTuple):
    """One number per episode; totals per square metre of floor, shares of the time from 0 to 1."""

    episode_return: Numbers
    profit: Numbers  # €
    harvest: Numbers  # kg of fresh fruit
    gas: Numbers  # m3
    co2: Numbers  # kg
    electricity: Numbers  # kWh
    temperature_in_bounds: Numbers
    co2_in_bounds: Numbers
    humidity_in_bounds: Numbers

    def means(self) -> dict[str, float]:
        """Averages over the episodes."""
        return {name: float(np.mean(values)) for name, values in self._asdict().items()}


def performance(env: Greenhouse, episodes: Episodes) -> Performance:
    """Totals of every episode; steps after its end do not count."""
    active = np.asarray(episodes.active)

    def total(series: Any) -> Numbers:
        return np.where(active, np.asarray(series, np.float64), 0.0).sum(axis=1)

    def share(name: str) -> Numbers:
        kept = np.asarray(episodes.info["costs"][name]) == 0.0
        return (kept & active).sum(axis=1) / active.sum(axis=1)

    dry_matter = float(np.mean(np.asarray(env.default_params.model.fruit_dry_matter)))
    return Performance(
        total(episodes.reward),
        total(episodes.info["profit"]),
        total(episodes.info["harvest"]) / dry_matter,
        total(episodes.info["gas"]),
        total(episodes.info["co2"]),
        total(episodes.info["electricity"]),
        *(share(name) for name in CONSTRAINTS),
    )
