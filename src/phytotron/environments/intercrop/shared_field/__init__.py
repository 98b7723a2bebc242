"""Two crops that share one field: its light, its water and its nitrogen."""

from phytotron.environments.intercrop.shared_field.environment import IntercropField
from phytotron.environments.intercrop.shared_field.interplay import FieldFactors, SharedField, WithSoles, stand_of
from phytotron.environments.intercrop.shared_field.observations import FIELD_OBSERVABLES, FieldSeen
from phytotron.environments.intercrop.shared_field.reward import FIELD_REWARDS, Economic, WeightedFieldSum

__all__ = [
    "FIELD_OBSERVABLES",
    "FIELD_REWARDS",
    "Economic",
    "FieldFactors",
    "FieldSeen",
    "IntercropField",
    "SharedField",
    "WeightedFieldSum",
    "WithSoles",
    "stand_of",
]
