"""`phytotron weather fetch`: files on stdout, progress and warnings on stderr."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner
from weather.fetching.replay import Answer, ReplayServer, replaying

from phytotron.cli.weather_fetch import fetch_app
from phytotron.core.errors import ValueRangeError
from phytotron.weather.fetching import FetchError

runner = CliRunner()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ReplayServer]:
    for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PHYTOTRON_WEATHER", str(tmp_path / "weather"))
    with replaying() as running:
        monkeypatch.setenv("PHYTOTRON_KNMI_URL", f"{running.url}/knmi")
        monkeypatch.setenv("PHYTOTRON_POWER_URL", f"{running.url}/power")
        monkeypatch.setenv("PHYTOTRON_OPEN_METEO_URL", f"{running.url}/open-meteo")
        yield running


def test_knmi_writes_one_file_per_year_and_lists_them(server: ReplayServer, tmp_path: Path) -> None:
    command = [
        "knmi",
        "--station",
        "260",
        "--years",
        "2001-2002",
        "--daily",
        "--output",
        str(tmp_path / "out"),
        "--json",
    ]
    done = runner.invoke(fetch_app, command)
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["service"] == "KNMI"
    assert result["files"][1] == {
        "path": str(tmp_path / "out" / "knmi_260_daily_2002.csv.gz"),
        "year": 2002,
        "origin": "fetched",
        "first": "2002-01-01T00:00:00+00:00",
        "end": "2003-01-01T00:00:00+00:00",
        "complete": True,
    }
    assert all(Path(file["path"]).is_file() for file in result["files"])
    assert "KNMI: fetching 2001-2002" in done.stderr


def test_power_prints_lines_for_people(server: ReplayServer, tmp_path: Path) -> None:
    command = ["power", "--latitude", "-33.45", "--longitude", "-70.5", "--years", "1990"]
    done = runner.invoke(fetch_app, command)
    path = tmp_path / "weather" / "nasa_power_33.45S_70.50W_daily_1990.csv.gz"
    assert done.stdout == f"{path} (fetched)\n"
    assert runner.invoke(fetch_app, command).stdout == f"{path} (already there)\n"


def test_open_meteo_repairs_what_is_damaged_and_says_so(server: ReplayServer, tmp_path: Path) -> None:
    command = ["open-meteo", "--latitude", "52.3", "--longitude", "4.8", "--years", "2015", "--daily"]
    assert runner.invoke(fetch_app, command).exit_code == 0
    (tmp_path / "weather" / "open_meteo_52.30N_4.80E_daily_2015.csv.gz").write_bytes(b"damaged")
    done = runner.invoke(fetch_app, command)
    assert "(cached)" in done.stdout
    assert "warning:" in done.stderr and "the file is made anew" in done.stderr.replace("\n", " ")


def test_what_a_user_got_wrong_is_an_error_of_ours(server: ReplayServer) -> None:
    done = runner.invoke(fetch_app, ["knmi", "--station", "schiphol", "--years", "2001"])
    assert isinstance(done.exception, ValueRangeError)
    done = runner.invoke(fetch_app, ["knmi", "--station", "240", "--years", "2020-2001"])
    assert isinstance(done.exception, ValueRangeError)
    server.faults = [Answer(b'{"messages": ["Outside the grid"]}', 422)]
    done = runner.invoke(fetch_app, ["power", "--latitude", "52", "--longitude", "5", "--years", "2001"])
    assert isinstance(done.exception, FetchError) and "Outside the grid" in str(done.exception)
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["knmi", "power", "open-meteo"])
def test_every_command_explains_itself(command: str) -> None:
    done = runner.invoke(fetch_app, [command, "--help"], env={"COLUMNS": "120", "TERM": "dumb", "NO_COLOR": "1"})
    assert done.exit_code == 0
    assert "--years" in done.stdout and "--refresh" in done.stdout
