"""`phytotron crop calibrate`, as a user types it."""

from __future__ import annotations

import dataclasses
import json
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.models.lintul3 import Management, Weather, load_parameters, season
from phytotron.weather.field_weather import INPUTS, named_field_weather

runner = CliRunner()
WEATHER = "wageningen"
TRUTH = {"vegetative_temperature_sum": 1000.0, "light_use_efficiency": 2.4, "specific_leaf_area": 0.025}
ERRORS = {"stage": 0.01, "leaf_area_index": 0.02, "leaf_mass": 3.0, "stem_mass": 6.0, "grain_mass": 6.0}
GOOD = "date,quantity,value,error\n1990-05-01,stage,0.6,0.05\n"


def calibrated(folder: Path, observations: str, *more: object) -> object:
    """The result of the command on some observations."""
    path = folder / "observed.csv"
    path.write_text(observations, encoding="utf-8")
    arguments = ("crop", "calibrate", path, "--weather", WEATHER, "--output", folder / "wheat.toml", *more)
    return runner.invoke(app, list(map(str, arguments)))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("stage", "height", "row 2"),
        ("0.6", "", "value of row 2"),
        ("0.05", "0", "error of row 2"),
        ("0.6", "a lot", "value of row 2"),
        ("1990-05-01", "1 May", "date of row 2"),
        ("1990-05-01", "1900-05-01", "1900"),
        (",error", ",spread", "'error'"),
    ],
)
def test_mistakes_in_the_table_name_themselves(tmp_path: Path, old: str, new: str, words: str) -> None:
    result = calibrated(tmp_path, GOOD.replace(old, new))
    assert result.exit_code != 0
    assert words in str(result.exception)
    assert "observed.csv" in str(result.exception)


def test_mistakes_in_management_and_options_name_themselves(tmp_path: Path) -> None:
    management = tmp_path / "applied.csv"
    management.write_text("date,nitrogen\n1990-03-01,-6\n", encoding="utf-8")
    assert "nitrogen of row 2" in str(calibrated(tmp_path, GOOD, "--management", management).exception)
    management.write_text("date,manure\n1990-03-01,6\n", encoding="utf-8")
    assert "manure" in str(calibrated(tmp_path, GOOD, "--management", management).exception)
    assert "can be fitted" in str(calibrated(tmp_path, GOOD, "--fit", "light_use").exception)


@pytest.mark.slow
def test_known_parameters_come_back_and_the_file_is_taken_by_the_task(tmp_path: Path) -> None:
    weather, random = named_field_weather(WEATHER), np.random.default_rng(0)
    lines, truth = ["date,quantity,value,error"], dataclasses.replace(load_parameters(), **TRUTH)
    for index in range(2):
        length, first = int(weather.length[index]), date(int(weather.year[index]), 1, 1)
        inputs = np.asarray(weather.values)[index, :length]
        own = Weather(**{name: inputs[:, INPUTS.index(name)] for name in INPUTS})
        nitrogen = np.where(np.isin(np.arange(length), (60, 100)), 8.0, 0.0)
        states = season(own, Management(nitrogen=nitrogen, irrigation=np.zeros(length)), truth).states
        for name, error in ERRORS.items():
            for day in range(10, 200, 6):
                value = float(getattr(states, name)[day]) + random.normal(0.0, error)
                lines.append(f"{first + timedelta(days=day)},{name},{value:.6f},{error}")
    days = [date(int(year), 1, 1) + timedelta(days=day) for year in weather.year[:2] for day in (60, 100)]
    management = tmp_path / "applied.csv"
    management.write_text("date,nitrogen\n" + "".join(f"{day},8.0\n" for day in days), encoding="utf-8")
    chosen = [word for name in TRUTH for word in ("--fit", name)]
    result = calibrated(tmp_path, "\n".join(lines), "--management", management, "--starts", 1, "--json", *chosen)
    assert result.exit_code == 0, result.output + str(result.exception)
    found = json.loads(result.stdout)
    for name, value in TRUTH.items():
        assert found["values"][name] == pytest.approx(value, rel=0.02), name
        low, high = found["intervals"][name]
        assert low < high
    task = ("run", "phytotron/WheatNitrogen-v0", "--weather", WEATHER, "--json")
    ran = runner.invoke(app, [*task, "--parameters", str(tmp_path / "wheat.toml")])
    assert ran.exit_code == 0, ran.output + str(ran.exception)
