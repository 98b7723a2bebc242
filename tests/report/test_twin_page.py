"""The page about a replay, without running the model."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
from greenhouse_logs import made_log

from phytotron.calibration.inputs import windows
from phytotron.calibration.judgement import Replayed, errors
from phytotron.calibration.twin_file import DEFAULT_BASE, published_twin, write_twin
from phytotron.report.twin_page import _hours, write_twin_page

CLIMATE = ("air_temperature", "relative_humidity", "co2")


def test_a_page_shows_courses_bands_residuals_errors_and_parameters(tmp_path: Path) -> None:
    log = dataclasses.replace(made_log(days=3), floor_area=96.0)
    given = windows(log, log.times[0], log.times[-1], 24.0)
    twin = published_twin(log)
    warmer = np.nan_to_num(given.measured, nan=20.0) + np.array([1.0, 0.0, 0.0])
    members = np.stack([warmer - 0.5, warmer + 0.5])
    made = Replayed(log, twin, DEFAULT_BASE, 24.0, given, warmer, members, np.array([[-1.0] * 3, [1.0] * 3]))
    write_twin(tmp_path, twin, DEFAULT_BASE, {"log": "made"}, {"intervals": {"leakage": [1e-5, 4e-5]}})
    found = errors(warmer, given)
    result = {
        "windows": 3, "quantities": found, "baselines": {"persistence": found, "uncalibrated": found, "linear": None},
        "coverage": {"parameters": dict.fromkeys(CLIMATE, 0.4)}, "warnings": ["left out <one>"],
        "used": {"heat": 12.3, "lamp_electricity": 45.6, "co2": 0.789},
    }  # fmt: skip
    path = write_twin_page(made, result, str(tmp_path), tmp_path / "page.html")
    text = path.read_text(encoding="utf-8")
    assert "on average 1 K, 0 %, 0 ppm away" in text
    assert text.count('<svg class="chart"') >= 3 + 3 + 3
    assert "1e-05 to 4e-05" in text
    assert "left out &lt;one&gt;" in text
    assert all(each in text for each in ("12.3", "45.6", "0.789", "no meter is in a log", "days from 20"))
    assert "linear model" not in text
    ends = given.starts[0] + np.timedelta64(300, "s") + np.timedelta64(round(log.utc_offset * 3600.0), "s")
    assert _hours(made)[0, 0] == (ends - ends.astype("datetime64[D]")) / np.timedelta64(1, "h")  # a step is 300 s
    plain = dataclasses.replace(made, members=None)
    assert "bands of its ensemble" not in write_twin_page(plain, result, DEFAULT_BASE, path).read_text(encoding="utf-8")
