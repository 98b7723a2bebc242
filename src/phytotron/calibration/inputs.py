"""The inputs of a replay: measured actuators and weather in windows of equal length, at regular times."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from phytotron.calibration.hidden_screens import closed_in_fact
from phytotron.calibration.installation import Installation
from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.core.fields import record
from phytotron.logs import GreenhouseLog, LogError
from phytotron.logs.outdoors import LONGEST_GAP, STEP, sky_temperature
from phytotron.logs.table import Column
from phytotron.logs.variables import ACTUATORS, CLIMATE, REQUIRED, WEATHER
from phytotron.weather.calendar import days_since_new_year
from phytotron.weather.humid_air import vapour_pressure
from phytotron.weather.sun import diffuse_share, sun_height
from phytotron.weather.surface import deep_soil_temperature

INTERVAL = STEP  # s
SPIN_UP_HOURS = 12
CLOSED = 0.995  # a screen that is closed so far is closed
OPEN_GROWTH = 0.43  # d-1 of heads that stand apart (van Henten 1994: 5e-6 s-1); the logs at hand have 0.30 to 0.56
COVER_PER_DRY_WEIGHT = float(Installation().cover_per_dry_weight)  # m2 g-1
PHOTONS_PER_JOULE = 2.0  # µmol J-1 of global radiation, where a log has no outdoor PAR


@record
class Drive:
    """Inputs of each step, averaged over it, and the measured air at its beginning; arrays of (steps, windows)."""

    vent_lee: Any
    vent_wind: Any
    thermal_screen: Any
    blackout_screen: Any
    pump: Any  # 1 while the pipe temperature is prescribed
    pipe_temperature: Any
    co2_dosing: Any
    light: Any  # µmol m-2 s-1 above the crop
    outdoor_light: Any
    global_radiation: Any
    diffuse_share: Any  # of global radiation and of outdoor light
    outdoor_temperature: Any
    outdoor_vapour_pressure: Any
    wind_speed: Any
    sky_temperature: Any
    grassland_temperature: Any  # of the deep soil
    dry_weight: Any  # g per m2 of the crop's area
    air_temperature: Any  # measured, NaN where it is not
    relative_humidity: Any
    co2: Any


@dataclasses.dataclass(frozen=True, eq=False)
class Windows:
    """Windows of a log: `spin_up` steps with the measured air imposed, then steps that are simulated freely."""

    drive: Drive
    measured: Any  # (steps after the spin-up, windows, 3): climate at the end of each free step
    mean_temperature: Any  # (windows,): of the measured air in the three days before
    starts: Any  # (windows,): UTC of the end of the spin-up
    spin_up: int
    skipped: tuple[str, ...]  # why windows were left out
    notes: tuple[str, ...] = ()  # what was read otherwise than the log says


def windows(
    log: GreenhouseLog,
    first: np.datetime64,
    end: np.datetime64,
    horizon_hours: float,
    stride_hours: float | None = None,
) -> Windows:
    """Return windows that follow each other from a moment to another; those with long gaps among their inputs are left
    out.

    The last window may reach beyond `end`, or beyond the log: nothing is measured there, and nothing is compared.
    """
    missing = [name for name in REQUIRED if name not in log or not np.isfinite(log[name]).any()]
    if missing:
        raise LogError(f"the log {log.name} has no {', '.join(missing)}; a replay needs {', '.join(REQUIRED)}")
    origin = log.times[0]
    last = min(end, log.times[-1])
    if first < origin or first >= last:
        span = f"{origin} to {log.times[-1]} UTC"
        raise LogError(f"the log {log.name} has no rows from {first} to {end} UTC: it holds {span}")
    rows = int((log.times[-1] - origin).astype(float) // INTERVAL) + 1
    grid = _filled(log, origin, rows)
    exact = log.on_grid(origin, rows, INTERVAL, longest=INTERVAL)
    steps, spin_up = round(horizon_hours * SECONDS_PER_HOUR / INTERVAL), SPIN_UP_HOURS * SECONDS_PER_HOUR // INTERVAL
    stride = steps if stride_hours is None else round(stride_hours * SECONDS_PER_HOUR / INTERVAL)
    begin = int((first - origin).astype(float) // INTERVAL)
    stop = int((last - origin).astype(float) // INTERVAL) + 1
    climate = np.stack([exact[name] for name in CLIMATE], axis=-1)
    kept, skipped = [], []
    for start in range(begin, stop - 1, stride):
        inside = np.arange(max(start - spin_up, 0), min(start + steps + 1, rows))
        gaps = [name for name in (*ACTUATORS, *WEATHER, "par_above_crop") if np.isnan(grid[name][inside]).any()]
        gaps += [name for name in CLIMATE if np.isnan(grid[name][max(start - 6, 0) : start + 1]).all()]
        if gaps:
            skipped.append(f"the window from {origin + start * np.timedelta64(INTERVAL, 's')} UTC: no {gaps[0]}")
        else:
            kept.append(start)
    if not kept:
        raise LogError(f"every window of the log {log.name} has gaps among its inputs: {skipped[0]}")
    at = np.array(kept)
    index = np.clip(at[None, :] + np.arange(-spin_up, steps + 1)[:, None], 0, rows - 1)
    later = at[None, :] + np.arange(1, steps + 1)[:, None]
    measured = np.where((later < stop)[..., None], climate[np.minimum(later, rows - 1)], np.nan)
    mean = np.array([np.nanmean(grid["air_temperature"][max(k - 864, 0) : k + 1]) for k in at])
    starts = origin + at * np.timedelta64(INTERVAL, "s")
    drive = Drive(**{f.name: _stepwise(f.name, grid, index) for f in dataclasses.fields(Drive)})
    hours = grid["hidden"][begin:stop].sum() * INTERVAL / SECONDS_PER_HOUR
    notes = (
        f"in {hours:.1f} h the light above the crop does not follow the sun although blackout_screen is recorded as "
        "open: it counts as closed there",
    )
    return Windows(drive, measured, mean, starts, spin_up, tuple(skipped), notes if hours else ())


def _stepwise(name: str, grid: dict[str, Column], index: Any) -> Any:
    """Return a column's value for each step: the mean of both ends; for the climate, that at the beginning."""
    values = grid[name][index]
    if name in CLIMATE:
        return values[:-1]
    if name == "pump":
        return np.maximum(values[:-1], values[1:])
    if name == "pipe_temperature":
        before, after = values[:-1], values[1:]
        both = 0.5 * (before + after)
        return np.nan_to_num(np.where(np.isnan(both), np.where(np.isnan(before), after, before), both), nan=20.0)
    return 0.5 * (values[:-1] + values[1:])


