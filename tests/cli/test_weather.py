"""`phytotron weather`, as a user types it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner
from weather_files import knmi_hourly

from phytotron.cli import app
from phytotron.cli.options import environment_options
from phytotron.core.errors import PhytotronError
from phytotron.weather.archive import named_weather
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.sources import read_weather, write_weather
from phytotron.weather.splits import SPLITS

runner = CliRunner()


def run(*arguments: object) -> str:
    """The output of a command that must succeed."""
    result = runner.invoke(app, ["weather", *map(str, arguments)])
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.stdout


def object_of(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json"))


@pytest.fixture
def week(tmp_path: Path) -> Path:
    path = tmp_path / "week.csv"
    write_weather(embedded_weather("schiphol").window(date(2012, 2, 27), date(2012, 3, 5)), path)
    return path


def test_list_names_what_is_there_and_how_to_get_the_rest(tmp_path: Path, week: Path) -> None:
    (tmp_path / "knmi_240_hourly_2012.csv").write_bytes(week.read_bytes())
    text = run("list", "--folder", tmp_path)
    assert "phytotron weather fetch knmi --station 240 --years 2001-2020" in text
    found = object_of("list", "--folder", tmp_path)
    assert set(found["embedded"]) == {"schiphol", "wageningen"}
    assert found["generator"] == ["schiphol", "wageningen", "france48n"]
    assert found["series"] == {"knmi_240_hourly": [2012]}
    assert found["splits"]["embedded"]["missing"] == []
    assert 2012 not in found["splits"]["greenlight_gym"]["missing"][0]["years"]


def test_list_says_what_is_wrong_with_a_split_of_another_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_splits.py").write_text("from phytotron.weather.splits import Split\nSPLIT = Split('seasons')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(SPLITS, "_entries", dict(SPLITS._entries))
    SPLITS.register("seasons", "own_splits:SPLIT")
    SPLITS.register("folder", Path())
    text = run("list", "--folder", tmp_path)
    wrong = "the weather split 'seasons' cannot be imported from own_splits:SPLIT: TypeError: Split.__init__() missing"
    assert wrong in text and "the weather split 'folder' is an object of the type PosixPath; expected a" in text
    assert any("embedded" in line and "ready" in line for line in text.splitlines())
    listed = object_of("list", "--folder", tmp_path)
    assert list(listed["broken_splits"]) == ["folder", "seasons"] and "embedded" in listed["splits"]
    with pytest.raises(PhytotronError, match="the weather split 'seasons' cannot be imported from own_splits:SPLIT"):
        named_weather("seasons:test", "daily")


def test_variables_are_listed_with_their_units() -> None:
    assert "air_temperature" in run("variables")
    found = object_of("variables")
    assert found["air_temperature"]["unit"] == "°C" and "k" in found["air_temperature"]["converted"]
    assert found["oktas"]["unit"] == "oktas"


def test_check_says_which_seasons_a_field_finds(tmp_path: Path) -> None:
    days, path = embedded_weather("wageningen"), tmp_path / "days.csv"
    for end, words in (
        (date(1977, 9, 1), "of 1976"),
        (date(1979, 1, 1), "of 1976 to 1978"),
        (date(1976, 5, 1), "none"),
    ):
        write_weather(days.window(date(1976, 1, 1), end), path)
        assert f"for a field: yes, with whole seasons (1 January to 1 September): {words}\n" in run("check", path)


def test_check_says_what_is_in_a_file(week: Path) -> None:
    text = run("check", week)
    assert "Schiphol (52.318 N, 4.79 E, -3.3 m)" in text
    assert "2012-02-27 00:00 to 2012-03-05 00:00 UTC, 168 rows of 3600 s" in text
    found = object_of("check", week, "--first", "2012-02-29", "--last", "2012-02-29")
    assert (found["rows"], found["start"]) == (24, "2012-02-29T00:00:00+00:00")
    assert found["columns"]["air_temperature"]["unit"] == "°C"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--first", "29 February"), "--first is '29 February'; expected a date such as 2011-03-01"),
        (("--place", "52,5"), "LATITUDE,LONGITUDE,ELEVATION"),
        (("--format", "knmy"), "did you mean 'knmi'"),
        (("--first", "2011-01-01"), "2011-01-01"),
    ],
)
def test_what_cannot_be_read_is_explained(week: Path, arguments: tuple[str, ...], message: str) -> None:
    result = runner.invoke(app, ["weather", "check", str(week), *arguments])
    assert isinstance(result.exception, PhytotronError)
    assert message in str(result.exception)


def test_import_keeps_a_decade_file_where_splits_find_it(tmp_path: Path) -> None:
    raw = tmp_path / "uurgeg_240_2001-2010.txt"
    raw.write_text(knmi_hourly(), encoding="utf-8")
    made = object_of("import", raw, "--folder", tmp_path / "data")
    path = Path(made["path"])
    assert path.parent == tmp_path / "data"
    assert path.name.startswith("knmi_240_hourly_20")
    again, first = read_weather(path), read_weather(raw)
    assert all(np.array_equal(again[name], first[name]) for name in first.names)
    assert list(object_of("list", "--folder", tmp_path / "data")["series"]) == ["knmi_240_hourly"]


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    """A table of others, without place and sky."""
    table = embedded_weather("schiphol").window(date(2012, 3, 1), date(2012, 3, 4))
    names = ("air_temperature", "relative_humidity", "global_radiation", "wind_speed")
    rows = zip(table.times, *(table[name] for name in names), strict=True)
    lines = ["when,TEMP_C,RH,GHI,WIND", *(f"{time}Z,{t},{h},{g},{w}" for time, t, h, g, w in rows)]
    path = tmp_path / "farm.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


COLUMNS = ("--column", "time=when", "--column", "outdoor_temperature=TEMP_C", "--column", "relative_humidity=RH")
COLUMNS += ("--column", "global_radiation=GHI", "--column", "wind_speed=WIND", "--unit", "wind_speed=km/h")


def test_import_of_a_table_with_other_names_is_listed_and_known_by_name(tmp_path: Path, farm: Path) -> None:
    data = tmp_path / "data"
    for arguments, message in (
        ((), "--column time=when"),
        (COLUMNS, "--place LATITUDE,LONGITUDE,ELEVATION"),
        ((*COLUMNS, "--place", "52.3,4.8,-3"), "--sky humidity"),
    ):
        result = runner.invoke(app, ["weather", "import", str(farm), "--folder", str(data), *arguments])
        assert isinstance(result.exception, PhytotronError) and message in str(result.exception)
        assert not data.exists()
    options = (*COLUMNS, "--place", "52.3,4.8,-3", "--sky", "humidity", "--folder", data)
    made = object_of("import", farm, *options)
    assert made["name"] == "farm_hourly" and made["site"]["name"] == "farm"
    assert made["lacks"] == {"greenhouse": [], "field": ["rain"]}
    assert object_of("list", "--folder", data)["series"] == {"farm_hourly": [2012]}
    wind = embedded_weather("schiphol").window(date(2012, 3, 1), date(2012, 3, 4))["wind_speed"] / 3.6
    ((_, (table,)),) = named_weather("farm", "hourly", data)
    assert np.allclose(table["wind_speed"], wind)
    object_of("import", farm, *options)  # once more changes nothing
    result = runner.invoke(app, ["weather", "import", str(farm), "--last", "2012-03-02", *map(str, options)])
    assert "holds other weather; give this one another name (--name)" in str(result.exception)
    assert object_of("import", farm, "--last", "2012-03-02", "--name", "short", *options)["name"] == "short_hourly"


def test_commands_take_a_file_and_keep_its_whole_path(week: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(week.parent)
    assert environment_options("phytotron/Lettuce-v0", None, "week.csv") == {"weather": str(week)}
    assert environment_options("phytotron/Lettuce-v0", ["weather=embedded:test"]) == {"weather": "embedded:test"}
    command = ["evaluate", "phytotron/Lettuce-v0", "--controller", "off", "--weather", "week.csv", "--no-attainable"]
    result = runner.invoke(app, [*command, "--option", "episode_days=0.5", "--json"])
    assert result.exit_code == 0, result.output + str(result.exception)
    found = json.loads(result.stdout)
    assert found["weather"] == str(week) and found["windows"] == 7


@pytest.mark.parametrize(("option", "rows"), [((), 365), (("--hourly",), 8760)])
def test_generate_writes_the_same_year_for_the_same_seed(tmp_path: Path, option: tuple[str, ...], rows: int) -> None:
    files = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv")]
    for file, seed in zip(files, (5, 5, 6), strict=True):
        made = object_of("generate", "wageningen", "--seed", seed, *option, "--output", file)
        assert made["rows"] == rows
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()


def test_generate_draws_what_it_made_against_what_was_observed(tmp_path: Path) -> None:
    picture = tmp_path / "climate.svg"
    run("generate", "schiphol", "--years", 30, "--output", tmp_path / "years.csv", "--figure", picture)
    assert picture.read_text(encoding="utf-8").startswith("<?xml")


def test_plot_draws_a_file_and_an_embedded_series(tmp_path: Path, week: Path) -> None:
    for source in (week, "wageningen"):
        picture = tmp_path / "picture.png"
        assert run("plot", source, "--output", picture).strip() == f"Open {picture}"
        assert picture.read_bytes().startswith(b"\x89PNG")
    result = runner.invoke(app, ["weather", "plot", str(week), "--output", str(tmp_path / "picture.xlsx")])
    assert "ends in .png, .svg, .pdf" in str(result.exception)
