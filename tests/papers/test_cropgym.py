"""Tables 2 and 3 and figure 4 of CropGym: which weather is used, and what the agents without learning come to."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from shared_data import shared

from phytotron.papers import trained as trained_runs
from phytotron.papers.cropgym import figures
from phytotron.papers.cropgym.experiments.climates import (
    Point,
    even_years,
    northern_test,
    northern_training,
    other_northern_tests,
    points_in,
    southern_test,
)
from phytotron.papers.cropgym.experiments.figure1 import figure1
from phytotron.papers.cropgym.experiments.figure4 import figure4
from phytotron.papers.cropgym.experiments.tables import table2, table3
from phytotron.papers.registry import EXPERIMENTS, find_experiment
from phytotron.papers.result import Result, Settings
from phytotron.report.plotting import save
from phytotron.weather.archive import MissingWeatherError
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import write_weather
from phytotron.weather.splits import CROPGYM_SITES, CROPGYM_SOUTH, EVEN, ODD
from phytotron.weather.table import weather_table


@pytest.fixture(autouse=True)
def untrained(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no trained agent came with the package; those are tested in test_cropgym_agents.py."""
    monkeypatch.setattr(trained_runs, "COMMITTED", Path("none"))


def number(result: Result, setting: str, quantity: str) -> float:
    found = [row.ours for row in result.rows if (row.setting, row.quantity) == (setting, quantity)]
    assert len(found) == 1 and found[0] is not None
    return found[0]


def write_point(folder: Path, series: str, years: range) -> None:
    """A point of NASA POWER with the weather of Wageningen in other years."""
    held = embedded_weather("wageningen")
    place = Site(series.removesuffix("_daily"), 52.0, 5.5)
    for year in years:
        part = held.window(date(1976 + year % 4, 1, 1), date(1977 + year % 4, 1, 1))
        columns = {name: np.asarray(part[name]) for name in part.names if name != "filled"}
        assert (year % 4 == 0) == (part.size == 366)
        table = weather_table(columns, date(year, 1, 1), part.interval, place, Provenance("a test", "none"))
        write_weather(table, folder / f"{series}_{year}.csv.gz")


def test_without_a_folder_wageningen_and_the_generator_are_used() -> None:
    training, north, south = northern_training(None), northern_test(None), southern_test(None)
    assert sorted(map(int, training.weather.year)) == list(range(1977, 2000, 2))
    assert list(map(int, north.weather.year)) == list(range(1976, 2000, 2))
    assert south.weather.seasons == 100 and "france48n" in south.described
    assert not (training.exact or north.exact or south.exact)


def test_a_complete_split_is_the_papers_own(tmp_path: Path) -> None:
    for series in CROPGYM_SITES:
        write_point(tmp_path, series, ODD)
    write_point(tmp_path, CROPGYM_SITES[0], EVEN)
    write_point(tmp_path, CROPGYM_SOUTH, EVEN)
    training, north, south = (each(tmp_path) for each in (northern_training, northern_test, southern_test))
    assert training.exact and north.exact and south.exact
    assert (training.weather.seasons, north.weather.seasons, south.weather.seasons) == (48, 16, 16)


def test_an_empty_folder_is_told_what_to_fetch(tmp_path: Path) -> None:
    with pytest.raises(MissingWeatherError, match=r"fetch power --latitude 52 --longitude 5\.5"):
        northern_test(tmp_path)
    with pytest.raises(MissingWeatherError, match="fetch power --latitude 48 --longitude 0"):
        southern_test(tmp_path)


def test_names_of_files_tell_where_they_are(tmp_path: Path) -> None:
    for name in ("a_48.06N_-0.08E_x_1997_2009.csv", "b_10.5S_20W_2001.csv.gz", "nasapower_lat46_lon-120.npz"):
        (tmp_path / name).touch()
    for name in ("c_52N_5E_hourly_2001.csv", "notes.csv", "d_52N_5E.txt"):
        (tmp_path / name).touch()
    places = {(point.latitude, point.longitude) for point in points_in(tmp_path)}
    assert places == {(48.06, -0.08), (-10.5, -20.0), (46.0, -120.0)}


