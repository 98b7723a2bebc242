"""Wheat and faba bean on one field: the land equivalent ratio by nitrogen dose, beside the literature.

All seasons and doses run at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.core.fields import unstack
from phytotron.environments.field.farming import KG_HA, TONNES
from phytotron.environments.field.seasons import dated
from phytotron.environments.intercrop import IntercropField
from phytotron.models.intercropping.field import field_harvest
from phytotron.models.intercropping.stand import FieldManagement
from phytotron.models.lintul3 import Weather
from phytotron.papers.result import Result, Row, Settings, mean_row

SOURCE = "Yu, Stomph, Makowski and van der Werf 2015, Field Crops Research 184, 133-144"
LITERATURE = (1.22, 0.02)  # mean land equivalent ratio of intercrops, as printed
WEATHER = "wageningen"
QUICK_YEARS = (1980, 1986, 1992)
SHOWN = ("wheat", "faba bean")
DOSES = (0.0, 40.0, 80.0, 120.0, 160.0)  # kg ha-1
# Half at tillering on 1 March, half at stem elongation on 10 April, as is usual for wheat; days since 1 January.
APPLIED = (59, 99)


@dataclass(frozen=True)
class LandEquivalents:
    """Yields [t ha-1] by dose and season, of crops 1 and 2 along the last axis."""

    doses: tuple[float, ...]  # kg ha-1
    intercropped: NDArray[np.float64]  # (doses, seasons, 2)
    sole: NDArray[np.float64]  # (doses, seasons, 2)
    seasons: tuple[str, ...]

    @property
    def partial(self) -> NDArray[np.float64]:
        """Land that each sole crop needs for what it yields in the intercrop, per land of the intercrop."""
        return np.divide(self.intercropped, self.sole, out=np.zeros_like(self.sole), where=self.sole > 0.0)

    @property
    def ratio(self) -> NDArray[np.float64]:
        """The land equivalent ratio (doses, seasons)."""
        return self.partial.sum(-1)


def land_equivalent_by_dose(
    environment: IntercropField, doses: Sequence[float] = DOSES, applied: Sequence[int] = APPLIED
) -> LandEquivalents:
    """Return harvests of the task's fields under doses [kg ha-1] that the whole field gets in equal parts.

    `applied`: on which days since 1 January.
    """
    params = environment.default_params
    held = params.weather
    number = len(doses)
    weather = np.tile(np.moveaxis(np.asarray(held.values), 1, 0), (1, number, 1))
    given = np.zeros(weather.shape[:2])
    given[list(applied)] = np.repeat(np.asarray(doses, float) / KG_HA / len(applied), held.seasons)
    leap = jnp.tile(jnp.asarray(held.leap), number)
    crops: Any = tuple(type(crop)(plant=dated(crop.plant, leap), height=crop.height) for crop in params.crops)
    interplay = environment.interplay
    stand = interplay.stand(crops, params.factors)
    last = field_harvest(unstack(Weather, jnp.asarray(weather)), FieldManagement(nitrogen=given), stand)
    both = interplay.with_soles(last, params.factors).field
    intercropped, sole = (
        TONNES * np.asarray(grain, float).reshape(number, held.seasons, 2)
        for grain in (both.plants.grain_mass, last.plants.grain_mass[..., 2:])
    )
    labels = tuple(environment.seasons.label(row) for row in range(held.seasons))
    return LandEquivalents(tuple(map(float, doses)), intercropped, sole, labels)


def land_equivalent_ratio(settings: Settings) -> Result:
    """Return means over all years measured at Wageningen, with 95 % intervals over years."""
    settings.progress("sole crops and the intercrop, all doses and years", 0.2)
    environment = IntercropField(weather=WEATHER, years=QUICK_YEARS if settings.quick else None)
    found = land_equivalent_by_dose(environment)
    return Result(
        f"Wheat and faba bean on one field, {len(found.seasons)} years at Wageningen",
        f"{SOURCE} (mean of intercrops of all kinds)",
        rows(found),
        NOTES,
        series(found),
        beside="literature",
    )


def rows(found: LandEquivalents) -> list[Row]:
    """Return by dose the ratio beside that of the literature, and the yields of both crops."""
    made = []
    for number, dose in enumerate(found.doses):
        setting = f"{dose:g} kg/ha"
        made.append(mean_row(setting, "land equivalent ratio", "-", found.ratio[number], *LITERATURE))
        for crop, name in enumerate(SHOWN):
            for what, values in (("intercropped", found.intercropped), ("sole", found.sole)):
                made.append(mean_row(setting, f"{name}, {what}", "t ha-1", values[number, :, crop]))
    return made


def series(found: LandEquivalents) -> dict[str, object]:
    """Return the curves of the figure."""
    return {
        "dose": list(found.doses),
        "ratio": found.ratio.tolist(),
        "partial": {name: found.partial[..., crop].mean(axis=1).tolist() for crop, name in enumerate(SHOWN)},
        "literature": LITERATURE[0],
    }


NOTES = (
    "The 1.22 beside our values is the mean of intercrops of all kinds by Yu et al. 2015; neither InterCropGym's paper "
    "nor its code prints a land equivalent ratio.",
    "Each crop of the intercrop is sown at half its density. Sole crops get the same doses, half on 1 March and half "
    "on 10 April, on the same weather and soil.",
    "Sole faba bean does not respond to nitrogen: it fixes what it lacks, without inhibition by mineral nitrogen.",
    "With little nitrogen the wheat of the intercrop has the soil of the whole field nearly to itself, because the "
    "bean takes most of its own from the air; the more there is, the less that is worth.",
)
