"""Van Henten's lettuce greenhouse."""

from phytotron.environments.lettuce.environment import Lettuce, LettuceParams, LettuceState, RuleBased
from phytotron.environments.lettuce.reward import REWARDS, Limits, Outcome, Prices

__all__ = ["REWARDS", "Lettuce", "LettuceParams", "LettuceState", "Limits", "Outcome", "Prices", "RuleBased"]
