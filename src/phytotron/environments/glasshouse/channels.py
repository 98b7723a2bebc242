"""What is recorded of any greenhouse task: indoor climate, pipes and fruit at the start of an interval, the weather."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phytotron.core.fields import find
from phytotron.core.presentation import Channel, Step, channel
from phytotron.environments.glasshouse.clock import Clock
from phytotron.models.greenlight import Weather, indoor_climate

GRAMS = 1e-3  # g per mg


def _indoors(name: str) -> Callable[[Step], Any]:
    return lambda step: getattr(indoor_climate(step.before.model), name)


INDOORS = (
    channel("air_temperature", "tAir", "°C", "air temperature", _indoors("temperature")),
    channel("co2", "co2Air", "ppm", "CO2 of the air", _indoors("co2")),
    channel("humidity", "rhAir", "%", "relative humidity", _indoors("relative_humidity")),
    channel("pipe_temperature", "tPipe", "°C", "pipe temperature", lambda s: s.before.model.pipe_temperature),
    channel(
        "fruit", "cFruit", "g m-2", "carbohydrate in the fruit", lambda s: GRAMS * s.before.model.fruit_carbohydrate
    ),
)


def outdoor_channels(clock: Clock) -> tuple[Channel, ...]:
    """Radiation and temperature at the start of an interval."""

    def value(name: str) -> Callable[[Step], Any]:
        return lambda step: getattr(clock.weather(step.params.weather, step.before.start_day, step.before.step), name)

    return tuple(
        Channel(find(Weather, name), value(name), "weather") for name in ("global_radiation", "outdoor_temperature")
    )
