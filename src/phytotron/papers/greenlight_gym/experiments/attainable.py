"""Attained shares of controllers on the test windows of table 11 with the additive reward.

No paper has these numbers. Between the grower's rules and the oracle: rules that were tuned, PPO, and agents that
learned by gradients through the model from what the paper shows, from the whole state, and from a forecast besides.
"""

from typing import Any

from phytotron.controllers.registry import make_controller
from phytotron.environments.greenhouse import Greenhouse, RuleBased
from phytotron.evaluation.attainable import attainable_at_hand
from phytotron.evaluation.scores import Scores, evaluate, evaluate_many
from phytotron.papers.attained import share_note, share_rows
from phytotron.papers.greenlight_gym import numbers
from phytotron.papers.greenlight_gym.experiments import judged as judging
from phytotron.papers.greenlight_gym.experiments import recipes
from phytotron.papers.greenlight_gym.experiments.windows import Windows, windows_at_hand
from phytotron.papers.result import Result, Row, Settings, mean_row
from phytotron.papers.trained import Recipe, is_committed, trained
from phytotron.planning.oracle import following
from phytotron.planning.plans import plans_at_hand

REWARD = "additive"
CONSTRAINED = "constrained"  # plans for bounds that are a little tighter than those of the task
QUANTITIES = {**judging.QUANTITIES, "gas": judging.Judgement("gas", "gas", "m3 m-2", 1.0)}
AGENTS = {
    "PPO": (recipes.recipe(REWARD), "paper"),
    "gradients": (recipes.gradient_recipe(REWARD), "paper"),
    "gradients, whole state": (recipes.gradient_recipe(REWARD, "extended"), "extended"),
    "gradients, whole state and forecast of a day": (recipes.gradient_recipe(REWARD, "forecast"), "forecast"),
}


def attainable(settings: Settings) -> Result:
    """Return controllers and agents between the grower's rules and the oracle."""
    windows = windows_at_hand(settings.weather, settings.quick, recipes.training_years(settings.weather))
    part = windows.largest_test
    shown = windows.only(part)
    env = task(settings, shown, "paper")
    scores: dict[str, Scores] = {
        "grower's rules": evaluate(env, RuleBased(env)),
        "tuned rules": evaluate(env, make_controller("tuned-rules", env)),
    }
    notes = []
    jobs = {name: each for name, each in AGENTS.items() if settings.train or is_committed(each[0])}
    for number, (name, (recipe, observed)) in enumerate(jobs.items()):
        scores[name], origin = agents(settings, shown, recipe, observed, settings.job(name, number, len(jobs)))
        notes.append(f"{name}: {origin}.")
    for name, aim in {"oracle within the grower's bounds": CONSTRAINED, "oracle": ""}.items():
        plans = plans_at_hand(env, aim)
        if all(str(start) in plans for start in shown.order):
            scores[name] = evaluate(env, following(env, plans))
    ceiling = attainable_at_hand(env)
    rows: list[Row] = []
    for name, found in scores.items():
        rows += controller_rows(name, found)
        rows += share_rows(name, ceiling.shares(found), found.rows > 1) if ceiling is not None else []
    known = 0 if ceiling is None else len(ceiling.labels)
    return Result(
        f"What controllers earn of what can be earned; {part}: {windows.described(part)}",
        f"{numbers.PAPER}: the task and windows of table 11; the paper has none of these rows",
        rows,
        (*notes, share_note(known, len(shown.order), judging.RULE_BASED), *NOTES),
    )


def agents(settings: Settings, windows: Windows, recipe: Recipe, observed: str, progress: Any) -> tuple[Scores, str]:
    """Return all seeds of an agent on the windows, and where they come from."""
    run = trained(recipe, settings)
    return evaluate_many(task(settings, windows, observed), run.policies, progress=progress), run.origin


def task(settings: Settings, windows: Windows, observed: str) -> Greenhouse:
    """Return the greenhouse of the published code on the windows; `observed`: one of OBSERVATIONS."""
    observation = recipes.OBSERVATIONS[observed]
    return recipes.windows_task(settings.weather, windows.order, windows.series, reward=REWARD, observation=observation)


def controller_rows(name: str, found: Scores) -> list[Row]:
    """Return means with the interval over seeds or, for a single controller, over windows."""
    rows = []
    for shown in QUANTITIES.values():
        values = shown.factor * found.values[shown.measure]
        rows.append(mean_row(name, shown.label, shown.unit, values.mean(axis=1) if len(values) > 1 else values[0]))
    return rows


NOTES = (
    "Intervals of agents are over seeds, those of other controllers over windows.",
    "Oracle: the best sequence of actions that gradients found for each window, knowing its weather, for the reward; "
    "within the grower's bounds: for a CO2 of at most 975 ppm and a humidity of at most 89.5 % with steeper penalties, "
    "so that no bound of the task is violated more often than by the rules.",
)
