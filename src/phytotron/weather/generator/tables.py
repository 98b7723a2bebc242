"""The fitted parameters of a site, as in its JSON file, and the tables that the generator looks up for each day."""

import dataclasses
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtr, ndtri

from phytotron.core.errors import DataFileError, UnknownNameError, ValueRangeError
from phytotron.weather.generator.seasons import DAYS, MONTH_LENGTHS, line_through, seasonal_cycle
from phytotron.weather.radiation import angot_radiation
from phytotron.weather.site import Site

Numbers = NDArray[np.float64]

VERSIONS = (0, 1)
PRESETS = ("schiphol", "wageningen", "france48n")
LATENT = ("occurrence", "clearness", "temperature", "range", "deficit", "wind")
SCORES = np.arange(-4.75, 4.76, 0.25)  # standard normal scores at which quantiles are tabulated
WET = 0.3  # mm, least rain of a wet day
SPIN_UP = 31  # days of December before the first year
SPELL_MEMORY = 0.92  # autocorrelation of the slow variable behind spells, from day to day
LEAST_SHOCK = 1e-4  # least eigenvalue of the covariance of the shocks
# clearness [-], temperature [°C], range [°C], deficit [-], wind [m s-1]: what can occur
LIMITS = ((0.01, 0.9), (-60.0, 60.0), (0.3, 35.0), (1e-3, 4.0), (0.05, 40.0))


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class SiteParameters:
    """The parameters of the climate of a site; axis 0 of every array holds the months.

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
        annual_gain: matrix that multiplies the yearly means of the latent variables; version 1 only.
        heat: how much the daily range of temperature grows, as a logarithm per score of the mean temperature above
            one; version 1 only.
        quantiles: values at the `SCORES` of clearness [-], deviation of the mean temperature from its mean course [°C],
            daily range of temperature [°C], humidity deficit ln(saturation / vapour pressure) [-], wind at 2 m [m s-1].
    """

    site: Site
    source: str
    years: tuple[int, int]
    wet_fraction: Numbers = dataclasses.field(metadata={"shape": (12,)})
    rain_mean: Numbers = dataclasses.field(metadata={"shape": (12,)})
    rain_std: Numbers = dataclasses.field(metadata={"shape": (12,)})
    rain_weights: Numbers = dataclasses.field(metadata={"shape": (12, 5)})
    temperature: Numbers = dataclasses.field(metadata={"shape": (12,)})
    most_vapour: Numbers = dataclasses.field(metadata={"shape": (12,)})
    mean_position: Numbers = dataclasses.field(metadata={"shape": (12, 3)})
    spell_share: Numbers = dataclasses.field(metadata={"shape": ()})
    correlation: Numbers = dataclasses.field(metadata={"shape": (12, len(LATENT), len(LATENT))})
    lagged_correlation: Numbers = dataclasses.field(metadata={"shape": (12, len(LATENT), len(LATENT))})
    monthly_gain: Numbers = dataclasses.field(metadata={"shape": (12, len(LATENT), len(LATENT))})
    scale: Numbers = dataclasses.field(metadata={"shape": (12, len(LATENT))})
    quantiles: Numbers = dataclasses.field(metadata={"shape": (12, len(LATENT) - 1, SCORES.size)})
    diurnal: Mapping[str, Any]
    observed: Mapping[str, Any]
    annual_gain: Numbers | None = dataclasses.field(
        default=None, metadata={"shape": (len(LATENT), len(LATENT)), "since": 1}
    )
    heat: Numbers | None = dataclasses.field(default=None, metadata={"shape": (12,), "since": 1})

    @property
    def version(self) -> int:
        """The version of the generator that they are for."""
        return 0 if self.annual_gain is None else 1


def load_parameters(preset: str, version: int = VERSIONS[-1]) -> SiteParameters:
    """Return the parameters that come with the package."""
    if preset not in PRESETS:
        raise UnknownNameError("climate", preset, PRESETS)
    if version not in VERSIONS:
        raise ValueRangeError("version of the weather generator", version, f"one of {', '.join(map(str, VERSIONS))}")
    name = f"{preset}.json" if version == 0 else f"{preset}_v{version}.json"
    path = resources.files("phytotron.weather").joinpath("data", "generator", name)
    return parameters_from(json.loads(path.read_text(encoding="utf-8")), path)


def parameters_from(content: Mapping[str, Any], path: Any) -> SiteParameters:
    """Check what a file holds and turn it into a record."""
    remedy = "make the file with benchmarks/fit_weather_generator.py"
    version = 1 if "annual_gain" in content else 0
    held = [f for f in dataclasses.fields(SiteParameters) if f.metadata.get("since", 0) <= version]
    missing = sorted({f.name for f in held} - set(content))
    if missing:
        raise DataFileError(path, f"lacks {', '.join(missing)}", remedy)
    shapes = {f.name: f.metadata["shape"] for f in held if f.metadata}
    arrays = {name: np.asarray(content[name], float) for name in shapes}
    for name, array in arrays.items():
        if array.shape != shapes[name] or not np.all(np.isfinite(array)):
            raise DataFileError(path, f"{name} is not an array of {shapes[name]} numbers", remedy)
    first, last = content["years"]
    return SiteParameters(
        site=Site(**content["site"]),
        source=str(content["source"]),
        years=(int(first), int(last)),
        diurnal=content["diurnal"],
        observed=content["observed"],
        **arrays,
    )


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True, eq=False)
class DailyTables:
    """Axis 0 holds days, from 1 December before the year in `transition` and `shock`, or months."""

    transition: Any  # (397, 7, 7), A of Richardson 1981; the last variable is the slow one behind spells
    shock: Any  # (397, 7, 7), B of Richardson 1981
    scale: Any  # (366, 6)
    threshold: Any  # (366,), occurrence above it means rain
    wet_fraction: Any  # (366,)
    rain_weights: Any  # (366, 5)
    quantiles: Any  # (6, 366, scores): rain above 0.3 mm, then as in SiteParameters
    extraterrestrial: Any  # (366,), J m-2 d-1
    mean_position: Any  # (366, 3)
    most_vapour: Any  # (366,), Pa
    spell_share: Any  # ()
    gain: Any  # (12, 6, 6)
    rain_mean: Any  # (12,), mm d-1
    annual_gain: Any = None  # (6, 6), version 1
    heat: Any = None  # (366,), version 1


