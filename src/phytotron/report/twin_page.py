"""A self-contained page about a replay: measured against simulated climate, residuals, parameters before and after."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.calibration.adjustable import ADJUSTABLE, value_of
from phytotron.calibration.inputs import INTERVAL
from phytotron.calibration.installation import Installation
from phytotron.calibration.judgement import Replayed
from phytotron.calibration.twin_file import published_twin
from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.core.fields import find, names
from phytotron.core.files import write_text
from phytotron.core.units import typeset
from phytotron.core.version import __version__
from phytotron.logs.variables import CLIMATE, log_variable
from phytotron.models.greenlight import PARAMETER_SETS, Parameters
from phytotron.models.greenlight.greenhouse_file import read_greenhouse_tables
from phytotron.report.html_page import csv_link, explained, page
from phytotron.report.svg_chart import Line, chart, legend, panels
from phytotron.report.words import name as in_words

MEASURED, SIMULATED, FAINT = "#222222", "#0072b2", "#9a9a9a"
TITLES = {"air_temperature": "Air temperature", "relative_humidity": "Relative humidity", "co2": "CO₂"}
WORDS = {"air_temperature": "air temperature", "relative_humidity": "relative humidity", "co2": "CO₂"}
BANDS = {
    "parameters": "The 90 % band of the ensemble, of what the fit leaves open of the parameters alone,",
    "measurements": "The same band widened by the residuals of the fitted days",
}
CONTENDERS = {
    "replay": "this replay", "uncalibrated": "published set", "persistence": "the day before", "linear": "linear model"
}  # fmt: skip
EVERY = 6  # rows between points of the curves: half an hour
# Weather and actuators that residuals are shown over: field of a drive, heading, unit, factor
CONDITIONS = (
    ("global_radiation", "global radiation", "W m⁻²", 1.0),
    ("wind_speed", "wind speed", "m s⁻¹", 1.0),
    ("vent_lee", "lee vents", "%", 100.0),
    ("outdoor_temperature", "outdoor temperature", "°C", 1.0),
)
USED = (
    ("heat", "heat of the pipes", "kWh m⁻²"),
    ("lamp_electricity", "electricity of the lamps", "kWh m⁻²"),
    ("co2", "CO₂ dosed", "kg m⁻²"),
)
METERS = (
    "By the recorded actuators, as this greenhouse tells: no meter is in a log. Heat follows from the temperatures of "
    "pipes and air, electricity from the light of the lamps and their fitted power, CO₂ from the fitted dosing rate. "
    "Controllers of a task with these parameters and the weather of the log can be held against it, as long as they "
    "are asked for the same climate."
)
BINS = 6
LEAST_IN_BIN = 12
LIMITS = (
    "A replay tells how well the model follows a greenhouse under the control that it had. It does not tell what the "
    "climate would have been under another one: the recorded actuators are the answers of a climate computer to the "
    "measured climate, so they pull a wrong model towards the measurements. Parameters that the log says nothing about "
    "keep their prior, and conditions that did not occur (closed vents, strong sun, a grown crop) are extrapolated."
)


def write_twin_page(made: Replayed, result: Mapping[str, Any], parameters: str, path: Path) -> Path:
    """Write the page; `result`: the judgement of the replay by `judge`; `parameters`: the set or folder replayed."""
    days = " to ".join(_day(made, each) for each in (made.given.starts.min(), made.given.starts.max()))
    sections = [
        ("", _verdict(made, result)),
        ("Measured and simulated", _courses(made)),
        ("Residuals by hour of day", _by_hour(made)),
        ("Residuals by weather and vents", _by_condition(made)),
        ("Errors beside the baselines", _errors(result)),
        ("What was used", _used(result["used"])),
        ("Parameters", _parameters(made, parameters)),
        ("What a replay cannot tell", f"<p>{LIMITS}</p>"),
    ]
    source = made.log.provenance
    footer = f"Phytotron {__version__}. Log: {source.source}; licence: {source.licence}. Parameters: {parameters}."
    write_text(path, page(f"Replay of {made.log.name}, {days}", sections, footer))
    return path


def _day(made: Replayed, moment: Any) -> str:
    """The day of a moment by the clock of the log."""
    return str((moment + np.timedelta64(round(made.log.utc_offset * SECONDS_PER_HOUR), "s")).astype("datetime64[D]"))


def _verdict(made: Replayed, result: Mapping[str, Any]) -> str:
    found = result["quantities"]
    errors = ", ".join(f"{found[name]['mae']:.3g} {_unit(name)}" for name in CLIMATE if found[name]["mae"] is not None)
    text = (
        f"Started anew from the measured air every {made.horizon_hours:g} hours, the model is on average {errors} away "
        f"from the measurements, in {result['windows']} windows."
    )
    lines = [f'<div class="verdict"><p>{text}</p></div>']
    for kind, shares in result["coverage"].items():
        each = ", ".join(f"{WORDS[name]} {100.0 * share:.0f} %" for name, share in shares.items())
        lines.append(f"<p>{BANDS[kind]} holds this share of the measurements: {each}.</p>")
    lines += [f"<p><small>{html.escape(warning)}</small></p>" for warning in result["warnings"]]
    return "".join(lines)


def _courses(made: Replayed) -> str:
    order = np.argsort(made.given.starts)
    steps = made.simulated.shape[0]
    begin = (made.given.starts - made.given.starts.min()).astype(float) / SECONDS_PER_DAY
    days = begin[order][:, None] + np.arange(1, steps + 1) * INTERVAL / SECONDS_PER_DAY
    charts = []
    for index, name in enumerate(CLIMATE):
        lines = []
        for low, high in (made.bands[kind] for kind in ("measurements", "parameters") if kind in made.bands):
            ends = [_joined(each[..., index], order) for each in (low, high)]
            lines.append(Line(_joined_days(days), np.full(ends[0].shape, np.nan), SIMULATED, low=ends[0], high=ends[1]))
        lines.append(Line(_joined_days(days), _joined(made.given.measured[..., index], order), MEASURED))
        lines.append(Line(_joined_days(days), _joined(made.simulated[..., index], order), SIMULATED, "dashed"))
        charts.append(chart(TITLES[name], lines, f"days from {_day(made, made.given.starts.min())}", _shown(name)))
    words = "simulated, with the 90 % bands of its ensemble" if made.bands else "simulated"
    key = legend([("measured", MEASURED, "solid"), (words, SIMULATED, "dashed")])
    rows = [("day", *(f"{name} {kind}" for name in CLIMATE for kind in ("measured", "simulated")))]
    columns = [
        _joined(each[..., k], order) for k in range(len(CLIMATE)) for each in (made.given.measured, made.simulated)
    ]
    rows += [tuple(f"{value:.4g}" for value in row) for row in zip(_joined_days(days), *columns, strict=True)]
    return key + panels(charts) + csv_link("replay.csv", rows, "replay.csv")


def _joined(values: Any, order: Any) -> Any:
    """Return the values of windows one after the other, every half hour."""
    return np.asarray(values)[EVERY - 1 :: EVERY][:, order].T.reshape(-1)


def _joined_days(days: Any) -> Any:
    return days[:, EVERY - 1 :: EVERY].reshape(-1)


def _residuals(made: Replayed) -> Any:
    return np.asarray(made.simulated - made.given.measured)


def _hours(made: Replayed) -> Any:
    """The hour of day, by the clock of the log, at the end of every step, where the measurements are."""
    shift = np.timedelta64(round(made.log.utc_offset * SECONDS_PER_HOUR), "s")
    seconds = (made.given.starts + shift).astype("datetime64[s]")
    start = (seconds - seconds.astype("datetime64[D]")).astype(float)
    return (start[None, :] + np.arange(1, made.simulated.shape[0] + 1)[:, None] * INTERVAL) / SECONDS_PER_HOUR % 24.0


def _by_hour(made: Replayed) -> str:
    clock = _hours(made)
    charts = []
    for index, name in enumerate(CLIMATE):
        difference = _residuals(made)[..., index]
        hours = [difference[(clock >= hour) & (clock < hour + 1)] for hour in range(24)]
        charts.append(_binned(TITLES[name], np.arange(24) + 0.5, hours, "hour of day", _unit(name)))
    words = "<p>Simulated less measured: the mean, and the range from the 10th to the 90th percentile.</p>"
    return words + panels(charts)


def _by_condition(made: Replayed) -> str:
    charts = []
    for field, words, unit_text, factor in CONDITIONS:
        values = factor * np.asarray(getattr(made.given.drive, field))[made.given.spin_up :]
        edges = np.unique(np.quantile(values, np.linspace(0.0, 1.0, BINS + 1)))
        if edges.size < 3:
            continue
        for index, name in enumerate(CLIMATE):
            difference = _residuals(made)[..., index]
            inside = [(values >= low) & (values <= high) for low, high in itertools.pairwise(edges)]
            centres = np.array([values[each].mean() for each in inside])
            label = f"{words} [{unit_text}]"
            charts.append(_binned(TITLES[name], centres, [difference[each] for each in inside], label, _unit(name)))
    return panels(charts)


def _binned(title: str, x: Any, bins: Sequence[Any], label: str, unit_text: str) -> str:
    known = [each[np.isfinite(each)] for each in bins]
    numbers = [
        (each.mean(), *np.quantile(each, (0.1, 0.9))) if each.size >= LEAST_IN_BIN else (np.nan,) * 3 for each in known
    ]
    mean, low, high = np.array(numbers, float).T
    return chart(title, [Line(x, mean, SIMULATED, low=low, high=high)], label, unit_text, guides=(0.0,))


def _errors(result: Mapping[str, Any]) -> str:
    competitors = {"replay": result["quantities"], **result["baselines"]}
    heads = "".join(f"<th>{TITLES[name]} [{_unit(name)}]</th>" for name in CLIMATE)
    rows = []
    for key, words in CONTENDERS.items():
        errors = competitors.get(key)
        if errors is None:
            continue
        cells = "".join(_error_cell(errors[name]) for name in CLIMATE)
        rows.append(f"<tr><th>{html.escape(words)}</th>{cells}</tr>")
    head = "<p>Mean absolute error, and the mean of simulated less measured.</p>"
    return head + _table(f"<th></th>{heads}", rows)


def _error_cell(error: Mapping[str, float | None]) -> str:
    mae, bias = error["mae"], error["bias"]
    return "<td>-</td>" if mae is None or bias is None else f"<td>{mae:.2f} <small>({bias:+.2f})</small></td>"


def _used(used: Mapping[str, float]) -> str:
    rows = [f'<tr><th>{words}</th><td class="number">{used[key]:.3g}</td><td>{unit_text}</td></tr>'
            for key, words, unit_text in USED]  # fmt: skip
    return f"<p>{METERS}</p>" + _table("<th></th><th>used</th><th>unit</th>", rows)


def _parameters(made: Replayed, parameters: str) -> str:
    if parameters in PARAMETER_SETS:
        return f"<p>The published set {html.escape(parameters)}, as it is.</p>"
    intervals = read_greenhouse_tables(Path(parameters)).get("intervals", {})
    before = published_twin(made.log, made.base)
    rows = []
    for name, ends in intervals.items():
        if name not in ADJUSTABLE:
            continue
        quantity = find(Installation if name in names(Installation) else Parameters, name)
        shown = explained(html.escape(in_words(name)), f"{quantity.symbol}: {quantity.description}")
        values = [f"{float(value_of(twin, name)):.3g}" for twin in (before, made.twin)]
        interval = f"{float(ends[0]):.3g} to {float(ends[1]):.3g}"
        cells = "".join(f'<td class="number">{html.escape(each)}</td>' for each in (*values, interval))
        rows.append(f"<tr><th>{shown}</th>{cells}<td>{html.escape(typeset(quantity.unit))}</td></tr>")
    heads = "".join(f"<th>{each}</th>" for each in ("", "before", "after", "90 % interval", "unit"))
    return _table(heads, rows)


def _table(heads: str, rows: Sequence[str]) -> str:
    table = f'<table class="grid"><thead><tr>{heads}</tr></thead>{"".join(rows)}</table>'
    return f'<div class="scroll" tabindex="0">{table}</div>'


def _shown(name: str) -> str:
    """Return the unit in which values of a variable are shown."""
    return typeset(log_variable(name).unit)


def _unit(name: str) -> str:
    """Return the unit in which differences of a variable are shown."""
    return "K" if name == "air_temperature" else _shown(name)
