"""Nitrogen for two crops: InterCropGym's task, and one in which they share a field."""

from phytotron.environments.field.farming import Farming
from phytotron.environments.field.observations import DailyWeather
from phytotron.environments.intercrop.environment import ENDS, INTERACTIONS, Intercrop
from phytotron.environments.intercrop.interplay import Interplay, Neighbours
from phytotron.environments.intercrop.observations import GROUPS, OBSERVABLES, Fields, Seen, Situation
from phytotron.environments.intercrop.published import PublishedCode, published_code
from phytotron.environments.intercrop.reward import REWARDS, Outcome, WeightedSum
from phytotron.environments.intercrop.shared_field.environment import IntercropField
from phytotron.environments.intercrop.shared_field.interplay import FieldFactors, SharedField
from phytotron.environments.intercrop.shared_field.reward import FIELD_REWARDS, Economic, WeightedFieldSum
from phytotron.environments.intercrop.task import DOSES, TwoCrops
from phytotron.environments.intercrop.types import IntercropParams, IntercropState, Season

__all__ = [
    "DOSES",
    "ENDS",
    "FIELD_REWARDS",
    "GROUPS",
    "INTERACTIONS",
    "OBSERVABLES",
    "REWARDS",
    "DailyWeather",
    "Economic",
    "Farming",
    "FieldFactors",
    "Fields",
    "Intercrop",
    "IntercropField",
    "IntercropParams",
    "IntercropState",
    "Interplay",
    "Neighbours",
    "Outcome",
    "PublishedCode",
    "Season",
    "Seen",
    "SharedField",
    "Situation",
    "TwoCrops",
    "WeightedFieldSum",
    "WeightedSum",
    "published_code",
]
