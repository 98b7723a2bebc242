"""The place where weather was measured, and the provenance of a table."""

import math
from dataclasses import dataclass

from phytotron.core.errors import ValueRangeError


@dataclass(frozen=True)
class Site:
    """A place on earth; longitude is positive to the east."""

    name: str
    latitude: float  # degrees
    longitude: float  # degrees
    elevation: float = 0.0  # m above sea level
    angstrom: tuple[float, float] | None = None  # a and b of its climate, see `evapotranspiration.Angstrom`

    def __post_init__(self) -> None:
        limits = (("latitude", 90.0, -90.0), ("longitude", 180.0, -180.0), ("elevation", 9000.0, -500.0))
        for name, high, low in limits:
            value = getattr(self, name)
            if not (isinstance(value, int | float) and math.isfinite(value) and low <= value <= high):
                raise ValueRangeError(f"the {name} of site {self.name!r}", value, f"{low:g} to {high:g}")


@dataclass(frozen=True)
class Provenance:
    """The source of a table, its licence, and the changes made to it."""

    source: str
    licence: str
    notes: tuple[str, ...] = ()
