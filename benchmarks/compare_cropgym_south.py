"""Why RL less SP in CropGym's southern climate differs from the paper's: which years, and how much rain they have.

    python benchmarks/compare_cropgym_south.py --weather FOLDER --results FOLDER

`--results` holds the authors' results per year (fixed.csv, upperbound.csv, model-N.csv, model-DQN-N.csv). Prints the
authors' own difference by choice of years, and ours with the rain at hand and with the season's rain of the authors.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path

import jax
import numpy as np

from phytotron.papers.cropgym.experiments import agents, climates
from phytotron.papers.cropgym.experiments.learned import learned
from phytotron.papers.cropgym.experiments.recipes import DQN, PPO
from phytotron.papers.result import Settings
from phytotron.papers.trained import trained
from phytotron.weather.field_weather import INPUTS, FieldWeather

SOUTH = "48;0"
Rows = dict[int, dict[str, float]]


def results(path: Path) -> Rows:
    """Return the southern rows of a file by year: reward [g m-2], rain [mm d-1]."""
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["location"] == SOUTH]
    return {int(row["year"]): {"reward": float(row["reward"]), "rain": 10.0 * float(row["RAIN"])} for row in rows}


def authors(folder: Path, pattern: str, usual: Rows, years: Sequence[int]) -> np.ndarray:
    """Return RL less SP (runs, years)."""
    runs = [results(path) for path in sorted(folder.glob(pattern))]
    return np.array([[run[year]["reward"] - usual[year]["reward"] for year in years] for run in runs])


def with_rain(weather: FieldWeather, mean: Sequence[float], practice: Callable[[FieldWeather], object]) -> FieldWeather:
    """Return the weather with all rain of a season multiplied so that its mean until harvest is this [mm d-1]."""
    season = agents.growing_seasons(weather, practice(weather))  # type: ignore[arg-type]
    factor = np.asarray(mean) / season.rain
    values = np.array(weather.values)
    values[..., INPUTS.index("rain")] *= factor[:, None]
    return dataclasses.replace(weather, values=values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--weather", type=Path, required=True)
    parser.add_argument("--results", type=Path, required=True)
    options = parser.parse_args()
    usual = results(options.results / "fixed.csv")
    with jax.enable_x64(True):
        test = climates.southern_test(options.weather)
    years = [int(year) for year in test.weather.year]
    choices = {"16 even years": [year for year in usual if year % 2 == 0], f"{years[0]}-{years[-1]}": years}
    for name, pattern in (("PPO", "model-[0-9]*.csv"), ("DQN", "model-DQN-*.csv")):
        for label, chosen in choices.items():
            found = authors(options.results, pattern, usual, chosen)
            print(f"authors, {name} less SP, {label}: {np.median(found):+.2f}")
    settings = Settings(weather=options.weather)
    dose = agents.tuned(settings).dose
    rain = [usual[year]["rain"] for year in years]
    scaled = with_rain(test.weather, rain, lambda weather: agents.with_dose(weather, 0.0))
    for label, weather in (("rain at hand", test.weather), ("season's rain of the authors", scaled)):
        practice = agents.with_dose(weather, dose)
        for name, recipe in (("PPO", PPO), ("DQN", DQN)):
            reward = learned(trained(recipe, settings).policies, weather, practice).episode_return
            print(
                f"ours, {name} less SP, {test.described}, {label}: {np.median(reward - practice.episode_return):+.2f}"
            )


if __name__ == "__main__":
    main()
