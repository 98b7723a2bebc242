"""Tuning of rules: a search for the settings that do best on training windows, with all candidates of a round in one
batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.making import put_on
from phytotron.core.tunable import TunableRules
from phytotron.episodes.engine import Progress, stack_policies, windows
from phytotron.evaluation.scores import Numbers, Scores, evaluate_stacked
from phytotron.planning.cross_entropy import search
from phytotron.planning.tuned_rules import (
    OBJECTIVE,
    TunedSettings,
    check_stackable,
    find_tuned,
    relevant_options,
    rules_of,
    shipped,
    with_settings,
)

CANDIDATES, ROUNDS, EPISODES = 32, 20, 20
DIGITS = 5  # of a setting, that it is evaluated with and stored


@dataclass(frozen=True)
class Tuning:
    """The settings before and after tuning, and their scores on the windows that they were tuned on."""

    rules: TunableRules
    tuned: TunedSettings
    scores: Scores  # two rows: untuned, tuned
    history: tuple[float, ...]  # best value of the objective after each round


def tune(
    env: Environment[Any, Any],
    objective: str = OBJECTIVE,
    candidates: int = CANDIDATES,
    rounds: int = ROUNDS,
    episodes: int | None = EPISODES,
    seed: int = 0,
    progress: Progress | None = None,
) -> Tuning:
    """Search for the settings with the highest mean of the return, or of a measure, over windows of an environment.

    `episodes`: the number of windows, evenly spread; None for all. The search begins with the untuned settings, with
    those that were tuned before, for this task or for other options, and with random ones. The result depends only on
    these and on the seed.
    """
    rules = rules_of(env)
    check_stackable(env, rules)
    measures = ["return", *(each.quantity.name for each in env.measures)]
    if objective not in measures:
        raise UnknownNameError(f"objective for {env.id}", objective, measures)
    for name, value, least in (("candidates", candidates, 4), ("rounds", rounds, 1)):
        if value < least:
            raise ValueRangeError(name, value, f"a whole number, at least {least}")
    starts = windows(env, episodes=episodes)
    held = [each for each in (*shipped(env), find_tuned(env, objective)) if each is not None]
    known = [rules.untuned, *(dict(each.settings) for each in held)]

    def values(points: Numbers, number: int) -> Numbers:
        part = None if progress is None else _part(progress, number, rounds)
        tried = [_settings(rules, point) for point in points]
        return _evaluated(env, rules, tried, seed, starts, part).means()[objective]

    found = search(values, np.stack([_point(rules, each) for each in known]), candidates, rounds, seed)
    if not np.isfinite(found.value):
        raise PhytotronError(f"{objective} is not finite for any setting of the rules of {env.id}")
    chosen = _settings(rules, found.best)
    scores = _evaluated(env, rules, [rules.untuned, chosen], seed, starts, None)
    before, after = scores.means()[objective].tolist()
    about = {
        "untuned_score": before if np.isfinite(before) else None,  # undefined for these settings
        "score": after,
        "weather": env.weather_name,
        "windows": {"number": len(starts.labels), "first": min(starts.labels), "last": max(starts.labels)},
        "search": {"candidates": candidates, "rounds": rounds, "seed": seed, "known": len(known)},
    }
    return Tuning(rules, TunedSettings(env.id, relevant_options(env), objective, chosen, about), scores, found.history)


def training_part(env: Environment[Any, Any]) -> Environment[Any, Any]:
    """Return the environment on its training weather; the same where it is on that already, or has no parts."""
    if "train" not in env.parts:
        return env
    training = put_on(env, "train")
    return env if training.weather_name == env.weather_name else training


def _evaluated(
    env: Environment[Any, Any],
    rules: TunableRules,
    tried: Sequence[dict[str, float]],
    seed: int,
    starts: Starts,
    progress: Progress | None,
) -> Scores:
    policies = stack_policies([with_settings(env, rules, each) for each in tried])
    return evaluate_stacked(env, policies, seed, progress=progress, starts=starts)


def _settings(rules: TunableRules, point: Numbers) -> dict[str, float]:
    """The settings at a point of the unit cube, which lies between their bounds."""
    return {
        each.name: float(f"{each.low + share * (each.high - each.low):.{DIGITS}g}")
        for each, share in zip(rules.settings, point, strict=True)
    }


def _point(rules: TunableRules, settings: dict[str, float]) -> Numbers:
    """Return the point of the unit cube for settings, clipped to their bounds; the inverse of `_settings`."""
    shares = [(settings[each.name] - each.low) / (each.high - each.low) for each in rules.settings]
    return np.clip(np.array(shares), 0.0, 1.0)


def _part(progress: Progress, number: int, rounds: int) -> Progress:
    return lambda done, of: progress(number * of + done, rounds * of)
