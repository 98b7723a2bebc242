"""`phytotron replay` and `phytotron calibrate`, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from greenhouse_logs import write_compartment
from shared_data import shared
from typer.testing import CliRunner

from phytotron.cli import app

runner = CliRunner()
DAYS = ("--from", "2022-02-01", "--until", "2022-02-01")


def refused(*arguments: object) -> str:
    """The message of a command that must fail."""
    result = runner.invoke(app, [*map(str, arguments)])
    assert result.exit_code != 0
    return str(result.exception)


def test_mistakes_name_themselves(tmp_path: Path) -> None:
    write_compartment(tmp_path)
    replay = ("replay", "--log", tmp_path, "--name")
    assert "House" in refused(*replay, "Hose", "--parameters", "katzin2020_144m2", *DAYS)
    assert "parameter set" in refused(*replay, "House", "--parameters", "katzin2019", *DAYS)
    wrong_day = ("--from", "1 February", "--until", "2022-02-01")
    assert "--from" in refused(*replay, "House", "--parameters", "katzin2020_144m2", *wrong_day)
    fit = ("calibrate", "--log", tmp_path, "--name", "House", "--fit-until", "2022-02-01", "--output", tmp_path / "out")
    assert "can be fitted" in refused(*fit, "--fit", "leakge")
    assert "holds no calibration" in refused(*fit, "--resume")
    assert "parameter set" in refused(*fit, "--greenhouse", "agc2023")
    write_compartment(tmp_path, "Other")
    named = ("replay", "--log", tmp_path, "--parameters", "katzin2020_144m2", *DAYS)
    assert "choose one with --name" in refused(*named)


@pytest.mark.slow
def test_a_calibration_comes_closer_to_the_fitted_rows_and_a_replay_takes_its_folder(tmp_path: Path) -> None:
    folder = shared("greenhouse_logs", "agc2022")
    house = ("--log", folder, "--name", "Reference", "--json")
    fitted = ("--fit", "co2_supply", "--fit", "cover_area", "--fit", "lamp_power", "--iterations", 4, "--starts", 2,
              "--members", 8)  # fmt: skip
    result = runner.invoke(
        app, list(map(str, ("calibrate", *house, "--fit-until", "2022-02-04", "--output", tmp_path, *fitted)))
    )
    assert result.exit_code == 0, result.output + str(result.exception)
    made, scales = json.loads(result.stdout), {"air_temperature": 1.0, "relative_humidity": 5.0, "co2": 60.0}

    def distance(errors: dict[str, dict[str, float]]) -> float:
        return sum(errors[name]["mae"] / scale for name, scale in scales.items())

    assert distance(made["quantities"]) < distance(made["baselines"]["uncalibrated"])
    assert not (tmp_path / "progress.json").exists()
    days = ("--from", "2022-02-05", "--until", "2022-02-06", "--members", "4", "--page", tmp_path / "page.html")
    result = runner.invoke(app, list(map(str, ("replay", *house, "--parameters", tmp_path, *days))))
    assert result.exit_code == 0, result.output + str(result.exception)
    assert "Parameters" in (tmp_path / "page.html").read_text(encoding="utf-8")
    found = json.loads(result.stdout)
    assert found["horizon_hours"] == 24.0
    assert set(found["coverage"]) == {"parameters", "measurements"}
    assert found["used"]["lamp_electricity"] > 0.0
    for competitor in (found["quantities"], *(found["baselines"][name] for name in ("persistence", "linear"))):
        assert set(competitor) == set(scales)
        assert all(set(errors) == {"mae", "rmse", "bias"} for errors in competitor.values())
