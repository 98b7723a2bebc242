"""The trained agents and the rule-based controller (grower's rules) on the paper's windows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phytotron.agents.policy_files import check_fits
from phytotron.core.errors import PhytotronError
from phytotron.environments.greenhouse import Greenhouse, RuleBased
from phytotron.evaluation.attainable import Attainable, attainable_at_hand
from phytotron.evaluation.scores import Scores, evaluate, evaluate_many
from phytotron.papers.greenlight_gym.experiments import recipes
from phytotron.papers.greenlight_gym.experiments.windows import VALIDATION, Windows, windows_at_hand
from phytotron.papers.result import Settings
from phytotron.papers.trained import MILLION, Trained, is_committed, trained

RULE_BASED = "rule-based"
WITHIN = ("co2", "temperature", "humidity")

Numbers = NDArray[np.float64]


class Judgement(NamedTuple):
    """A quantity that controllers are judged by: a measure of the environment, and how it is shown."""

    measure: str
    label: str
    unit: str
    factor: float  # from the measure to that unit


QUANTITIES: Mapping[str, Judgement] = {
    "return": Judgement("return", "return", "-", 1.0),
    "profit": Judgement("profit", "profit", "€ m-2", 1.0),
    **{name: Judgement(f"{name}_in_bounds", f"{name} within bounds", "%", 100.0) for name in WITHIN},
}
SHOWN = ("profit", *WITHIN)  # what does not depend on the reward


@dataclass(frozen=True)
class Runs:
    """The trained runs by reward, and the windows that they are judged on."""

    settings: Settings
    trained: Mapping[str, Trained]
    windows: Windows

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Return notes on the origin of agents and windows, and on the differences of training from the paper's."""
        one = next(iter(self.trained.values()))
        years = recipes.years_of(one)
        return (
            *(f"{run.origin}." for run in self.trained.values()),
            f"Weather: {self.windows.series}; trained on {years[0]}-{years[-1]}. {self.windows.all_described()}. "
            "The paper: trained on 2011-2020, 60 windows each, validation in 2011-2020 and test in 2001-2010.",
            training_note(one.config["settings"]),
            TASK_NOTE,
        )

    def only(self, *parts: str) -> Runs:
        """Return the runs on some of the parts."""
        return Runs(self.settings, self.trained, self.windows.only(*parts))


@dataclass(frozen=True)
class Judged:
    """Scores by controller: one row per seed, one column per window, in the order of the dates."""

    windows: Windows
    scores: Mapping[str, Scores]

    def values(self, controller: str, quantity: str, part: str) -> Numbers:
        """Return seeds by windows, in the unit of `QUANTITIES`."""
        shown = QUANTITIES[quantity]
        chosen = np.isin(np.asarray(self.windows.order), np.asarray(self.windows.starts[part]))
        return shown.factor * np.asarray(self.scores[controller].values[shown.measure])[:, chosen]

    def best(self, controller: str) -> int:
        """Return the row with the highest mean return on the validation windows; without any, the first."""
        if VALIDATION not in self.windows.starts:
            return 0
        return int(np.argmax(self.values(controller, "return", VALIDATION).mean(axis=1)))

    def of_best(self, controller: str, quantity: str, part: str) -> Numbers:
        """Return one number per window, of the seed that was best on the validation windows."""
        return np.asarray(self.values(controller, quantity, part)[self.best(controller)])


def all_committed() -> bool:
    """Return whether the agents of the paper come trained with the package."""
    return all(is_committed(recipes.recipe(reward)) for reward in recipes.REWARDS)


def the_runs(settings: Settings) -> Runs:
    """Return trained agents for every reward; they have to be trained on the same years."""
    runs = {reward: trained(recipes.recipe(reward), settings) for reward in recipes.REWARDS}
    years = {recipes.years_of(run) for run in runs.values()}
    if len(years) > 1:
        raise PhytotronError(f"{', '.join(runs)} were trained on different years; train them again in a new folder")
    return Runs(settings, runs, windows_at_hand(settings.weather, settings.quick, years.pop()))


def judged(runs: Runs, rule_based: bool = False) -> Judged:
    """Return all seeds of all agents, and the rule-based controller if wanted, on all windows at once."""
    jobs = [*runs.trained, *([RULE_BASED] if rule_based else [])]
    scores: dict[str, Scores] = {}
    for number, name in enumerate(jobs):
        env = environment(runs, name if name in runs.trained else jobs[0])
        progress = runs.settings.job(f"evaluating {name}", number, len(jobs))
        if name in runs.trained:
            run = runs.trained[name]
            check_fits(run.policies[0], env, run.name)
            scores[name] = evaluate_many(env, run.policies, progress=progress)
        else:
            scores[name] = evaluate(env, RuleBased(env), progress=progress)
    return Judged(runs.windows, scores)


def ceiling(runs: Runs, reward: str) -> Attainable | None:
    """Return the rule-based controller and the best plans in hindsight with a reward, on windows that have plans."""
    progress = runs.settings.job(f"what is attainable, {reward}", 0, 1)
    return attainable_at_hand(environment(runs, reward), progress=progress)


def environment(runs: Runs, reward: str) -> Greenhouse:
    """Return the published code's greenhouse with a reward, on the windows."""
    return recipes.windows_task(runs.settings.weather, runs.windows.order, runs.windows.series, reward=reward)


def training_note(used: Mapping[str, Any], paper_steps: int = 40 * MILLION) -> str:
    """Return a note on the settings of training that differ from the paper's table 7."""
    actor, critic = ("x".join(map(str, used[each])) for each in ("actor", "critic"))
    begun = f" Before, the actor was taught to do what {used['imitate']} does." if used.get("imitate") else ""
    return (
        f"Training: {used['num_envs']} environments of {used['rollout']} steps between updates, minibatches of "
        f"{used['minibatch']}, learning rate {used['learning_rate']:g}, discount {used['discount']:g}, "
        f"{used['steps'] / MILLION:g} million steps, actor {actor}, critic {critic}.{begun} The paper: from scratch, "
        f"12 environments of 2880 steps, minibatches of 64, learning rate 7e-05, discount 0.99, "
        f"{paper_steps / MILLION:g} million steps, actor 512x512x512, critic 1024x1024x1024."
    )


TASK_NOTE = (
    "The task is that of the published code (1.5 °C added to the outdoor temperature, another NIR balance, harvest "
    "summed a second early), in which the rule-based grower earns what the paper says; actions are the mean of the "
    "policy, without noise."
)
