"""Nitrogen for two crops: InterCropGym's task, and one in which they share a field."""

from phytotron.environments.intercrop.environment import INTERACTIONS, Intercrop
from phytotron.environments.intercrop.interplay import Interplay, Neighbours
from phytotron.environments.intercrop.observations import CropObservation
from phytotron.environments.intercrop.published import published_code
from phytotron.environments.intercrop.reward import Outcome, WeightedSum
from phytotron.environments.intercrop.shared_field.environment import IntercropField, RevisedIntercropField
from phytotron.environments.intercrop.shared_field.reward import FIELD_REWARDS, Economic, WeightedFieldSum
from phytotron.environments.intercrop.task import TwoCrops

__all__ = [
    "FIELD_REWARDS",
    "INTERACTIONS",
    "CropObservation",
    "Economic",
    "Intercrop",
    "IntercropField",
    "Interplay",
    "Neighbours",
    "Outcome",
    "RevisedIntercropField",
    "TwoCrops",
    "WeightedFieldSum",
    "WeightedSum",
    "published_code",
]