def daily_tables(parameters: SiteParameters) -> DailyTables:
    """Return the tables of a site, in double precision."""
    transition, shock = transition_and_shock(parameters.correlation, parameters.lagged_correlation)
    wet = np.clip(seasonal_cycle(parameters.wet_fraction), 0.01, 0.99)
    quantiles = [seasonal_cycle(rain_quantiles(parameters)).clip(0.0)]
    for row, (low, high) in enumerate(LIMITS):
        table = seasonal_cycle(parameters.quantiles[:, row])
        if LATENT[row + 1] == "temperature":
            table = table + seasonal_cycle(parameters.temperature)[:, None]
        quantiles.append(table.clip(low, high))
    turn = np.concatenate([np.arange(DAYS - SPIN_UP, DAYS), np.arange(DAYS)])
    return DailyTables(
        transition=_with_spells(transition, SPELL_MEMORY)[turn],
        shock=_with_spells(shock, (1.0 - SPELL_MEMORY**2) ** 0.5)[turn],
        scale=line_through(parameters.scale),
        threshold=-ndtri(wet),
        wet_fraction=wet,
        rain_weights=daily_rain_weights(parameters.rain_weights),
        quantiles=np.maximum.accumulate(np.stack(quantiles), axis=-1),
        extraterrestrial=angot_radiation(np.arange(1.0, DAYS + 1.0), parameters.site.latitude),
        most_vapour=line_through(parameters.most_vapour),
        mean_position=line_through(parameters.mean_position),
        spell_share=parameters.spell_share,
        gain=parameters.monthly_gain,
        rain_mean=parameters.wet_fraction * parameters.rain_mean,
        annual_gain=parameters.annual_gain,
        heat=None if parameters.heat is None else line_through(parameters.heat),
    )


def transition_and_shock(correlation: Numbers, lagged: Numbers) -> tuple[Numbers, Numbers]:
    """Return a and B of z(t) = A z(t-1) + B e(t) for each day, such that z has the day's correlation; as Richardson
    1981.

    A = M1 M0^-1 with M0 of the day before; B B' = M0 - A M1', B being its symmetric root. Where the estimates would
    make B B' indefinite its eigenvalues are raised.
    """
    m0, m1 = line_through(correlation), line_through(lagged)
    transition = m1 @ np.linalg.inv(np.roll(m0, 1, axis=0))
    values, vectors = np.linalg.eigh(m0 - transition @ m1.swapaxes(1, 2))
    root = np.sqrt(np.maximum(values, LEAST_SHOCK))
    return transition, (vectors * root[:, None, :]) @ vectors.swapaxes(1, 2)


def _with_spells(matrices: Numbers, corner: float) -> Numbers:
    """The matrices with one more row and column, zero but for the corner."""
    wider = np.pad(matrices, ((0, 0), (0, 1), (0, 1)))
    wider[:, -1, -1] = corner
    return wider


def daily_rain_weights(monthly: Numbers) -> Numbers:
    """Return weights on straight lines between the months, but for that of noise, which keeps the variance at one."""
    weights = line_through(monthly)
    others = line_through(1.0 - monthly[:, 0] ** 2 - monthly[:, -1] ** 2)  # variance that wind and clearness bring
    weights[:, -1] = np.sqrt(np.maximum(1.0 - weights[:, 0] ** 2 - others, 0.0))
    return weights


def rain_quantiles(parameters: SiteParameters) -> Numbers:
    """Return quantiles of the rain above 0.3 mm on wet days [mm]: gamma distributions with the mean and spread of the
    data.
    """
    mean, std = parameters.rain_mean - WET, parameters.rain_std
    shape = (mean / std) ** 2
    table = gammaincinv(shape[:, None], ndtr(SCORES)[None, :]) * (std**2 / mean)[:, None]
    got_mean, got_std = table_moments(table)
    # straight lines between the scores lie above a convex curve: restore the moments
    shifted = (table - got_mean[:, None]) * (std / got_std)[:, None] + mean[:, None]
    return shifted.clip(0.0) * (mean / table_moments(shifted.clip(0.0))[0])[:, None]


def table_moments(table: Numbers) -> tuple[Numbers, Numbers]:
    """Return the mean and standard deviation of what a table (..., scores) makes of a standard normal variable."""
    fine = np.linspace(-4.75, 4.75, 3801)
    weight = np.exp(-0.5 * fine**2)
    weight /= weight.sum()
    values = np.apply_along_axis(lambda row: np.interp(fine, SCORES, row), -1, table)
    mean = values @ weight
    return mean, np.sqrt((values - mean[..., None]) ** 2 @ weight)


assert MONTH_LENGTHS[-1] == SPIN_UP
