"""Refusing what cannot be, before it is computed with."""

from __future__ import annotations

import numpy as np

from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.core.fields import check_value, quantities
from phytotron.models.lintul3.parameter_sets import check_parameters
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import Management, Weather


def check_inputs(weather: Weather, management: Management, parameters: Parameters) -> None:
    """Refuse a season whose values are not finite, out of range, or of shapes that do not go together."""
    days = np.shape(weather.irradiation)[:1]
    if not days or days[0] < 1:
        raise ShapeError("Weather.irradiation", "(days,) or (days, fields)", np.shape(weather.irradiation))
    for each in (weather, management):
        owner = type(each).__name__
        for q in quantities(each):
            value = getattr(each, q.name)
            check_value(q, value, owner)
            shape = np.shape(value)
            if shape[:1] != days and not (owner == "Management" and shape == ()):
                raise ShapeError(f"{owner}.{q.name}", f"({days[0]},) or ({days[0]}, fields)", shape)
    if np.any(np.asarray(weather.minimum_temperature) > np.asarray(weather.maximum_temperature)):
        day = int(np.argwhere(np.asarray(weather.minimum_temperature) > np.asarray(weather.maximum_temperature))[0][0])
        low = np.asarray(weather.minimum_temperature)[day].max()
        raise ValueRangeError(f"Weather.minimum_temperature of day {day}", low, "not above the maximum temperature")
    try:
        np.broadcast_shapes(*(np.shape(getattr(weather, q.name)) for q in quantities(Weather)))
    except ValueError:
        shapes = {q.name: np.shape(getattr(weather, q.name)) for q in quantities(Weather)}
        raise PhytotronError(f"Weather has shapes that do not go together: {shapes}") from None
    check_parameters(parameters)
