"""Training of the agents, and the greenhouse for it: PPO with each of the paper's rewards, five seeds.

The greenhouse is that of the published code, in which the rule-based controller earns what table 11 says (3.97 € m-2);
in that of the paper's text it does not. Agents begin at random, as in the paper, and earn more than its agents, as what
the crop grows counts when it grows; docs/papers.md has what was tried.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from phytotron.environments.greenhouse import Greenhouse, GreenLightGym
from phytotron.environments.greenhouse.greenlight_gym import TEMPERATURE_OFFSET
from phytotron.papers.trained import Recipe, Task, Trained
from phytotron.weather.archive import load_years
from phytotron.weather.greenhouse_weather import DatedWeather, GreenhouseWeather, concatenated, greenhouse_weather
from phytotron.weather.splits import SCHIPHOL

TRAINING_YEARS = range(2011, 2021)
EMBEDDED_TRAINING_YEARS = range(2008, 2011)
TRAINING_DAYS = (59, 244)  # 1 March to 1 September, in days since 1 January
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
        "extended": ["published_code", "state", "control"],
        "forecast": ["published_code", "state", "control", "day_ahead"],
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


def weather_of(folder: Path | None, years: Sequence[int], series: str, code: bool = True) -> GreenhouseWeather:
    """Return the weather of some years, as the published code has it or as the paper's text."""
    offset = TEMPERATURE_OFFSET if code else 0.0
    tables = load_years(series, sorted(years), folder)
    return concatenated([greenhouse_weather(table, temperature_offset=offset) for table in tables])


def training_years(folder: Path | str | None) -> range:
    """Return the training years of the paper, or without a folder the embedded ones."""
    return EMBEDDED_TRAINING_YEARS if folder is None else TRAINING_YEARS


def training_options(folder: Path | None, reward: Any, **options: Any) -> dict[str, Any]:
    """Return options of episodes from any day of the growing season of 2011-2020, or without a folder of the embedded
    years.
    """
    series = "schiphol" if folder is None else SCHIPHOL
    years, days = list(training_years(folder)), list(TRAINING_DAYS)
    return {"reward": reward, "weather": series, "years": years, "start_day": days, **options}


def training_task(folder: Path | str | None, reward: Any, **options: Any) -> GreenLightGym:
    """Return the greenhouse of the published code with these options.

    Commands take it by "module:training_task", with --option folder=FOLDER --option reward=NAME.
    """
    folder = None if folder is None else Path(folder)
    return GreenLightGym(**training_options(folder, reward, **options), weather_folder=folder)


def windows_task(
    folder: Path | None, dates: Sequence[date], series: str, code: bool = True, **options: Any
) -> Greenhouse:
    """Return the greenhouse of the published code, or of the paper's text, with one episode from each date."""
    weather = weather_of(folder, sorted({start.year for start in dates}), series, code)
    made = GreenLightGym if code else Greenhouse
    return made(**{"weather": DatedWeather(weather, tuple(dates))} | options)


def recipe(reward: str) -> Recipe:
    """Return the recipe of five seeds with a reward."""

    def task(folder: Path | None) -> Task:
        return Task(training_task(folder, reward, substeps=COARSE), training_options(folder, reward, substeps=COARSE))

    return Recipe(f"greenlight_gym/{reward}", task, "ppo", "from-scratch", {}, range(5), QUICK, range(2))


def gradient_recipe(reward: str, observation: str = "paper") -> Recipe:
    """Return the recipe of five seeds with a reward by gradients; `observation`: one of OBSERVATIONS."""

    def task(folder: Path | None) -> Task:
        chosen = {"observation": OBSERVATIONS[observation], "substeps": COARSE}
        return Task(training_task(folder, reward, **chosen), training_options(folder, reward, **chosen))

    name = f"greenlight_gym/{reward}_gradients" + ("" if observation == "paper" else f"_{observation}")
    return Recipe(name, task, "apg", "from-grower", CHANGES[observation], range(5), QUICK_GRADIENTS, range(2))


def years_of(run: Trained) -> tuple[int, ...]:
    """Return the years that an agent was trained on."""
    return tuple(run.options["years"])
