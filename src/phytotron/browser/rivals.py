"""The rivals of a person on the page: controllers that the page runs, recorded actions, and recorded outcomes."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from phytotron.browser.episode import Episodes
from phytotron.browser.settings import Settings
from phytotron.controllers import make_competitor
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.presentation import Competitor
from phytotron.episodes.engine import some, windows
from phytotron.episodes.recording import run_episodes
from phytotron.planning.fingerprints import window_keys
from phytotron.planning.plans import Plan, load_plans, plans_at_hand, plans_path

RECORDED = Path(__file__).parent / "recorded"  # what predictive control did in the windows that pages show
PREDICTIVE = "mpc"
AGENT_NOTE = "a trained agent that comes with the package; it sees the observation only"
ORACLE_NOTE = "the best plan that hindsight found: it knows all weather to come"
PREDICTIVE_NOTE = "plans ahead with the model and a perfect forecast, again and again; recorded"


@dataclass(frozen=True)
class Rival:
    """A controller on the page. One of three: `function` (compiled), `actions` or `outcomes` by label of a window."""

    name: str
    label: str
    note: str
    bound: bool = False
    function: str | None = None
    memory: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    actions: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    outcomes: dict[str, NDArray[np.float64]] = field(default_factory=dict)  # (steps, return and measures)


def find_rivals(
    episodes: Episodes, settings: Settings, plain: Environment[Any, Any], training: Environment[Any, Any]
) -> list[Rival]:
    """Return all rivals of a page; `plain`: the environment in its own precision, for which plans are kept."""
    env = episodes.env
    labels = [each.label for each in episodes.windows]
    found = []
    for number, name in enumerate(settings.rivals or env.presentation.compare):
        competitor = _competitor(name, env, training)
        if competitor is not None:
            found.append(_by_competitor(episodes, name, competitor, f"rival{number}"))
    agent = next((each for each in map(partial(trained_agent, env=env), agent_names(settings, env)) if each), None)
    if agent is not None:
        memory = episodes.add_controller("agent", agent)
        found.append(Rival("agent", "trained agent", AGENT_NOTE, function="agent", memory=memory))
    for name, label, note, plans in (
        (PREDICTIVE, "predictive control", PREDICTIVE_NOTE, _recorded(plain)),
        ("oracle", "oracle", ORACLE_NOTE, plans_at_hand(plain)),
    ):
        actions = {each: np.asarray(plans[each].actions, np.float64) for each in labels if each in plans}
        if actions:
            found.append(Rival(name, label, note, name == "oracle", actions=actions))
    return found


def _competitor(name: str, env: Environment[Any, Any], training: Environment[Any, Any]) -> Competitor | None:
    """Return a controller by name; None where it cannot be made with these options, such as untuned rules."""
    try:
        return make_competitor(name, env, training)
    except PhytotronError:
        return None


def _by_competitor(episodes: Episodes, name: str, competitor: Competitor, function: str) -> Rival:
    """Return a rival that the page runs, or one with recorded outcomes where the page cannot run it."""
    about = (name, competitor.label, competitor.note, competitor.bound)
    if competitor.environment is episodes.env:
        with contextlib.suppress(PhytotronError):  # of one that draws random numbers, for instance
            memory = episodes.add_controller(function, competitor.controllers[0])
            return Rival(*about, function=function, memory=memory)
    labels = [each.label for each in episodes.windows]
    return Rival(*about, outcomes=_outcomes(competitor, labels))


def _outcomes(competitor: Competitor, labels: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Return reward and measures of every step of the episodes of some windows, (steps, measures) each."""
    env = competitor.environment
    every = windows(env)
    params, axes, _ = some(every, np.array([every.labels.index(label) for label in labels]))
    keys = jax.random.split(jax.random.key(0), len(labels))
    played = run_episodes(env, competitor.controllers[0], keys, env.episode_steps, params, axes)
    return dict(zip(labels, np.stack([*played.measures().values()], axis=-1), strict=True))


def agent_names(settings: Settings, env: Environment[Any, Any]) -> list[str]:
    """Return the trained runs of a task in the package, that of the settings first; none without Equinox."""
    if importlib.util.find_spec("equinox") is None:
        return []
    from phytotron.papers.trained import COMMITTED
    from phytotron.training.folder import RunFolder

    runs = [path.parent for path in sorted(COMMITTED.glob("*/*/config.json"))]
    names = [
        run.relative_to(COMMITTED).as_posix() for run in runs if RunFolder(run).config()["environment"]["id"] == env.id
    ]
    return list(dict.fromkeys([*([] if settings.agent is None else [settings.agent]), *names]))


def trained_agent(name: str, env: Environment[Any, Any]) -> Controller | None:
    """Return the first seed of a trained run that comes with the package.

    None where it does not fit, or cannot be read.
    """
    from phytotron.agents.policy_files import load_policies
    from phytotron.papers.trained import COMMITTED
    from phytotron.training.folder import RunFolder

    try:
        return load_policies(RunFolder(COMMITTED / name).list_policies()[:1], env)[0]
    except PhytotronError:
        return None


def _recorded(env: Environment[Any, Any]) -> dict[str, Plan]:
    """Recorded actions of predictive control by label of a start."""
    path = plans_path(env, PREDICTIVE, RECORDED)
    held = load_plans(path, env.action_space) if path.exists() else {}
    return {label: held[key] for label, key in window_keys(env).items() if key in held} if held else {}
