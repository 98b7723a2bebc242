"""The examples that are single files: a crop and weather of one's own."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phytotron.core.errors import DataFileError, ValueRangeError
from phytotron.models.crops import load_crop
from phytotron.weather.embedded import embedded_weather

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name: str, argument: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr("sys.argv", [name, str(argument)])
    return runpy.run_path(str(EXAMPLES / name), run_name="__main__")


def write_log(path: Path, days: int, skipped: int | None = None, humidity: float = 0.8) -> Path:
    """A file as the logger writes it, made of the embedded weather."""
    source = embedded_weather("schiphol")
    lines = ["time;sun_W_per_m2;temp_C;rh_fraction;wind_km_per_h;cloud_percent"]
    for row in (each for each in range(24 * days) if each != skipped):
        sun, warm, wind = (float(source[name][row]) for name in ("global_radiation", "air_temperature", "wind_speed"))
        lines.append(f"{source.times[row].astype('datetime64[s]')};{sun};{warm};{humidity};{3.6 * wind};50")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_crop_of_ones_own_grows_beside_wheat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "lupin.toml"
    run("crop.py", target, monkeypatch)
    assert "roots down to 1.1 m" in capsys.readouterr().out
    lupin, bean = load_crop(target), load_crop("faba_bean")
    assert (float(lupin.height.maximum), float(lupin.plant.maximum_root_depth)) == (0.9, 1.1)
    assert lupin.plant.nitrogen_fixation == bean.plant.nitrogen_fixation


def test_the_greenhouse_stands_in_weather_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = run("weather.py", write_log(tmp_path / "logger.csv", days=6), monkeypatch)
    assert "episodes from 2008-01-01 to 2008-01-0" in capsys.readouterr().out
    table, source = made["read_logger"](tmp_path / "logger.csv"), embedded_weather("schiphol")
    for name in ("air_temperature", "wind_speed"):
        np.testing.assert_allclose(table[name], source[name][: table.size])
    assert float(table["relative_humidity"][0]) == pytest.approx(80.0)


def test_a_gap_and_an_impossible_value_are_named(tmp_path: Path) -> None:
    read = runpy.run_path(str(EXAMPLES / "weather.py"))["read_logger"]
    with pytest.raises(DataFileError, match=r"logger.csv: line 7 is not an hour after"):
        read(write_log(tmp_path / "logger.csv", days=1, skipped=5))
    with pytest.raises(ValueRangeError, match=r"relative_humidity of Our roof at 2008-01-01T00:00.*150"):
        read(write_log(tmp_path / "wrong.csv", days=1, humidity=1.5))
