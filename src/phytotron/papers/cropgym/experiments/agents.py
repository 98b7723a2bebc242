"""Scores of the agents without learning on some seasons, and the rows of a table of the paper for them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import numpy as np
from numpy.typing import NDArray

from phytotron.environments.wheat.single_dose import Practice, ceres, single_dose, standard_practice
from phytotron.evaluation.statistics.estimates import Estimate, median
from phytotron.papers.cropgym.experiments.climates import Seasons, northern_training
from phytotron.papers.cropgym.numbers import Agents
from phytotron.papers.result import Row, Settings
from phytotron.weather.field_weather import FieldWeather

PAPER_DOSE = 170.7  # kg ha-1, of SP
CERES, SP, SP_PAPER, ZERO = "Ceres", "SP", f"SP, {PAPER_DOSE:g} kg/ha", "no nitrogen"
# name, unit, and how it follows from a practice
QUANTITIES: tuple[tuple[str, str, Callable[[Practice], Any]], ...] = (
    ("cumulative reward", "g m-2", lambda practice: practice.episode_return),
    ("nitrogen", "kg ha-1", lambda practice: practice.dose),
    ("yield", "t ha-1", lambda practice: practice.tonnes),
)


class Season(NamedTuple):
    """Characteristics of growing seasons from 1 January to the harvest; one number per season."""

    temperature: NDArray[np.float64]  # °C, the mean of the daily extremes
    rain: NDArray[np.float64]  # mm d-1
    days: NDArray[np.float64]


class Tuned(NamedTuple):
    """Standard Practice: the dose that is best on average over the northern training seasons."""

    dose: float  # kg ha-1
    training: Seasons

    @property
    def note(self) -> str:
        """Return a note on the seasons that it was tuned on, and its dose."""
        return f"Training, for SP: {self.training.described}; the best dose is {self.dose:.1f} kg/ha."


def tuned(settings: Settings) -> Tuned:
    """Return the standard Practice, tuned on the training seasons at hand."""
    settings.progress("standard practice, on the training seasons", 0.1)
    training = northern_training(settings.weather).cut(settings.quick)
    with jax.enable_x64(True):
        return Tuned(float(standard_practice(training.weather).dose[0]), training)


def in_hindsight(weather: FieldWeather) -> Practice:
    """Return Ceres, tuned on each of these seasons, in float64."""
    with jax.enable_x64(True):
        return ceres(weather)


def with_dose(weather: FieldWeather, dose: float) -> Practice:
    """Return the same dose [kg ha-1] in each of these seasons, in float64."""
    with jax.enable_x64(True):
        return single_dose(weather, dose)


def practices(weather: FieldWeather, dose: float) -> dict[str, Practice]:
    """Return Ceres, tuned on these seasons.

    SP with the dose of the training seasons, and with the paper's; no nitrogen.
    """
    doses = {SP: dose, SP_PAPER: PAPER_DOSE, ZERO: 0.0}
    return {CERES: in_hindsight(weather)} | {name: with_dose(weather, each) for name, each in doses.items()}


def growing_seasons(weather: FieldWeather, practice: Practice) -> Season:
    """Return averages over the days up to the harvest, whose day depends on the weather only."""
    days = np.asarray(practice.harvest, float) + 1.0
    grown = np.arange(weather.days) < days[:, None]

    def mean(name: str) -> NDArray[np.float64]:
        return np.where(grown, np.asarray(weather.series(name), float), 0.0).sum(axis=1) / days

    warm = 0.5 * (mean("minimum_temperature") + mean("maximum_temperature"))
    return Season(warm, mean("rain"), days)


def agent_rows(found: dict[str, Practice], paper: Agents, prefix: str = "") -> list[Row]:
    """Return medians and the ends of their intervals, beside those of the paper's agent of the same name."""
    rows = []
    for agent, practice in found.items():
        published = paper.get(agent.partition(",")[0], {})
        for quantity, unit, of in QUANTITIES:
            if agent == ZERO and quantity != "yield":
                continue  # 0 by definition
            rows += estimate_rows(prefix + agent, quantity, unit, median(of(practice)), published.get(quantity))
    return rows


def median_rows(setting: str, practice: Practice, paper: Mapping[str, Estimate]) -> list[Row]:
    """Return medians over the seasons, without intervals."""
    return [
        Row(setting, quantity, unit, np.median(of(practice)), paper=paper[quantity].value)
        for quantity, unit, of in QUANTITIES
    ]


def estimate_rows(setting: str, quantity: str, unit: str, ours: Estimate, paper: Estimate | None) -> list[Row]:
    """Return rows of an estimate and of the ends of its interval."""
    printed = paper or (None, None, None)
    labels = (quantity, f"{quantity}, 95 % from", f"{quantity}, 95 % to")
    return [
        Row(setting, label, unit, value, paper=published)
        for label, value, published in zip(labels, ours, printed, strict=True)
    ]


def season_rows(setting: str, season: Season, paper: tuple[float, float, float]) -> list[Row]:
    """Return medians over the seasons: temperature, rain, length."""
    kinds = (("temperature of the season", "°C"), ("rain of the season", "mm d-1"), ("length of the season", "d"))
    return [
        Row(setting, quantity, unit, np.median(values), paper=published)
        for (quantity, unit), values, published in zip(kinds, season, paper, strict=True)
    ]


def per_season(weather: FieldWeather, found: dict[str, Practice]) -> dict[str, Any]:
    """Return every season's numbers, by agent and quantity."""
    by_agent = {
        agent: {quantity: np.asarray(of(practice), float).tolist() for quantity, _, of in QUANTITIES}
        for agent, practice in found.items()
    }
    return {"season": [weather.label(row) for row in range(weather.seasons)], "agents": by_agent}