def test_distances_are_those_on_a_sphere() -> None:
    pole = Point(Path("x.csv"), 90.0, 0.0)
    assert pole.distance(0.0, 77.0) == pytest.approx(0.5 * np.pi * 6371.0)
    assert pole.distance(90.0, 0.0) == 0.0


def test_records_of_pcse_come_before_other_points_at_hand() -> None:
    folder = shared("weather")
    north, south, training = northern_test(folder), southern_test(folder), northern_training(folder)
    assert "(52 N, 5 E)" in north.origin and list(map(int, north.weather.year)) == list(range(1990, 2022, 2))
    assert training.weather.seasons == 32 and "(51.5 N, 5 E)" in training.origin
    assert "48.06" in south.origin and even_years(south).weather.seasons == 6
    assert {each.origin.partition(",")[0] for each in other_northern_tests(folder, north)} == {"(51.5 N", "(51.97 N"}


def test_table2_on_what_comes_with_the_package() -> None:
    result = table2(Settings(quick=True))
    assert number(result, "Ceres", "cumulative reward") >= number(result, "SP", "cumulative reward")
    assert number(result, "Ceres", "nitrogen, 95 % from") <= number(result, "Ceres", "nitrogen")
    assert number(result, "no nitrogen", "yield") < number(result, "SP", "yield")
    doses = result.series["agents"]["SP"]["nitrogen"]
    assert len(set(doses)) == 1
    assert json.loads(json.dumps(result.as_dict(), allow_nan=False))["source"].endswith("section 3")


@pytest.mark.slow
def test_near_the_papers_point_the_numbers_are_near_the_papers() -> None:
    result = table2(Settings(shared("weather")))
    for row in result.rows:
        if row.setting in ("Ceres", "SP") and "95 %" not in row.quantity:
            assert row.paper is not None and row.ours == pytest.approx(row.paper, rel=0.1)
    assert number(result, "climate", "length of the season") == pytest.approx(207.5)
    assert any(row.setting.startswith("Ceres at (51.97 N, 5.67 E)") for row in result.rows)


def test_table3_gives_southern_seasons_and_the_similarity() -> None:
    result = table3(Settings(quick=True))
    rows = {row.quantity: row for row in result.rows if row.setting == "climate"}
    assert rows["CCAFS similarity to the north"].paper == 0.573
    assert number(result, "climate", "temperature of the season") > 9.8  # warmer than the north of the paper
    assert any("france48n" in note for note in result.notes)


def test_figure1_maps_the_sites(tmp_path: Path) -> None:
    result = figure1(Settings(quick=True))
    assert result.series["training"] == [[52.0, 5.5], [51.5, 5.0], [52.5, 6.0]]
    assert result.series["southern test"] == [[48.0, 0.0]] and result.series["weather at hand"] == []
    assert result.rows[0].paper == 0.573
    save(find_experiment("cropgym/figure1").draw(result), tmp_path / "figure1.png")
    assert (tmp_path / "figure1.png").stat().st_size > 10_000


def test_figure4_is_drawn_with_a_line_per_agent(tmp_path: Path) -> None:
    result = figure4(Settings(quick=True))
    assert set(result.series) == {"Northern climate", "Southern climate"}
    panel = result.series["Northern climate"]
    line, steep = panel["line_nitrogen"], np.polyfit(panel["rain"], panel["nitrogen"]["Ceres"], 1)
    np.testing.assert_allclose(line["Ceres"], np.polyval(steep, panel["line_rain"]))
    assert line["SP"][0] == pytest.approx(line["SP"][1])
    figure = find_experiment("cropgym/figure4").draw(result)
    assert [len(axes.lines) for axes in figure.axes] == [4, 4]
    save(figure, tmp_path / "figure4.png")
    assert (tmp_path / "figure4.png").stat().st_size > 10_000


def test_the_experiments_are_registered() -> None:
    names = ("table2", "table3", "table4", "figure1", "figure2", "figure3", "figure4", "figure5")
    assert {f"cropgym/{name}" for name in names} <= set(EXPERIMENTS)
    assert {name for name in names if name.startswith("figure")} == {
        name for name in vars(figures) if name.startswith("figure")
    }
