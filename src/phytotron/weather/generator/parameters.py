"""The fitted parameters of a site, as they stand in a JSON file."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import DataFileError, UnknownNameError
from phytotron.weather.site import Site

Numbers = NDArray[np.float64]

PRESETS = ("schiphol", "wageningen", "france48n")
LATENT = ("occurrence", "clearness", "temperature", "range", "deficit", "wind")
SCORES = np.arange(-4.75, 4.76, 0.25)  # standard normal scores at which quantiles are tabulated
SHAPES: Mapping[str, tuple[int, ...]] = {
    "wet_fraction": (12,),
    "rain_mean": (12,),
    "rain_std": (12,),
    "rain_weights": (12, 5),
    "temperature": (12,),
    "most_vapour": (12,),
    "mean_position": (12, 3),
    "spell_share": (),
    "correlation": (12, len(LATENT), len(LATENT)),
    "lagged_correlation": (12, len(LATENT), len(LATENT)),
    "monthly_gain": (12, len(LATENT), len(LATENT)),
    "scale": (12, len(LATENT)),
    "quantiles": (12, len(LATENT) - 1, SCORES.size),
}


@dataclasses.dataclass(frozen=True, eq=False)
class SiteParameters:
    """What describes the climate of a site; axis 0 of every array holds the months.

    Attributes:
        wet_fraction: probability of a wet day.
        rain_mean, rain_std: of the rain [mm] of wet days.
        rain_weights: of what makes the normal score of the amount of rain on a wet day: the height of occurrence above
            its threshold (as a score), wind, clearness, occurrence, noise.
        temperature: mean [°C].
        most_vapour: vapour pressure [Pa] that no day exceeds.
        mean_position: a, b, s of (mean - minimum) / (maximum - minimum) of a day's temperature, which is
            a + b (maximum - minimum) with a spread of s.
        spell_share: share of the variance of latent occurrence that belongs to a slow variable of its own, without
            which long dry spells are too rare.
        correlation, lagged_correlation: of the fast latent variables, of the same day, of a day (row) with the day
            before (column); M0 and M1 of Richardson 1981. The order is that of `LATENT`.
        monthly_gain: matrix that multiplies the monthly means of the fast latent variables.
        scale: factor that gives the latent variables unit variance.
        quantiles: values at the `SCORES` of clearness [-], deviation of the mean temperature from its mean course [°C],
            daily range of temperature [°C], humidity deficit ln(saturation / vapour pressure) [-], wind at 2 m [m s-1].
    """

    site: Site
    source: str
    years: tuple[int, int]
    wet_fraction: Numbers
    rain_mean: Numbers
    rain_std: Numbers
    rain_weights: Numbers
    temperature: Numbers
    most_vapour: Numbers
    mean_position: Numbers
    spell_share: Numbers
    correlation: Numbers
    lagged_correlation: Numbers
    monthly_gain: Numbers
    scale: Numbers
    quantiles: Numbers
    diurnal: Mapping[str, Any]
    observed: Mapping[str, Any]


def load_parameters(preset: str) -> SiteParameters:
    """The parameters that come with the package."""
    if preset not in PRESETS:
        raise UnknownNameError("climate", preset, PRESETS)
    path = resources.files("phytotron.weather").joinpath("data", "generator", f"{preset}.json")
    return parameters_from(json.loads(path.read_text(encoding="utf-8")), path)


def parameters_from(content: Mapping[str, Any], path: Any) -> SiteParameters:
    """Check what a file holds and turn it into a record."""
    remedy = "make the file with benchmarks/fit_weather_generator.py"
    expected = {f.name for f in dataclasses.fields(SiteParameters)}
    missing = sorted(expected - set(content))
    if missing:
        raise DataFileError(path, f"lacks {', '.join(missing)}", remedy)
    arrays = {name: np.asarray(content[name], float) for name in SHAPES}
    for name, array in arrays.items():
        if array.shape != SHAPES[name] or not np.all(np.isfinite(array)):
            raise DataFileError(path, f"{name} is not an array of {SHAPES[name]} numbers", remedy)
    first, last = content["years"]
    return SiteParameters(
        site=Site(**content["site"]),
        source=str(content["source"]),
        years=(int(first), int(last)),
        diurnal=content["diurnal"],
        observed=content["observed"],
        **arrays,
    )
