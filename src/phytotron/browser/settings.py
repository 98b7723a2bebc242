"""The settings of pages by id, beyond the contract of environments: windows, controls, rivals and a picture.

A task without settings has a page that follows from the contract alone. Installed packages add settings of their tasks
by entry points of the group `phytotron.pages`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from phytotron.core.errors import UnknownNameError
from phytotron.core.making import described
from phytotron.core.registry import Registry

PICTURES = ("greenhouse", "field", "none")  # in static/field.js
GREENHOUSE_OF_THE_CODE = "phytotron/GreenLightGym-v0"


class Part(NamedTuple):
    """A part of the picture: the channel that drives it, and the values of the channel at its two extremes."""

    channel: str
    low: float
    high: float


class Place(NamedTuple):
    """A greenhouse or field to choose on the page: other parameters, given by options."""

    label: str
    options: Mapping[str, Any] = {}  # none: those of the settings alone


@dataclass(frozen=True)
class Settings:
    """The settings of a page. Names are those of its starts, of `Environment.scheduling`, controllers and channels."""

    task: str | None = None  # what makes the environment, where the id alone does not
    options: Mapping[str, Any] = field(default_factory=dict)
    variant: str = ""  # what these options mean, in words
    windows: tuple[str, ...] = ()  # labels of starts; none: some that are evenly spread
    controls: tuple[str, ...] = ()  # quantities that a person sets; none: the first few
    rivals: tuple[str, ...] = ()  # controllers; the first is the yardstick; none: what the task is compared with
    agent: str | None = None  # a trained run that comes with the package; None: the first of this task that fits
    places: tuple[Place, ...] = ()  # what a person can choose between; the first is the one of the settings
    picture: str = "none"
    parts: Mapping[str, Part] = field(default_factory=dict)
    charts: tuple[str, ...] = ()  # channels; none: what the task's own pages show

    def __post_init__(self) -> None:
        """Refuse a picture that no page has."""
        if self.picture not in PICTURES:
            raise UnknownNameError("picture of a page", self.picture, PICTURES)


def _fault(found: Any) -> str:
    """Return why an object, such as one of an installed package, is no settings of a page; empty where it is."""
    expected = f"{Settings.__module__}.{Settings.__name__}"
    return "" if isinstance(found, Settings) else f"is {described(found)}; expected a {expected}"


TEST_SEASONS = ("1984", "1980", "1992", "1988", "1996", "1976")  # in the first three, nitrogen pays in both fields

GREENHOUSES = (
    Place("1.4 ha with LED lamps, as published"),
    Place("4 ha with LED lamps, modern", {"parameters": "katzin2021_4ha_led"}),
    Place("144 m² research compartment", {"parameters": "katzin2020_144m2"}),
    Place("1.4 ha, old and leaky", {"parameter_overrides": {"leakage": 5e-4}}),
)
SETPOINT_GREENHOUSES = (
    Place("4 ha with LED lamps, as published"),
    Place("4 ha, old and leaky", {"parameter_overrides": {"leakage": 5e-4}}),
    Place("144 m² research compartment", {"parameters": "katzin2020_144m2"}),
)
LETTUCE_GREENHOUSES = (
    Place("nearly airtight, as in the benchmark"),
    Place("leaky, as van Henten (2003) has it", {"parameter_overrides": {"leakage": 0.75e-4}}),
)
POOR, RICH = {"initial_soil_nitrogen": 3.0}, {"initial_soil_nitrogen": 14.0}  # g m-2; 7.7 as published
WHEAT_FIELDS = (
    Place("soil as published, 77 kg ha⁻¹ of nitrogen"),
    Place("poor soil, 30 kg ha⁻¹ of nitrogen", {"parameter_overrides": POOR}),
    Place("rich soil, 140 kg ha⁻¹ of nitrogen", {"parameter_overrides": RICH}),
)
SHARED_FIELDS = (
    Place("soil as in the task, 77 kg ha⁻¹ of nitrogen"),
    Place("poor soil, 30 kg ha⁻¹ of nitrogen", {"soil": POOR}),
    Place("rich soil, 140 kg ha⁻¹ of nitrogen", {"soil": RICH}),
)

CLIMATE = {
    "sun": Part("global_radiation", 0.0, 900.0),
    "outdoor": Part("outdoor_temperature", -10.0, 35.0),
    "indoor": Part("air_temperature", 0.0, 40.0),
    "pipes": Part("pipe_temperature", 20.0, 70.0),
}
TOMATOES = CLIMATE | {
    "fruit": Part("fruit", 100.0, 330.0),
    "carbon": Part("co2", 350.0, 1300.0),
    "mist": Part("humidity", 70.0, 100.0),
}
FIELD = {
    "leaves": Part("leaf_area", 0.0, 6.0),
    "grain": Part("grain", 0.0, 10.0),
    "nitrogen": Part("soil_nitrogen", 0.0, 120.0),
    "dose": Part("dose", 0.0, 60.0),
}
TWO_CROPS = {
    "leaves": Part("leaf_area_1", 0.0, 5.0),
    "grain": Part("grain_1", 0.0, 6.0),
    "second_leaves": Part("leaf_area_2", 0.0, 5.0),
    "second_grain": Part("grain_2", 0.0, 4.0),
    "dose": Part("dose", 0.0, 60.0),
}

SHARED_FIELD = Settings(
    options={"weather": "embedded_wheat:test"},
    windows=TEST_SEASONS,
    rivals=("split-practice", "tuned-rules", "none"),
    places=SHARED_FIELDS,
    picture="field",
    parts=TWO_CROPS | {"nitrogen": Part("soil_nitrogen", 0.0, 120.0)},
    charts=("grain_1", "grain_2", "soil_nitrogen"),
)

# The page of the greenhouse is that of the published code, for which agents and plans come with the package.
GREENHOUSE = Settings(
    task=GREENHOUSE_OF_THE_CODE,
    options={"reward": "additive"},
    variant="the greenhouse of GreenLight-Gym's published code, with its additive reward",
    windows=("2009-03-01", "2010-05-01", "2009-06-01", "2010-07-01", "2008-08-01"),
    controls=(
        "boiler",
        "co2_injection",
        "thermal_screen",
        "roof_vent",
        "temperature_day",
        "temperature_night",
        "co2_day",
        "humidity_maximum",
    ),
    rivals=("rule-based", "tuned-rules"),
    agent="greenlight_gym/additive_gradients",
    places=GREENHOUSES,
    picture="greenhouse",
    parts=TOMATOES
    | {
        "vent": Part("roof_vent", 0.0, 1.0),
        "screen": Part("thermal_screen", 0.0, 1.0),
        "blackout": Part("blackout_screen", 0.0, 1.0),
        "lamps": Part("lamp", 0.0, 1.0),
        "heat": Part("boiler", 0.0, 1.0),
        "dosing": Part("co2_injection", 0.0, 1.0),
    },
    charts=("air_temperature", "humidity", "co2"),
)

SETTINGS = Registry(
    "page",
    "phytotron.pages",
    {
        "phytotron/Greenhouse-v0": GREENHOUSE,
        GREENHOUSE_OF_THE_CODE: GREENHOUSE,
        "phytotron/GreenhouseSetpoint-v0": Settings(
            windows=("2009-04-01", "2010-04-20"),
            controls=("temperature_day", "temperature_night"),
            # The warmest set-points return next to nothing, and would fill the charts.
            rivals=("rule-based", "tuned-rules", "coolest"),
            agent="setpoint/ppo",
            places=SETPOINT_GREENHOUSES,
            picture="greenhouse",
            parts=TOMATOES | {"lamps": Part("lamp_energy", 0.0, 0.2), "heat": Part("boiler_energy", 0.0, 0.5)},
            charts=("air_temperature", "humidity", "fruit"),
        ),
        "phytotron/Lettuce-v0": Settings(
            options={"weather": [40, 90, 140, 190, 240], "forecast": 12},  # which is what the trained agent sees
            places=LETTUCE_GREENHOUSES,
            variant="seasons of 2014 from five days, the first of which is the published benchmark",
            rivals=("rule-based", "tuned-rules"),
            agent="lettuce/gradients",
            picture="greenhouse",
            parts={
                "sun": Part("radiation", 0.0, 900.0),
                "outdoor": Part("outdoor_temperature", -10.0, 35.0),
                "indoor": Part("temperature", 0.0, 40.0),
                "heads": Part("dry_weight", 0.0, 0.3),
                "carbon": Part("co2", 350.0, 1800.0),
                "mist": Part("relative_humidity", 70.0, 100.0),
                "vent": Part("ventilation", 0.0, 7.5),
                "heat": Part("heating", 0.0, 150.0),
                "dosing": Part("co2_supply", 0.0, 1.2),
            },
            charts=("temperature", "relative_humidity", "co2"),
        ),
        "phytotron/WheatNitrogen-v0": Settings(
            options={"weather": "embedded_wheat:test"},
            windows=TEST_SEASONS,
            rivals=("standard-practice", "ceres", "tuned-rules", "none"),
            agent="cropgym/ppo",
            places=WHEAT_FIELDS,
            picture="field",
            parts=FIELD,
            charts=("grain", "leaf_area", "soil_nitrogen"),
        ),
        "phytotron/Intercrop-v0": Settings(
            options={"weather": "wageningen", "reward_parameters": {"nitrogen_penalty": 2.0}},
            variant="nitrogen at its price, two grams of grain for a gram",
            windows=("1978", "1983", "1988", "1993", "1998"),
            rivals=("split-practice", "none"),
            agent="intercropgym/price_sac",
            picture="field",
            parts=TWO_CROPS | {"nitrogen": Part("soil_nitrogen_1", 0.0, 120.0)},
            charts=("grain_1", "grain_2", "leaf_area_1"),
        ),
        "phytotron/IntercropField-v0": SHARED_FIELD,
        "phytotron/IntercropField-v1": replace(SHARED_FIELD, places=()),
    },
    fault=_fault,
)


def settings_of(id: str) -> Settings:
    """Return the settings of a task, else those of another version of it, else the defaults."""
    name = id.rpartition("-v")[0]
    versions = sorted(other for other in SETTINGS if other.rpartition("-v")[0] == name)
    return SETTINGS[id] if id in SETTINGS else SETTINGS[versions[-1]] if versions else Settings()