def _filled(log: GreenhouseLog, origin: np.datetime64, rows: int) -> dict[str, Column]:
    """The columns of a drive on the grid."""
    grid = log.on_grid(origin, rows, INTERVAL, LONGEST_GAP)
    nearest = log.on_grid(origin, rows, INTERVAL, 0.6 * INTERVAL)
    pipe = np.where(nearest["heating_pump"] <= 0.0, np.nan, nearest["pipe_temperature"])  # else it cools by itself
    moments = origin + np.arange(rows) * np.timedelta64(INTERVAL, "s")
    for name in ("vent_lee", "vent_wind", "thermal_screen", "blackout_screen"):
        grid[name] = np.clip(0.01 * grid[name], 0.0, 1.0)
    for name in ("thermal_screen", "blackout_screen"):
        grid[name] = np.where(grid[name] > CLOSED, 1.0, grid[name])
    outdoor, radiation = grid["outdoor_temperature"], grid["global_radiation"]
    grid["sky_temperature"] = sky_temperature(grid.get("net_longwave"), outdoor)
    light = grid.get("outdoor_par", np.full(rows, np.nan))
    grid["outdoor_light"] = np.where(np.isnan(light), PHOTONS_PER_JOULE * radiation, light)
    grid["light"] = grid["par_above_crop"]
    grid["hidden"] = closed_in_fact(grid["light"], grid["outdoor_light"], grid["blackout_screen"])
    grid["blackout_screen"] = np.where(grid["hidden"], 1.0, grid["blackout_screen"])
    grid["diffuse_share"] = diffuse_share(radiation, sun_height(moments, log.site.latitude, log.site.longitude))
    grid["pump"] = np.isfinite(pipe).astype(float)
    grid["pipe_temperature"] = pipe
    grid["outdoor_vapour_pressure"] = vapour_pressure(outdoor, grid["outdoor_relative_humidity"])
    grid["grassland_temperature"] = deep_soil_temperature(days_since_new_year(moments))
    grid["dry_weight"] = dry_weight(log, moments)
    return grid


def dry_weight(log: GreenhouseLog, moments: Any) -> Column:
    """Return the dry weight of the crop per area that it stands on [g m-2]; 0 while no heads stand there.

    Between the days on which heads were weighed and beyond them, they grow as the share of the ground that they cover:
    exponentially while they stand apart, then linearly (Goudriaan & Monteith 1990, Ann. Bot. 66, 695-701). The rate is
    that of the nearest two weighings; of heads that were weighed once, `OPEN_GROWTH`. Without weights the crop counts
    as none.
    """
    if "head_dry_weight" not in log or "plant_density" not in log:
        return np.zeros(moments.shape)
    density = np.nan_to_num(log["plant_density"], nan=0.0)
    known = np.isfinite(log["head_dry_weight"]) & (log["head_dry_weight"] > 0.0) & (density > 0.0)
    if not known.any():
        return np.zeros(moments.shape)
    day = (log.times[known] - moments[0]).astype(float) / SECONDS_PER_DAY
    wanted = (moments - moments[0]).astype(float) / SECONDS_PER_DAY
    # Of dW/dt = C (1 - exp(-a W)), log(exp(a W) - 1) is linear in time.
    cover = COVER_PER_DRY_WEIGHT * density[known][-1]
    stage = np.log(np.expm1(cover * log["head_dry_weight"][known]))
    rates = np.diff(stage) / np.diff(day) if day.size > 1 else np.array([OPEN_GROWTH])
    early = rates[0] * np.minimum(wanted - day[0], 0.0)
    late = rates[-1] * np.maximum(wanted - day[-1], 0.0)
    heads = np.logaddexp(0.0, np.interp(wanted, day, stage) + early + late) / cover
    elapsed = (log.times - moments[0]).astype(float) / SECONDS_PER_DAY
    nearest = np.clip(np.searchsorted(elapsed, wanted), 0, log.size - 1)
    return np.asarray(density[nearest] * heads)
