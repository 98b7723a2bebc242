"""What a season of set-points comes to."""

from __future__ import annotations

from phytotron.core.environment import Measure
from phytotron.core.fields import Quantity

MEASURES = (
    Measure(Quantity("harvest", "mHar", "kg m-2", "harvest of fresh fruit"), lambda info: info["harvest"]),
    Measure(
        Quantity("energy", "E", "MJ m-2", "energy of lamps and boilers"),
        lambda info: info["lamp_energy"] + info["boiler_energy"],
    ),
    Measure(Quantity("lamp_energy", "lampIn", "MJ m-2", "energy of the lamps"), lambda info: info["lamp_energy"]),
    Measure(Quantity("boiler_energy", "boilIn", "MJ m-2", "energy of the boilers"), lambda info: info["boiler_energy"]),
)
