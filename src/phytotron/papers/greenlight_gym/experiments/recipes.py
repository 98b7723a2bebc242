"""This module defines how the agents are trained, and in which greenhouse: PPO with each of the paper's rewards, five
seeds.

The greenhouse is that of the published code, in which the rule-based controller earns what table 11 says (3.97 € m-2);
in that of the paper's text it does not. Agents begin at random, as in the paper, and earn more than its agents, as what
the crop grows counts when it grows; docs/papers.md has what was tried.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from phytotron.environments.glasshouse.windows import choose_weather
from phytotron.environments.greenhouse import Greenhouse, published_code
from phytotron.environments.greenhouse.observations import Forecast
from phytotron.environments.greenhouse.variants import TEMPERATURE_OFFSET
from phytotron.papers.trained import Recipe, Task, Trained
from phytotron.weather.archive import load_years
from phytotron.weather.greenhouse_weather import Days, GreenhouseWeather, concatenated, greenhouse_weather
from phytotron.weather.splits import SCHIPHOL

TRAINING_YEARS = range(2011, 2021)
EMBEDDED_TRAINING_YEARS = range(2008, 2011)
TRAINING_DAYS = (59, 244)  # 1 March to 1 September, of 0 for 1 January
# A first look: small networks that begin as the rule-based controller, few environments, so that whole episodes come
# to their end.
QUICK: Mapping[str, Any] = MappingProxyType(
    {"steps": 150_000, "num_envs": 16, "rollout": 64, "minibatch": 256, "actor": (64, 64), "critic": (64, 64)}
    | {"imitate": "rule-based", "imitation_rounds": 200, "critic_first": 10, "initial_log_std": -1.5}
)
QUICK_GRADIENTS: Mapping[str, Any] = MappingProxyType(
    {"steps": 460_800, "num_envs": 16, "actor": (64, 64), "imitation_rounds": 50}
)
REWARDS = ("additive", "multiplicative")
# What agents that learn by gradients see: what the published code shows, the state of the greenhouse, the next day.
OBSERVATIONS: Mapping[str, Any] = MappingProxyType(
    {
        "paper": "published_code",
        "extended": ("published_code", "state", "control"),
        "forecast": ("published_code", "state", "control", Forecast(hours=24, means_until=(1, 3, 6, 12, 24))),
    }
)
# How settings of their training differ from those of the preset.
CHANGES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "paper": {},
        "extended": {"steps": 11_059_200},
        "forecast": {"learning_rate": 8e-3, "max_action_gradient": 1.0},
    }
)
COARSE = 8  # sub-steps of an interval in their training; they are judged with 20


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class WindowedGreenhouse(Greenhouse):
    """A greenhouse with one episode from each of some dates."""

    plans_ignore: ClassVar[frozenset[str]] = Greenhouse.plans_ignore | {"dates"}

    dates: tuple[date, ...]

    @cached_property
    def windows(self) -> tuple[GreenhouseWeather, Days]:
        weather, days = choose_weather(self.weather, None, None, self.episode_days, None)
        return weather, days[np.isin(weather.dates[days], np.asarray(self.dates, "datetime64[D]"))]


def task_options(folder: Path | str | None, years: Sequence[int], series: str, code: bool = True) -> dict[str, Any]:
    """Return options of the greenhouse with the weather of some years: of the published code, or of the paper's
    text.
    """
    folder = None if folder is None else Path(folder)
    tables, offset = load_years(series, sorted(years), folder), TEMPERATURE_OFFSET if code else 0.0
    weather = concatenated([greenhouse_weather(table, temperature_offset=offset) for table in tables])
    return (published_code(tables[0]) if code else {}) | {"weather": weather}


def training_years(folder: Path | str | None) -> range:
    """Return the training years of the paper, or without a folder the embedded ones."""
    return EMBEDDED_TRAINING_YEARS if folder is None else TRAINING_YEARS


def training_task(folder: Path | str | None, reward: Any, **options: Any) -> Greenhouse:
    """Return episodes from any day of the growing season of 2011-2020; without a folder, of the embedded training
    years.

    Commands take it by "module:training_task", with --option folder=FOLDER --option reward=NAME.
    """
    series = "schiphol" if folder is None else SCHIPHOL
    made = task_options(folder, training_years(folder), series)
    return Greenhouse(**made | {"reward": reward, "start_day": TRAINING_DAYS} | options)


def windows_task(
    folder: Path | None, dates: Sequence[date], series: str, code: bool = True, **options: Any
) -> WindowedGreenhouse:
    """Return the greenhouse of the published code, or of the paper's text, with one episode from each date."""
    made = task_options(folder, sorted({start.year for start in dates}), series, code)
    return WindowedGreenhouse(**made | {"dates": tuple(dates)} | options)


def recipe(reward: str) -> Recipe:
    """Return the recipe of five seeds with a reward."""

    def task(folder: Path | None) -> Task:
        options = {
            "task": "published code of GreenLight-Gym",
            "reward": reward,
            "series": "schiphol",
            "years": list(training_years(folder)),
            "start_day": list(TRAINING_DAYS),
            "substeps": COARSE,
        }
        return Task(training_task(folder, reward, substeps=COARSE), options)

    return Recipe(f"greenlight_gym/{reward}", task, "ppo", "from-scratch", {}, range(5), QUICK, range(2))


def gradient_recipe(reward: str, observation: str = "paper") -> Recipe:
    """Return the recipe of five seeds with a reward by gradients through the model; `observation`: one of
    OBSERVATIONS.
    """

    def task(folder: Path | None) -> Task:
        options = {**recipe(reward).task(folder).options, "observation": observation}
        return Task(training_task(folder, reward, observation=OBSERVATIONS[observation], substeps=COARSE), options)

    name = f"greenlight_gym/{reward}_gradients" + ("" if observation == "paper" else f"_{observation}")
    return Recipe(name, task, "apg", "from-grower", CHANGES[observation], range(5), QUICK_GRADIENTS, range(2))


def years_of(run: Trained) -> tuple[int, ...]:
    """Return the years that an agent was trained on."""
    return tuple(run.options["years"])
