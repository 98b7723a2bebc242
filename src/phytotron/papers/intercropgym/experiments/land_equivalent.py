"""Wheat and faba bean on one field: the land equivalent ratio by nitrogen dose, beside the literature."""

from __future__ import annotations

from phytotron.environments.intercrop import IntercropField
from phytotron.evaluation.statistics.comparison import confidence_interval
from phytotron.papers.intercropgym.experiments.partial_equivalents import LandEquivalents, land_equivalent_by_dose
from phytotron.papers.result import Result, Row, Settings, finite

SOURCE = "Yu, Stomph, Makowski and van der Werf 2015, Field Crops Research 184, 133-144"
LITERATURE = (1.22, 0.02)  # mean land equivalent ratio of intercrops, as printed
WEATHER = "wageningen"
QUICK_YEARS = (1980, 1986, 1992)
SHOWN = ("wheat", "faba bean")


def land_equivalent_ratio(settings: Settings) -> Result:
    """Means over all years measured at Wageningen, with 95 % intervals over years."""
    settings.progress("sole crops and the intercrop, all doses and years", 0.2)
    environment = IntercropField(weather=WEATHER, years=QUICK_YEARS if settings.quick else None)
    found = land_equivalent_by_dose(environment)
    return Result(
        "intercropgym/land-equivalent-ratio",
        f"Wheat and faba bean on one field, {len(found.seasons)} years at Wageningen",
        f"{SOURCE} (mean of intercrops of all kinds)",
        tuple(rows(found)),
        NOTES,
        series(found),
        settings.quick,
    )


def rows(found: LandEquivalents) -> list[Row]:
    made = []
    for number, dose in enumerate(found.doses):
        setting, ratios = f"{dose:g} kg/ha", found.ratio[number]
        mean, half = finite(float(ratios.mean())), finite(confidence_interval(ratios))
        made.append(Row(setting, "land equivalent ratio", "-", mean, half, *LITERATURE))
        for crop, name in enumerate(SHOWN):
            for what, values in (("intercropped", found.intercropped), ("sole", found.sole)):
                each = values[number, :, crop]
                made.append(
                    Row(setting, f"{name}, {what}", "t ha-1", float(each.mean()), finite(confidence_interval(each)))
                )
    return made


def series(found: LandEquivalents) -> dict[str, object]:
    return {
        "dose": list(found.doses),
        "ratio": found.ratio.tolist(),
        "partial": {name: found.partial[..., crop].mean(axis=1).tolist() for crop, name in enumerate(SHOWN)},
        "literature": LITERATURE[0],
    }


NOTES = (
    "Each crop of the intercrop is sown at half its density. Sole crops get the same doses, half on 1 March and half "
    "on 10 April, on the same weather and soil.",
    "Sole faba bean does not respond to nitrogen: it fixes what it lacks, without inhibition by mineral nitrogen.",
    "With little nitrogen the wheat of the intercrop has the soil of the whole field nearly to itself, because the "
    "bean takes most of its own from the air; the more there is, the less that is worth.",
)
