"""Height: logistic growth in the crop's thermal time (Berghuijs et al. 2020)."""

from __future__ import annotations

from phytotron.core.fields import Value
from phytotron.models.crops.crop import Height


def height_growth(height: Value, warmth: Value, p: Height) -> Value:
    """In m d-1; `warmth` is the temperature sum of the day [°C d d-1]."""
    return p.rate * warmth * height * (1.0 - height / p.maximum)
