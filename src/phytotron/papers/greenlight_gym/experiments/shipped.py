"""Returns of the agents that come with the package on the embedded weather, on which none of them was trained."""

from typing import NamedTuple

from phytotron.environments.greenhouse import RuleBased
from phytotron.evaluation.scores import evaluate, evaluate_many
from phytotron.papers.greenlight_gym.experiments import recipes
from phytotron.papers.greenlight_gym.experiments.windows import windows_at_hand
from phytotron.papers.trained import committed


class Earned(NamedTuple):
    """Mean profits [€ m-2] of the agents (over seeds) and of the grower's rules, and the number of windows."""

    agents: float
    rules: float
    windows: int


def shipped_agents() -> Earned:
    """Return agents that learned by gradients from what the paper shows, on the first of March to August of 2008 to
    2010.
    """
    run = committed(recipes.gradient_recipe("additive"))
    windows = windows_at_hand(None, False, recipes.years_of(run))
    dates = windows.starts[windows.largest_test]
    env = recipes.windows_task(None, dates, windows.series, reward="additive")
    agents, rules = evaluate_many(env, run.policies), evaluate(env, RuleBased(env))
    return Earned(float(agents.values["profit"].mean()), float(rules.values["profit"].mean()), len(dates))
