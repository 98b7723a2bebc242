"""The course of a greenhouse episode, as figures and tables want it."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from phytotron.environments.greenhouse import Greenhouse
from phytotron.evaluation.rollout import Episodes
from phytotron.models.greenlight import Control, State, Weather


class Course(NamedTuple):
    """Series over control intervals: the state at the start of each, control and weather during it."""

    states: State
    controls: Control
    weather: Weather
    interval: float  # s


def course(env: Greenhouse, episodes: Episodes, index: int = 0) -> Course:
    """The course of one of the episodes, up to its end."""
    steps = int(episodes.active[index].sum())
    mine: Any = jax.tree.map(lambda series: series[index, :steps], episodes.state)
    last: Any = jax.tree.map(lambda value: value[index], episodes.final)
    # the positions during an interval are those of the state that follows it
    controls = jax.tree.map(lambda series, end: jnp.append(series[1:], end), mine.control, last.control)
    weather = jax.vmap(env.clock.weather, (None, 0, 0))(env.default_params.weather, mine.start_day, mine.step)
    return Course(mine.model, controls, weather, float(env.control_interval))
