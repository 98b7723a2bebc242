"""The greenhouse as the published code of GreenLight-Gym has it, where that differs from the paper."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import ClassVar

from phytotron.core.presentation import Presentation
from phytotron.environments.greenhouse import presentation as shown
from phytotron.environments.greenhouse.environment import PAPER_SET, Greenhouse
from phytotron.environments.observing import ObservationChoice
from phytotron.models.greenlight import Equations, published

TEMPERATURE_OFFSET = 1.5  # °C, added to the outdoor temperature
SOLVER_STEP = 1.0  # s


def _presentation(env: Greenhouse) -> Presentation:
    """Return the presentation of the task, under a title of its own."""
    return dataclasses.replace(shown.presentation(env), title="Tomato greenhouse of GreenLight-Gym's code")


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class GreenLightGym(Greenhouse):
    """Keep a tomato greenhouse profitable, and its climate within bounds, as GreenLight-Gym's published code has it.

    Task, options, reward and baselines are those of `phytotron/Greenhouse-v0`, which follows the paper's text. In this
    one the rule-based controller earns what table 11 of the paper says, and the agents of the paper are trained in it.

    Observation
        Array (18,), as there, but outdoor vapour pressure [Pa] and CO2 [mg m-3] in place of relative humidity [%] and
        CO2 [ppm], and a day of the year that is counted modulo 365.2425.
    Weather
        1.5 °C are added to the outdoor temperature of names, files and tables, relative humidity being kept. A
        `GreenhouseWeather` is taken as it is.
    Model
        The equations of the published code (`models.greenlight.published`), among them another NIR balance.
    Harvest
        The code sums the harvest of each second before it happens.
    End
        Not copied: the code ends an episode as terminated, with a last reward of 0.

    >>> env = GreenLightGym(reward="additive")
    >>> env.observation_space.shape
    (18,)

    Version history
        v0: first release.
    """

    id: ClassVar[str] = "phytotron/GreenLightGym-v0"
    temperature_offset: ClassVar[float] = TEMPERATURE_OFFSET
    presentation = cached_property(_presentation)

    observation: ObservationChoice = "published_code"
    equations: Equations = dataclasses.field(default_factory=lambda: published(PAPER_SET))
    harvest_step: float = SOLVER_STEP
