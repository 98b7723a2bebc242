"""Van Henten's lettuce greenhouse."""

from phytotron.environments.lettuce.environment import Lettuce, LettuceParams, LettuceState
from phytotron.environments.lettuce.reward import REWARDS, Limits, Outcome, Prices
from phytotron.environments.lettuce.rules import RuleBased

__all__ = ["REWARDS", "Lettuce", "LettuceParams", "LettuceState", "Limits", "Outcome", "Prices", "RuleBased"]
