"""What a replay must know of a greenhouse beyond the model's parameters: its crop, its sensors, its surroundings."""

import dataclasses

import numpy as np

from phytotron.core.fields import Value, fraction, quantity, record
from phytotron.logs import GreenhouseLog

LIT = 20.0  # µmol m-2 s-1 above which lamps are on for certain
BRIGHT = 200.0  # µmol m-2 s-1 outdoors above which the share of the sun is told
OPEN = 5.0  # % of closure below which a screen counts as open


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
    lee_share: Value = fraction("fLee", "share of the vent area that is on the lee side", default=0.5)
    vent_exponent: Value = quantity(
        "nVent", "-", "exponent of a vent's position in its effective aperture", default=1.0, low=0.1, high=3.0
    )
    lamp_light: Value = quantity(
        "parLampMax", "µmol m-2 s-1", "light of the lamps at full power above the crop", default=300.0, low=1.0
    )
    sun_share: Value = fraction("fSunPar", "outdoor PAR that reaches the sensor above the crop", default=0.3)
    side_wall_conductance: Value = quantity(
        "uSide", "W m-2 K-1", "heat conductance to neighbouring rooms per floor area", default=0.0, low=0.0, high=50.0
    )
    neighbour_temperature: Value = quantity(
        "tSide", "°C", "temperature of neighbouring rooms", default=20.0, low=-50.0, high=60.0
    )
    outdoor_co2: Value = quantity("co2Out", "ppm", "CO2 mole fraction outdoors", default=420.0, low=300.0, high=600.0)
    soil_warmth: Value = quantity(
        "dTSo", "K", "deep soil temperature above that under grassland", default=5.0, low=-10.0, high=20.0
    )


def installation_of(log: GreenhouseLog) -> Installation:
    """The installation with what the light in a log says: full power of the lamps, and the sun's share at the sensor.

    Full power is the 99th percentile of the light above the crop while the sun is down. The sun's share is a low
    percentile of the ratio to outdoor PAR under open screens, so that hours without lamps decide. Both are properties
    of inputs: no measured climate enters.
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
        outdoor = log["outdoor_par"]
        open_roof = (log["thermal_screen"] < OPEN) & (log["blackout_screen"] < OPEN)
        ratio = (light / np.where(outdoor > BRIGHT, outdoor, np.nan))[open_roof]
        ratio = ratio[np.isfinite(ratio)]
        if ratio.size > 20:
            changes["sun_share"] = float(np.clip(np.percentile(ratio, 5.0), 0.0, 1.0))
    return dataclasses.replace(Installation(), **changes)
