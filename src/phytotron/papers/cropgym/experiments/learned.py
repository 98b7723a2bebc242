"""Scores of agents that learned on some seasons, beside those that did not, and their rows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from phytotron.core.errors import PhytotronError
from phytotron.environments.field.farming import TONNES
from phytotron.environments.wheat import WheatNitrogen
from phytotron.environments.wheat.single_dose import Practice
from phytotron.episodes.engine import some, windows
from phytotron.evaluation.attainable import share_of
from phytotron.evaluation.scores import evaluate, evaluate_many
from phytotron.evaluation.statistics.estimates import Estimate, median, share_not_above_zero
from phytotron.papers.attained import share_note, share_rows
from phytotron.papers.cropgym.experiments.agents import QUANTITIES, SP, agent_rows, estimate_rows
from phytotron.papers.cropgym.numbers import Agents
from phytotron.papers.result import Row, Settings
from phytotron.planning.oracle import following
from phytotron.planning.plans import plans_at_hand
from phytotron.weather.field_weather import FieldWeather

if TYPE_CHECKING:  # needs the packages of the extra "agents"
    from phytotron.agents.policy import Policy
    from phytotron.papers.trained import Trained

RL, RL_SP = "RL", "RL - SP"
EXTRA = "needs some packages: pip install 'phytotron[agents]'"


def ppo_if_there(settings: Settings) -> tuple[Trained | None, str]:
    """Return the paper's agent and what it was trained on; where there is none, how to get it."""
    try:
        from phytotron.papers.cropgym.experiments.recipes import PPO
        from phytotron.papers.trained import is_committed, trained
    except ImportError as error:
        if settings.train:
            raise PhytotronError(f"training {EXTRA}") from error
        return None, f"RL, the agent that learns, {EXTRA}."
    if not settings.train and not is_committed(PPO):
        return None, (
            "RL, the agent that learns, does not come trained with this package: add --train, and --budget quick for a "
            "first look."
        )
    found = trained(PPO, settings)
    return found, training_note(RL, found)


def training_note(agent: str, found: Trained) -> str:
    """Return a note on the seasons that an agent was trained on."""
    return f"{agent}: {found.origin}; trained on {found.options['weather']}."


def learned(policies: Sequence[Policy], weather: FieldWeather, usual: Practice) -> Practice:
    """Return policies in the task: numbers (runs, seasons).

    Harvest and grain without nitrogen are those of any practice.
    """
    values = evaluate_many(WheatNitrogen(weather=weather), policies).values
    return usual._replace(dose=values["nitrogen"], grain=values["yield"] / TONNES, episode_return=values["return"])


def attained(
    agent: str, practice: Practice, usual: Practice, weather: FieldWeather, prefix: str = ""
) -> tuple[list[Row], str]:
    """Return rows with the attained share of an agent, between Standard Practice and hindsight, and a note on them.

    Plans have the doses of the task, week by week, and are followed in those seasons that have one.
    """
    env = WheatNitrogen(weather=weather)
    every, plans = windows(env), plans_at_hand(env)
    known = [row for row, label in enumerate(every.labels) if label in plans]
    note = share_note(len(known), len(every.labels), SP)
    if not known:
        return [], note
    upper = evaluate(env, following(env, plans), starts=some(every, np.array(known))).values["return"]
    values, lower = (of_seasons(each, known).episode_return for each in (practice, usual))
    share = share_of(np.atleast_2d(values), lower, upper[0])
    means = {agent: values, SP: lower, "oracle": upper}
    rows = [Row(prefix + name, "cumulative reward, mean", "g m-2", float(each.mean())) for name, each in means.items()]
    return [*share_rows(prefix + agent, {"cumulative reward": share}), *rows], note


def of_seasons(practice: Practice, chosen: Sequence[int]) -> Practice:
    """Return a practice in some of its seasons, by their rows."""
    return Practice(*(each[..., list(chosen)] for each in practice))


def typical(practice: Practice) -> Practice:
    """Return medians over the runs, one number per season."""
    return Practice(*(np.median(np.atleast_2d(each), axis=0) for each in practice))


def with_learned(found: Mapping[str, Practice], agent: Trained | None, weather: FieldWeather) -> dict[str, Practice]:
    """Return the controllers with RL after SP, where there is a trained agent."""
    if agent is None:
        return dict(found)
    names = list(found)
    names.insert(names.index(SP) + 1, RL)
    practice = learned(agent.policies, weather, found[SP])
    return {name: practice if name == RL else found[name] for name in names}


def table_rows(found: dict[str, Practice], paper: Agents, shares: Sequence[float], prefix: str = "") -> list[Row]:
    """Return rows of every agent and, where RL is there, of its difference from SP."""
    rows = agent_rows(found, paper, prefix)
    if RL in found:
        rows += difference_rows(prefix + RL_SP, found[RL], found[SP], paper[RL_SP], shares)
    return rows


def difference_rows(
    setting: str, one: Practice, other: Practice, paper: Mapping[str, Estimate], shares: Sequence[float]
) -> list[Row]:
    """Return differences taken run by run and season by season: medians, intervals and one-sided p."""
    rows = []
    for (quantity, unit, of), share in zip(QUANTITIES, shares, strict=True):
        difference = of(one) - of(other)
        rows += estimate_rows(setting, quantity, unit, median(difference), paper.get(quantity))
        rows.append(Row(setting, f"{quantity}, one-sided p", "-", share_not_above_zero(difference), paper=share))
    return rows
