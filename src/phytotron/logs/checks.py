"""Checks of a log for faults and suspicious values: its clock, gaps, stuck sensors, sensors that disagree."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.logs.table import GreenhouseLog
from phytotron.logs.variables import REQUIRED, log_variable
from phytotron.weather.sun import SOLAR_CONSTANT, sun_height

LONG_GAP = SECONDS_PER_HOUR  # s
STUCK = 6 * SECONDS_PER_HOUR  # s
# quantities that never stay exactly the same for hours while they are measured
RESTLESS = ("air_temperature", "relative_humidity", "co2", "outdoor_temperature", "outdoor_relative_humidity")
# quantities that change within days where they are used at all
USED = ("pipe_temperature", "vent_lee", "vent_wind", "thermal_screen", "blackout_screen", "wind_speed")
STILL = 10 * SECONDS_PER_DAY  # s
HIGH_CO2 = 600.0  # ppm; a house that is aired now and then comes nearer to the air outdoors
TOO_WARM = 35.0  # °C, as a median; 2 °C in °F
# median differences above which two sensors disagree
DISAGREEMENT = MappingProxyType({"air_temperature": 1.0, "relative_humidity": 5.0, "par_above_crop": 30.0})
CLOCK_TOLERANCE = 0.5  # h
SHARES_OF_HUNDRED = ("vent_lee", "vent_wind", "thermal_screen", "blackout_screen")
BRIGHT = 20.0  # W m-2 from which units of radiation are checked
TOO_BRIGHT = 0.1  # share of bright rows that broken clouds may lift above what the sun sends down
PHOTONS_PER_JOULE = (1.5, 2.8)  # µmol of PAR per J of global radiation that occur


@dataclass(frozen=True)
class Finding:
    """One thing that a check found.

    `kind` is one of clock, unit, missing, gap, stuck, disagreement, repeated, doubtful.
    """

    kind: str
    quantity: str
    message: str


def check_log(log: GreenhouseLog) -> tuple[Finding, ...]:
    """Return everything that a user of a log should know."""
    checks = (_missing(log), _clock(log), _units(log), _gaps(log), _stuck(log), _disagreements(log))
    return tuple(itertools.chain.from_iterable(checks))


def clock_offset(log: GreenhouseLog) -> float | None:
    """Return by how many hours the clock of the log is ahead of UTC, judged by its radiation.

    The offset is the one with which the radiation of the log follows the height of the sun most closely. It is None
    where there is too little radiation.
    """
    radiation = log["global_radiation"]
    known = np.isfinite(radiation)
    own = log.times + np.timedelta64(round(log.utc_offset * SECONDS_PER_HOUR), "s")
    if known.sum() < 24 or np.nanmax(radiation) < 50.0:
        return None
    candidates = np.arange(-12.0, 14.25, 0.25)
    scores = []
    for offset in candidates:
        times_utc = own - np.timedelta64(round(offset * SECONDS_PER_HOUR), "s")
        height = sun_height(times_utc, log.site.latitude, log.site.longitude)
        scores.append(np.corrcoef(height[known], radiation[known])[0, 1] if height[known].any() else -1.0)
    return float(candidates[int(np.argmax(scores))])


def _clock(log: GreenhouseLog) -> list[Finding]:
    found = clock_offset(log) if "global_radiation" in log else None
    if found is None:
        return [Finding("clock", "global_radiation", "there is too little sun in the log to check its clock")]
    if abs(found - log.utc_offset) <= CLOCK_TOLERANCE:
        return _changed_clock(log)
    message = f"the sun says that the clock is {found:+g} h from UTC, but the log is read as {log.utc_offset:+g} h"
    return [Finding("clock", "global_radiation", f"{message}: correct its UTC offset")]


def _changed_clock(log: GreenhouseLog) -> list[Finding]:
    """Return a finding where the clock is put forward or back within the log, as for summer time."""
    middle = log.times[0] + (log.times[-1] - log.times[0]) // 2
    halves = [log.rows(log.times < middle), log.rows(log.times >= middle)]
    known = [each for each in map(clock_offset, halves) if each is not None]
    if len(known) < 2 or abs(known[1] - known[0]) <= CLOCK_TOLERANCE:
        return []
    message = f"the clock is {known[0]:+g} h from UTC in the first half and {known[1]:+g} h in the second"
    return [Finding("clock", "global_radiation", f"{message}: have it keep one UTC offset, without summer time")]


def _units(log: GreenhouseLog) -> list[Finding]:
    """Return findings about values that are possible one by one, but together look like another unit."""
    found = []
    for name in SHARES_OF_HUNDRED:
        known = log[name][np.isfinite(log[name])] if name in log else np.zeros(0)
        if known.size and 0.0 < known.max() <= 1.0 and np.unique(known).size > 2:
            found.append(Finding("unit", name, f"{name} never exceeds {known.max():g} %: is it a share of 1?"))
    for name in ("air_temperature", "outdoor_temperature"):
        usual = float(np.nanmedian(log[name])) if name in log and np.isfinite(log[name]).any() else 0.0
        if usual > TOO_WARM:
            found.append(Finding("unit", name, f"{name} is above {usual:.0f} °C half of the time: is it in °F?"))
    if "co2" in log and np.isfinite(log["co2"]).any():
        low = float(np.nanquantile(log["co2"], 0.01))
        if low > HIGH_CO2:
            message = f"co2 is hardly ever below {low:.0f} ppm, far above the air outdoors: is it in mg m-3?"
            found.append(Finding("unit", "co2", message))
    if "global_radiation" not in log:
        return found
    radiation = log["global_radiation"]
    above = SOLAR_CONSTANT * sun_height(log.times, log.site.latitude, log.site.longitude)
    bright = np.isfinite(radiation) & (radiation > BRIGHT)
    if bright.sum() >= 24 and np.mean(radiation[bright] > above[bright]) > TOO_BRIGHT:
        message = "global_radiation often exceeds what the sun sends down at that hour: check its unit and the clock"
        found.append(Finding("unit", "global_radiation", message))
    if "outdoor_par" in log and bright.sum() >= 24:
        ratio = float(np.nanmedian(log["outdoor_par"][bright] / radiation[bright]))
        if not PHOTONS_PER_JOULE[0] <= ratio <= PHOTONS_PER_JOULE[1]:
            message = f"outdoor_par is {ratio:.2g} µmol per J of global_radiation, not about 2: check their units"
            found.append(Finding("unit", "outdoor_par", message))
    return found


def _missing(log: GreenhouseLog) -> list[Finding]:
    names = [name for name in REQUIRED if name not in log or not np.isfinite(log[name]).any()]
    return [Finding("missing", name, f"{name} [{log_variable(name).unit}] is not in the log") for name in names]


def _gaps(log: GreenhouseLog) -> list[Finding]:
    """Return findings about gaps of more than an hour, and how much is missing; missing rows are reported once."""
    found = []
    silent = log["heating_pump"] == 0.0 if "heating_pump" in log else np.zeros(log.size, bool)
    elapsed = (log.times - log.times[0]).astype(float)
    between = np.diff(elapsed)
    absent = float(between.max(initial=0.0))
    if absent > LONG_GAP:
        message = f"there are no rows for up to {absent / SECONDS_PER_HOUR:.1f} h (the longest from "
        found.append(Finding("gap", "time", f"{message}{log.times[int(np.argmax(between))]} UTC)"))
    for name in REQUIRED:
        if name not in log or not np.isfinite(log[name]).any():
            continue
        known = np.isfinite(log[name]) | (silent if name == "pipe_temperature" else False)
        lengths = np.diff(elapsed[known])
        longest, missing = float(lengths.max(initial=0.0)), int((~known).sum())
        if longest > max(LONG_GAP, absent):
            where = log.times[known][int(np.argmax(lengths))]
            message = f"{name} has gaps of up to {longest / SECONDS_PER_HOUR:.1f} h (the longest from {where} UTC)"
            found.append(Finding("gap", name, f"{message}; {missing} of {log.size} values are missing"))
    return found


def _stuck(log: GreenhouseLog) -> list[Finding]:
    found = []
    for name in RESTLESS:
        if name not in log:
            continue
        known = np.isfinite(log[name])
        times, values = log.times[known], log[name][known]
        if values.size < 2:
            continue
        edges = np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1, [values.size]])
        lengths = (times[edges[1:] - 1] - times[edges[:-1]]).astype(float)
        worst = int(np.argmax(lengths))
        # a humidity sensor at 100 % says that the air is saturated
        if lengths[worst] > STUCK and not (name.endswith("humidity") and values[edges[worst]] >= 99.0):
            message = f"{name} stays at {values[edges[worst]]:g} for {lengths[worst] / SECONDS_PER_HOUR:.1f} h"
            found.append(Finding("stuck", name, f"{message} from {times[edges[worst]]} UTC; the sensor may be stuck"))
    for name in USED:
        known = log[name][np.isfinite(log[name])] if name in log else np.zeros(0)
        lasts = float((log.times[-1] - log.times[0]).astype(float))
        if known.size and lasts > STILL and known[0] != 0.0 and (known == known[0]).all():
            message = f"{name} is {known[0]:g} in every row of {lasts / SECONDS_PER_DAY:.0f} days"
            found.append(Finding("stuck", name, f"{message}; the sensor or its record may be stuck"))
    return found


def _disagreements(log: GreenhouseLog) -> list[Finding]:
    found = []
    for name, limit in DISAGREEMENT.items():
        second = f"{name}_second"
        if name not in log or second not in log:
            continue
        difference = log[name] - log[second]
        difference = difference[np.isfinite(difference)]
        if difference.size and np.median(np.abs(difference)) > limit:
            message = f"the sensors of {name} differ by {np.median(np.abs(difference)):.3g} {log_variable(name).unit}"
            found.append(Finding("disagreement", name, f"{message} (median; the first less the second on average "
                                 f"{np.mean(difference):+.3g})"))  # fmt: skip
    return found


def shared_columns(logs: Sequence[GreenhouseLog]) -> tuple[Finding, ...]:
    """Return columns that one log repeats of another: they cannot be measurements of both."""
    indoors = (*DISAGREEMENT, "co2", *(f"{each}_second" for each in DISAGREEMENT))
    found = []
    for (first, second), name in itertools.product(itertools.combinations(logs, 2), indoors):
        if not (name in first and name in second and np.isfinite(first[name]).sum() > 10):
            continue
        if np.array_equal(first[name], second[name], equal_nan=True):
            message = f"{name} of {first.name} and of {second.name} are the same numbers"
            found.append(Finding("repeated", name, f"{message}; use neither as a measurement before it is known whose"))
    return tuple(found)
