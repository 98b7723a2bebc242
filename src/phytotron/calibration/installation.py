"""The facts that a replay needs beyond the model's parameters: crop, sensors and surroundings of a greenhouse."""

import dataclasses
from typing import Any

import numpy as np

from phytotron.core.fields import Value, fraction, quantity, record
from phytotron.logs import GreenhouseLog
from phytotron.models.greenlight import Parameters
from phytotron.weather.sun import diffuse_share, sun_height

LIT = 20.0  # µmol m-2 s-1 above which lamps are on for certain
BRIGHT = 30.0  # µmol m-2 s-1 outdoors above which the sun's shares are estimated
NOTICED = 8.0  # µmol m-2 s-1: change of the light outdoors from which the sun's shares are estimated
STILL = 1.0  # % by which a screen that stands still may move
LAG = 3  # rows over which changes are taken
OVERCAST, CLEAR = 0.97, 0.3  # diffuse share of the sun's light above and below which the sky counts as such
ROWS_NEEDED = 50  # to tell the sun's shares
LEAST_SHARE = 0.01


@record
class Installation:
    """The crop on part of the floor, the lamps as their light tells, and the surroundings."""

    crop_area_fraction: Value = fraction("fCrop", "share of the floor that the crop stands on", default=1.0)
    closed_leaf_area: Value = quantity(
        "laiCrop", "m2 m-2", "leaf area index of the crop once it covers its ground", default=3.0, low=0.01, high=12.0
    )
    cover_per_dry_weight: Value = quantity(
        "c_pl,d",
        "m2 g-1",
        "effective canopy surface per dry weight (van Henten 1994)",
        default=0.053,
        low=1e-4,
        high=1.0,
    )
    wet_area: Value = quantity(
        "aWet", "m2 m-2", "leaf area index of other surfaces that evaporate", default=0.02, low=0.0, high=5.0
    )
    one_sided: Value = fraction("fOne", "air exchange of vents on one side, relative to both", default=0.5)
    vent_exponent: Value = quantity(
        "nVent", "-", "exponent of a vent's position in its effective aperture", default=1.0, low=0.1, high=3.0
    )
    lamp_light: Value = quantity(
        "parLampMax", "µmol m-2 s-1", "light of the lamps at full power above the crop", default=300.0, low=1.0
    )
    sun_share: Value = fraction("fSunPar", "diffuse outdoor PAR that reaches the sensor above the crop", default=0.4)
    direct_share: Value = fraction("fBeamPar", "direct outdoor PAR that reaches the sensor above the crop", default=0.2)
    direct_entry: Value = quantity(
        "fBeam", "-", "direct sun that enters the house, relative to diffuse light", default=1.0, low=0.0, high=2.0
    )
    side_wall_conductance: Value = quantity(
        "uSide", "W m-2 K-1", "heat conductance to neighbouring rooms per floor area", default=0.0, low=0.0, high=50.0
    )
    neighbour_temperature: Value = quantity(
        "tSide", "°C", "temperature of neighbouring rooms", default=20.0, low=-50.0, high=60.0
    )
    surface_exchange: Value = quantity(
        "gWet",
        "m s-1",
        "vapour conductance between the air and wet or cold surfaces per floor area",
        default=0.0,
        low=0.0,
        high=0.1,
    )
    surface_temperature: Value = quantity(
        "tWet", "°C", "temperature of wet or cold surfaces", default=13.0, low=-20.0, high=40.0
    )
    inner_capacity: Value = quantity(
        "capIn",
        "J K-1 m-2",
        "heat capacity of benches, gutters and walls per floor area",
        default=1.0,
        low=1e-3,
        high=1e6,
    )
    outdoor_co2: Value = quantity("co2Out", "ppm", "CO2 mole fraction outdoors", default=420.0, low=300.0, high=600.0)
    co2_source: Value = quantity(
        "mcSoilAir", "mg m-2 s-1", "CO2 that substrate and soil give off per floor area", default=0.0, low=0.0, high=5.0
    )
    soil_warmth: Value = quantity(
        "dTSo", "K", "deep soil temperature above that under grassland", default=5.0, low=-10.0, high=20.0
    )


def installation_of(log: GreenhouseLog, parameters: Parameters) -> Installation:
    """Return the installation with what the light in a log says: full power of the lamps, and the sun's shares at the
    sensor.

    Full power is the 99th percentile of the light above the crop while the sun is down. The sun's shares are estimated
    from changes within a quarter of an hour, in which lamps that stay as they are have no part. Both are properties of
    inputs: no measured climate enters.
    """
    light = log["par_above_crop"]
    changes: dict[str, float] = {}
    if log.crop_area is not None and log.floor_area is not None:
        changes["crop_area_fraction"] = log.crop_area / log.floor_area
    dark = log["global_radiation"] <= 0.0
    lit = light[dark & (light > LIT)]
    if lit.size > 10:
        changes["lamp_light"] = float(np.percentile(lit, 99.0))
    if "outdoor_par" in log:
        changes |= _sun_shares(log, parameters)
    return dataclasses.replace(Installation(), **changes)


def _sun_shares(log: GreenhouseLog, p: Parameters) -> dict[str, float]:
    """Shares of diffuse and of direct outdoor light at the sensor: medians of how it follows the light outdoors.

    First the hours under cloud tell the diffuse share, then those of a clear sky the direct one.
    """
    closures = log["thermal_screen"], log["blackout_screen"]
    outdoor = screen_transmission(0.01 * closures[0], 0.01 * closures[1], p) * log["outdoor_par"]
    share = diffuse_share(log["global_radiation"], sun_height(log.times, log.site.latitude, log.site.longitude))
    still = np.logical_and(*(np.abs(_changes(each)) < STILL for each in closures))
    still &= log["outdoor_par"][LAG:] > BRIGHT
    found: dict[str, float] = {}
    light = _changes(log["par_above_crop"])
    for name, sky, source in (
        ("sun_share", share > OVERCAST, outdoor * share),
        ("direct_share", share < CLEAR, outdoor * (1.0 - share)),
    ):
        rows = still & sky[LAG:] & sky[:-LAG] & (np.abs(_changes(source)) > NOTICED) & np.isfinite(light)
        if rows.sum() < ROWS_NEEDED:
            break
        found[name] = float(np.clip(_median_slope(_changes(source)[rows], light[rows]), LEAST_SHARE, 1.0))
        light = light - found[name] * _changes(source)
    return found


def _changes(column: Any) -> Any:
    return column[LAG:] - column[:-LAG]


def _median_slope(of: Any, light: Any) -> float:
    """The median of ratios, weighted by their denominators: least absolute deviations from a line through zero."""
    slopes, weights = light / of, np.abs(of)
    order = np.argsort(slopes)
    return float(slopes[order][np.searchsorted(np.cumsum(weights[order]), 0.5 * weights.sum())])


def screen_transmission(thermal_screen: Any, blackout_screen: Any, p: Parameters) -> Any:
    """Return the share of light that passes both screens at these closures."""
    thermal = 1.0 - thermal_screen * (1.0 - p.thermal_screen_par_transmission)
    blackout = 1.0 - blackout_screen * (1.0 - p.blackout_screen_par_transmission)
    return thermal * blackout
