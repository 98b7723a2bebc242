"""Presentation of the tasks of two crops: measures, recorded channels, figures, texts, and baselines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from phytotron.core.outcomes import Measure, total
from phytotron.core.presentation import Baseline, Channel, Competitor, Presentation, Step, channel
from phytotron.core.tunable import TunableRules
from phytotron.environments.field.controllers import split_practice
from phytotron.environments.field.farming import KG_HA, TONNES
from phytotron.environments.field.task import DAY, UNFERTILISED, field_presentation, no_nitrogen
from phytotron.environments.field.tuning import dosing_rules
from phytotron.environments.intercrop.observations import CROP_NUMBERS

if TYPE_CHECKING:
    from phytotron.environments.intercrop.task import TwoCrops

GRAIN, PER_FIELD = "grain of both crops", "nitrogen given on each fertilised field"
SOIL_NITROGEN = "mineral nitrogen in the soil"

MEASURES: tuple[Measure, ...] = (
    total("nitrogen", "N", "kg ha-1", "nitrogen applied, on all that is fertilised"),
    total("yield", "WSO", "t ha-1", GRAIN, lambda info: TONNES * info["growth"].sum(-1)),
    total("yield_1", "WSO1", "t ha-1", "grain of crop 1", lambda info: TONNES * info["growth"][0]),
    total("yield_2", "WSO2", "t ha-1", "grain of crop 2", lambda info: TONNES * info["growth"][1]),
    total("zero_yield", "WSO0", "t ha-1", f"{GRAIN} {UNFERTILISED}", lambda i: TONNES * i["zero_growth"].sum(-1)),
    total("applications", "nN", "-", "applications of nitrogen", lambda info: info["nitrogen"] > 0.0),
)


def of_crops(
    name: str, symbol: str, unit: str, meaning: str, of: Callable[[Step], Any], factor: float = 1.0
) -> tuple[Channel, Channel]:
    """Return one channel for each crop, from a pair or an array (2,) in a step."""

    def value(crop: int) -> Callable[[Step], Any]:
        return lambda step: factor * of(step)[crop]

    one, two = (
        channel(f"{name}_{number}", f"{symbol}{number}", unit, f"{meaning} of crop {number}", value(place))
        for place, number in enumerate(CROP_NUMBERS)
    )
    return one, two


def state_of_crops(name: str) -> Callable[[Step], Any]:
    """Return one channel for each crop, with a state at the end of a step."""
    return lambda step: [getattr(crop, name) for crop in step.after.crops]


CHANNELS: tuple[Channel, ...] = (
    DAY,
    channel("grain", "WSO", "t ha-1", GRAIN, lambda s: TONNES * sum(each.grain_mass for each in s.after.crops)),
    *of_crops("grain", "WSO", "t ha-1", "grain", state_of_crops("grain_mass"), TONNES),
    *of_crops("leaf_area", "LAI", "m2 m-2", "leaf area per ground area", state_of_crops("leaf_area_index")),
    *of_crops("uptake", "NUPTT", "kg ha-1", "nitrogen taken up", state_of_crops("nitrogen_uptake"), KG_HA),
    *of_crops("soil_nitrogen", "TNSOIL", "kg ha-1", SOIL_NITROGEN, state_of_crops("soil_nitrogen"), KG_HA),
    channel("dose", "N", "kg ha-1", f"{PER_FIELD}, per decision", lambda s: s.after.farming.dose, "control"),
    channel("total_dose", "ΣN", "kg ha-1", f"{PER_FIELD} so far", lambda s: s.info["total_dose"], "control"),
    channel("rain", "TRAIN", "mm", "rain so far", lambda s: s.after.crops[0].rain_sum, "weather"),
)
ZOOMED = ("grain_1", "grain_2", "total_dose", "leaf_area_1", "leaf_area_2")


def crop_words(env: TwoCrops) -> tuple[str, str]:
    """Return the names of the crops in words, where they have names."""
    one, two = (
        crop.replace("_", " ") if isinstance(crop, str) else f"crop {number}"
        for number, crop in zip(CROP_NUMBERS, env.crops, strict=True)
    )
    return one, two


def baselines(env: TwoCrops) -> Mapping[str, Baseline]:
    """Return the baselines: equal parts of a usual dose in spring, and nothing at all."""
    return {
        "split-practice": lambda _: Competitor(
            "split practice", env.split.note, env, (split_practice(env, *env.split),)
        ),
        "none": lambda _: no_nitrogen(env),
    }


def tunable_rules(env: TwoCrops) -> TunableRules:
    """Return the practice of equal doses up to a total as tunable rules; untuned, the total is that of the split
    practice.
    """
    return dosing_rules(env, env.split.dose)


def presentation(env: TwoCrops, title: str, **others: Any) -> Presentation:
    """Return the presentation of a task of two crops: title, texts, measures and figures."""
    named = zip(CROP_NUMBERS, crop_words(env), strict=True)
    who = ", ".join(f"crop {number} is {words}" for number, words in named if words != f"crop {number}")
    usual = {"compare": ("split-practice", "none"), "zoomed": ZOOMED, "notes": (f"{who.capitalize()}.",) if who else ()}
    return field_presentation(env, title, **usual | others)
