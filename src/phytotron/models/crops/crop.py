"""Crops: the parameters of growth of each, and its height."""

from phytotron.core.fields import Value, names, quantity, record
from phytotron.models.lintul3 import Parameters


@record
class Height:
    """Logistic growth in thermal time (Berghuijs et al. 2020): dH/dt = rate * warmth * H * (1 - H / maximum)."""

    initial: Value = quantity("H0", "m", "height at emergence", default=0.02, low=1e-6, high=10.0)
    maximum: Value = quantity("Hmax", "m", "largest height", default=0.93, low=1e-3, high=10.0)
    rate: Value = quantity(
        "rH", "(°C d)-1", "relative growth of a small plant's height", default=0.006, low=0.0, high=1.0
    )

    def growth(self, height: Value, warmth: Value) -> Value:
        """Return the growth in height [m d-1]; `warmth` is the temperature sum of the day [°C d d-1]."""
        return self.rate * warmth * height * (1.0 - height / self.maximum)


@record
class Crop:
    """Parameters of one crop on its field; the soil and the site among them are those of the field."""

    plant: Parameters
    height: Height


# Parameters of LINTUL-3 that belong to the soil, the site and the farmer, and so to no crop.
FIELD_PARAMETERS = (
    "air_dry_content",
    "wilting_point",
    "field_capacity",
    "wet_content",
    "saturation",
    "maximum_drainage",
    "initial_soil_nitrogen",
    "mineralisation",
    "initial_water_content",
    "subsoil_water_content",
    "automatic_irrigation",
    "irrigation_by_farmer",
    "irrigation_efficiency",
    "nitrogen_recovery",
    "latest_harvest",
)
PLANT_PARAMETERS = tuple(name for name in names(Parameters) if name not in FIELD_PARAMETERS)
