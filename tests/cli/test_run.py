"""`phytotron run`, as a user types it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.cli.trajectory_output import TrajectoryOutput
from phytotron.core.errors import PhytotronError
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.wheat import WheatNitrogen
from phytotron.episodes.trajectories import Collector

runner = CliRunner()
HOURS = ["phytotron/Greenhouse-v0", "--days", "0.25"]
LETTUCE = ["phytotron/Lettuce-v0", "--days", "0.5"]


def test_a_run_prints_what_it_came_to_and_writes_a_page(tmp_path: Path) -> None:
    result = runner.invoke(app, ["run", *HOURS, "--start", "2010-03-01", "--output", str(tmp_path)])
    assert result.exit_code == 0, result.output
    for word in ("profit", "harvest", "gas", "CO₂", "electricity", "relative humidity within bounds"):
        assert word in result.stdout
    page = tmp_path / "index.html"
    assert result.stdout.strip().endswith(str(page))
    text = page.read_text(encoding="utf-8")
    assert "<svg" in text and "2010-03-01" in text and "default-src 'none'" in text


def test_json_is_one_object_and_the_controller_matters(tmp_path: Path) -> None:
    heat = {}
    for controller in ("rule-based", "off"):
        result = runner.invoke(app, ["run", *LETTUCE, "--controller", controller, "--no-figure", "--json"])
        found = json.loads(result.stdout)
        assert found["controller"] == controller and "page" not in found
        heat[controller] = found["heat"]
    assert heat["rule-based"] > heat["off"] > 0.0  # heating that is on can only be turned down by and by


@pytest.mark.parametrize(
    "id", ["phytotron/WheatNitrogen-v0", pytest.param("phytotron/IntercropField-v0", marks=pytest.mark.slow)]
)
def test_any_environment_can_be_run(id: str, tmp_path: Path) -> None:
    result = runner.invoke(app, ["run", id, "--controller", "off", "--output", str(tmp_path), "--json"])
    assert result.exit_code == 0, (result.output, result.exception)
    found = json.loads(result.stdout)
    assert found["nitrogen"] == 0.0 < found["yield"] and "1977" in found["start"]
    assert id in Path(found["page"]).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_start_outside_the_training_weather_is_looked_for_in_what_comes_with_the_package() -> None:
    result = runner.invoke(app, ["run", *HOURS, "--start", "2012-12-01", "--no-figure", "--json"])
    found = json.loads(result.stdout)
    assert found["start"] == "2012-12-01" and found["weather"] == "schiphol"
    assert "embedded:train has no start 2012-12-01; the episode is on schiphol" in result.stderr


def test_the_error_of_its_own_weather_is_that_of_a_task_that_knows_no_embedded_weather(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def on(self: WheatNitrogen, weather: str) -> WheatNitrogen:
        raise KeyError(weather)

    monkeypatch.setattr(WheatNitrogen, "on", on)
    result = runner.invoke(app, ["run", "phytotron/WheatNitrogen-v0", "--start", "2001", "--no-figure"])
    assert isinstance(result.exception, PhytotronError) and "'2001'; expected one of" in str(result.exception)


def test_a_part_of_the_task_itself_is_weather_as_in_evaluate() -> None:
    command = ["run", *LETTUCE, "--weather", "train", "--no-figure", "--json"]
    found = json.loads(runner.invoke(app, command).stdout)
    assert found["weather"] == "train" and found["start"] != "2014-02-09"
    command = ["evaluate", "phytotron/Lettuce-v0", "--option", "episode_days=0.5", "--controller", "off"]
    result = runner.invoke(app, [*command, "--weather", "test", "--no-attainable", "--json"])
    assert json.loads(result.stdout)["weather"] == "benchmark"


def test_a_part_of_the_weather_keeps_the_other_options() -> None:
    command = ["run", "phytotron/WheatNitrogen-v0", "--weather", "test", "--no-figure", "--json"]
    found = json.loads(runner.invoke(app, [*command, "--option", "years=1984"]).stdout)
    assert found["start"] == "Wageningen (Haarweg) 1984"
    result = runner.invoke(app, [*command, "--option", "years=1999"])
    assert "years is 1999; expected one or more of 1976, 1980" in str(result.exception)


def test_an_unknown_environment_is_answered_with_the_nearest() -> None:
    assert "did you mean" in str(runner.invoke(app, ["run", "phytotron/Greenhose-v0"]).exception)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--start", "yesterday"], "'yesterday'; expected one of 2008-03-01 to 2010-09-01"),
        (["--weather", "schiphol", "--start", "2013-03-01"], "one of 2008-01-01 to 2012-12-31"),
        (["--controller", "rulebased"], "did you mean 'rule-based'"),
        (["--weather", "greenlight_gym:test", "--start", "2001-03-01"], "fetch knmi --station 240"),
        (["--interval", "7"], "makes a day"),
    ],
)
def test_what_cannot_be_run_is_explained(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHYTOTRON_WEATHER", str(tmp_path))
    result = runner.invoke(app, ["run", *HOURS, *arguments])
    assert isinstance(result.exception, PhytotronError)
    assert message in str(result.exception)


def test_all_that_happens_is_written_as_data(tmp_path: Path) -> None:
    target = tmp_path / "run.csv"
    result = runner.invoke(app, ["run", *LETTUCE, "--csv", str(target), "--output", str(tmp_path), "--json"])
    found = json.loads(result.stdout)
    names, units, *rows = target.read_text(encoding="utf-8").splitlines()
    assert found["csv"] == str(target) and len(rows) == 24 and units.startswith("-,-,UTC,kg m-2")
    column = names.split(",").index("measure_heat")
    assert sum(float(row.split(",")[column]) for row in rows) == pytest.approx(found["heat"], rel=1e-5)
    assert "heating" in Path(found["page"]).read_text(encoding="utf-8")


def test_a_schedule_acts_and_lines_outside_the_episode_are_said(tmp_path: Path) -> None:
    schedule = tmp_path / "mine.csv"
    schedule.write_text("time,heating\n2014-02-09,0\n2015-02-09,100\n")
    result = runner.invoke(app, ["run", *LETTUCE, "--schedule", str(schedule), "--no-figure", "--json"])
    found = json.loads(result.stdout)
    # From 50 W m-2 down by 15 in each half hour: 35, 20 and 5 W m-2.
    assert found["controller"] == "schedule mine.csv" and found["heat"] == pytest.approx(0.030, rel=1e-5)
    assert f"1 lines of {schedule} lie outside the episode" in result.stderr


def test_parameters_and_prices_reach_the_task(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[prices]\nlettuce = 0\nco2 = 0\n")
    options = ["--controller", "constant", "--parameters", str(file), "--prices", "heat=1", "--no-figure", "--json"]
    found = json.loads(runner.invoke(app, ["run", *LETTUCE, *options]).stdout)
    assert found["profit"] == pytest.approx(-found["heat"], rel=1e-5) and found["heat"] > 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--controller", "off", "--schedule", "x.csv"], "each say who acts; give one of them"),
        (["--interval", "300"], "--interval cannot be chosen for phytotron/Lettuce-v0"),
        (["--csv", "."], "is a folder; name a file in it"),
        (["--csv", "x.parquet"], "--csv does not write files of the kind .parquet; name a file such as episode.csv"),
        (["--parquet", "x.CSV"], "--parquet does not write files of the kind .CSV"),
        (["--weather", "embedded_wheat:test"], "is daily, and hourly weather is needed here; did you mean 'embedded:"),
        (["--weather", "moon"], "unknown weather of phytotron/Lettuce-v0 'moon'"),
        (["--option", "forecast=1.5"], "option forecast of phytotron/Lettuce-v0 is 1.5; expected a whole number"),
        (
            ["--controller", "grower"],
            "its baselines are rule-based, constant, and any environment has mpc, off, oracle",
        ),
        (["--policy", "runs/none"], "runs/none: there is no run or policy at this path"),
    ],
)
def test_what_does_not_fit_is_refused_before_it_runs(arguments: list[str], message: str) -> None:
    result = runner.invoke(app, ["run", *LETTUCE, *arguments])
    assert isinstance(result.exception, PhytotronError) and message in str(result.exception)


def own_lettuce(**options: Any) -> Lettuce:
    return Lettuce(reward="profit", **options)


def test_options_with_flags_of_their_own_reach_a_task_that_a_function_makes() -> None:
    flags = ["--days", "0.5", "--prices", "lettuce=0,co2=0,heat=1", "--controller", "constant", "--no-figure", "--json"]
    result = runner.invoke(app, ["run", f"{__name__}:own_lettuce", *flags])
    found = json.loads(result.stdout)
    assert found["length"] == 24 and found["profit"] == pytest.approx(-found["heat"], rel=1e-5)


def test_without_an_environment_one_is_asked_for() -> None:
    assert "name an environment" in str(runner.invoke(app, ["run"]).exception)


@pytest.mark.slow
def test_a_year_of_the_greenhouse_is_a_small_page_and_a_file_that_is_soon_written(tmp_path: Path) -> None:
    year = ["phytotron/Greenhouse-v0", "--days", "365", "--weather", "schiphol", "--start", "2009-01-01"]
    target = tmp_path / "year.csv"
    began = []

    def timed(self: TrajectoryOutput, collector: Collector | None) -> dict[str, str]:
        began.append(time.perf_counter())
        return written(self, collector)

    written = TrajectoryOutput.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TrajectoryOutput, "write", timed)
        result = runner.invoke(app, ["run", *year, "--csv", str(target), "--output", str(tmp_path)])
    assert result.exit_code == 0 and time.perf_counter() - began[0] < 5.0
    with target.open("rb") as file:
        assert sum(1 for _ in file) == 2 + 105_120
    assert (tmp_path / "index.html").stat().st_size < 3e6
