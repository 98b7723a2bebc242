"""The consumption of a greenhouse during the windows of a log, computed by its twin from the recorded actuators."""

from typing import Any

import numpy as np

from phytotron.calibration.inputs import INTERVAL, Windows
from phytotron.calibration.replay import EQUATIONS, Twin, forced
from phytotron.core.constants import KELVIN
from phytotron.models.greenlight.design import design

JOULES_PER_KWH = 3.6e6
MILLIGRAMS_PER_KILOGRAM = 1e6


def consumption(twin: Twin, given: Windows) -> dict[str, float]:
    """Return the heat of the pipes, electricity of the lamps [kWh m-2] and CO2 that was dosed [kg m-2], per floor area.

    No meter is in the log. Heat follows from pipe and air temperature (convection, Vanthoor 2011, table 8.4, and
    radiation to surfaces of air temperature), lamps from their light and fitted power, CO2 from the fitted rate.
    """
    drive, p = given.drive, twin.parameters
    derived = design(p, EQUATIONS)
    control, _ = forced(drive, twin)
    air = np.nan_to_num(drive.air_temperature, nan=float(np.nanmean(drive.air_temperature)))
    warmer = drive.pipe_temperature - air
    convection = 1.99 * float(derived.pipe_area) * np.abs(warmer) ** 0.32 * warmer
    fourth = (drive.pipe_temperature + KELVIN) ** 4 - (air + KELVIN) ** 4
    radiation = float(p.stefan_boltzmann * p.pipe_emissivity * derived.pipe_area) * fourth
    heat = np.where(drive.pump > 0.0, np.maximum(convection + radiation, 0.0), 0.0)
    return {
        "heat": _total(heat, given) / JOULES_PER_KWH,
        "lamp_electricity": _total(np.asarray(control.lamp) * float(p.lamp_power), given) / JOULES_PER_KWH,
        "co2": _total(drive.co2_dosing * float(derived.co2_intensity), given) / MILLIGRAMS_PER_KILOGRAM,
    }


def _total(rate: Any, given: Windows) -> float:
    """The integral over the free steps of all windows."""
    return float(np.nansum(np.asarray(rate)[given.spin_up :]) * INTERVAL)
