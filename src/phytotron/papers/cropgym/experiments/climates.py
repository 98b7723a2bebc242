"""The seasons of the paper's two climates, or the nearest that are at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from phytotron.papers.cropgym.experiments.points import seasons_near
from phytotron.papers.cropgym.numbers import NORTH, SOUTH, TRAINING_SITES, YEARS
from phytotron.weather.archive import load_part, missing_of
from phytotron.weather.field_weather import FieldWeather, concatenated, named_field_weather
from phytotron.weather.splits import find_split

NORTHERN, SOUTHERN = "cropgym", "cropgym_south"
GENERATED = "generated:france48n"
EVEN, ODD = YEARS[::2], YEARS[1::2]
NEAR = 100.0  # km
FEWEST = 4  # seasons that make a median
QUICK = 6  # seasons of a part, for a first look

Site = tuple[float, float]  # °N, °E


@dataclass(frozen=True)
class Seasons:
    """Seasons and where they come from."""

    weather: FieldWeather
    origin: str
    exact: bool = False  # the paper's own points and years
    name: str | None = None  # under which an environment finds them

    def cut(self, quick: bool) -> Seasons:
        """For a first look, the first ones only."""
        return Seasons(self.weather.of(range(min(QUICK, self.weather.seasons))), self.origin) if quick else self

    @property
    def described(self) -> str:
        """How many they are, their years and their origin."""
        years = sorted({int(year) for year in self.weather.year})
        return f"{self.weather.seasons} seasons, {years[0]}-{years[-1]}, {self.origin}"


def northern_training(folder: Path | None) -> Seasons:
    """Odd years at the three training sites."""
    if folder is None:
        name = "embedded_wheat:train"
        return Seasons(named_field_weather(name), "Wageningen, embedded, odd years", name=name)
    return _in_folder(folder, (NORTHERN, "train"), "the paper's three points", TRAINING_SITES, ODD, "odd years")


def northern_test(folder: Path | None) -> Seasons:
    """Even years at (52 N, 5.5 E)."""
    if folder is None:
        even = concatenated([named_field_weather(f"embedded_wheat:{part}") for part in ("test", "validation")])
        by_year = sorted(range(even.seasons), key=lambda row: int(even.year[row]))
        return Seasons(even.of(by_year), "Wageningen, embedded, even years")
    return _in_folder(folder, (NORTHERN, "test"), "(52 N, 5.5 E)", (NORTH,), EVEN, "even years")


def southern_test(folder: Path | None) -> Seasons:
    """Even years at (48 N, 0 E); where another point stands in for it, all the paper's years that it holds.

    Nothing is trained on southern weather, so that odd years are as new to every agent as even ones.
    """
    if folder is None:
        return Seasons(named_field_weather(GENERATED), "generator france48n, generated years")
    return _in_folder(folder, (SOUTHERN, "test"), "(48 N, 0 E)", (SOUTH,), YEARS, "odd and even years")


def other_northern_tests(folder: Path | None, used: Seasons) -> list[Seasons]:
    """Even years at the other points near (52 N, 5.5 E), to see what the source of weather does."""
    near = [] if folder is None else seasons_near(folder, NORTH, EVEN, NEAR, FEWEST)
    others = [Seasons(weather, f"{point.name}, even years") for point, weather in near]
    return [each for each in others if each.origin != used.origin]


def even_years(seasons: Seasons) -> Seasons:
    """Those of the paper's test years."""
    chosen = [row for row, year in enumerate(seasons.weather.year) if int(year) % 2 == 0]
    return Seasons(seasons.weather.of(chosen), f"{seasons.origin.rpartition(', ')[0]}, even years", seasons.exact)


def _in_folder(
    folder: Path, part: tuple[str, str], exact: str, sites: Sequence[Site], years: Sequence[int], which: str
) -> Seasons:
    """The paper's own part of a split, where it is complete; else the best point for each of some sites, each once."""
    if not missing_of(find_split(part[0]), part[1:], folder):
        name = ":".join(part)
        parity = "odd" if part[1] == "train" else "even"
        return Seasons(named_field_weather(name, folder), f"{exact}, {parity} years", True, name)
    near = [seasons_near(folder, site, years, NEAR, FEWEST)[:1] for site in sites]
    found = {point.path: (point, weather) for best in near for point, weather in best}
    if not found:
        load_part(*part, folder)  # says what is missing and how to get it
    origin = " and ".join(point.name for point, _ in found.values())
    return Seasons(concatenated([weather for _, weather in found.values()]), f"{origin}, {which}")


CLIMATES: Mapping[str, Callable[[Path | None], Seasons]] = {
    "Northern climate": northern_test,
    "Southern climate": southern_test,
}
