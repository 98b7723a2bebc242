"""Section VI of InterCropGym: the scores of double DQN, SAC and PPO beside those of farmers that do not learn, and
the paper.

Also what the published code itself gives, without and with fertiliser, which explains the paper's numbers.

What a farmer who decides before the season can get from two crops is found by trying all fixed doses: every dose of the
ladder, from every decision on, once to `MOST` times with four weeks in between; and every dose at all decisions.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.controllers.base import Random, Schedule
from phytotron.core.errors import PhytotronError
from phytotron.core.spaces import Discrete
from phytotron.environments.field.controllers import split_practice
from phytotron.environments.field.farming import KG_HA
from phytotron.environments.intercrop import Intercrop, TwoCrops, published_code
from phytotron.evaluation.attainable import attainable_at_hand
from phytotron.evaluation.scores import Scores, evaluate, evaluate_many, evaluate_stacked
from phytotron.evaluation.statistics.comparison import confidence_interval
from phytotron.papers.attained import share_note, share_rows, together
from phytotron.papers.intercropgym.experiments.recipes import AGENTS, TASKS, TEST, TRAINING, environment, recipe
from phytotron.papers.intercropgym.numbers import PAPER, RESULTS, Printed
from phytotron.papers.result import Result, Row, Settings, mean_row
from phytotron.papers.trained import Trained, trained

GRAMS = 100.0  # g m-2 in a t ha-1
QUICK_YEARS = (1980, 1986, 1992)
CHOSEN_ON = 25  # training years on which fixed doses are tried
MOST = 4  # applications of a fixed dose
APART = 28  # d, between two of them

Numbers = NDArray[np.float64]
Found = dict[str, Numbers]  # quantity -> (rows, years)


def results(settings: Settings) -> Result:
    """Return means over the test years; 95 % intervals over seeds, or over years for what has none."""
    rows: list[Row] = []
    series: dict[str, Any] = {"training": {}, "test": {}}
    notes: list[str] = []
    for number, (task, beta) in enumerate(TASKS.items()):
        agents = {name: trained(recipe(task, name), settings) for name in AGENTS}
        settings.progress(f"{task}: agents", 0.1 + 0.45 * number)
        test = environment(beta, TEST, QUICK_YEARS if settings.quick else None)
        scores = {name: evaluate_many(test, run.policies) for name, run in agents.items()}
        found = {name: each.values for name, each in scores.items()}
        settings.progress(f"{task}: doses that are fixed before the season", 0.25 + 0.45 * number)
        fixed, fixed_doses = without_learning(beta, test)
        for name, values in (fixed | found).items():
            rows += agent_rows(f"beta {beta:g}: {name}", dict(values), RESULTS.get(name) if task == "paper" else None)
        rows.append(Row(f"beta {beta:g}: best fixed dose of each year", "reward", "g m-2", fixed_doses["hindsight"]))
        ceiling = attainable_at_hand(test)
        if ceiling is not None:
            rows.append(mean_row(f"beta {beta:g}: oracle", "reward", "g m-2", ceiling.upper.values["return"][0]))
            for name, each in scores.items():
                rows += share_rows(f"beta {beta:g}: {name}", ceiling.shares(each), over_seeds=each.rows > 1)
        known, windows = 0 if ceiling is None else len(ceiling.labels), len(scores["PPO"].labels)
        notes.append(f"beta {beta:g}: {share_note(known, windows, test.presentation.compare[0])}")
        notes += [f"beta {beta:g}: {fixed_doses['words']}", *(run.origin for run in agents.values())]
        series["training"][f"beta {beta:g}"] = {name: learning(run) for name, run in agents.items()}
        series["test"][f"beta {beta:g}"] = {name: each["return"].mean(axis=0).tolist() for name, each in found.items()}
    settings.progress("the published code", 0.95)
    rows += published_rows(settings.quick)
    return Result(
        "Agents on two crops, years that they have not seen",
        f"{PAPER}, section VI",
        together(rows),
        (*notes, *NOTES),
        series,
    )


def without_learning(beta: float, test: Intercrop) -> tuple[dict[str, Found], dict[str, Any]]:
    """Return farmers that need no training; the best of them are chosen on the training years."""
    training = environment(beta, TRAINING)
    fixed, constant = (
        best_fixed_dose(training, CHOSEN_ON),
        best_constant_dose(training, CHOSEN_ON),
    )
    never = Schedule(0 * fixed.schedule.actions)
    played = evaluate_schedules(test, [never, split_practice(test), constant.schedule, fixed.schedule]).values
    named = ("never", "split practice", "best constant dose", "best fixed dose")
    found = {name: {key: each[row : row + 1] for key, each in played.items()} for row, name in enumerate(named)}
    found["random"] = dict(evaluate(test, Random(test)).values)
    days = ", ".join(str(test.interval * (decision + 1)) for decision in fixed.decisions)
    best = f"{fixed.dose:g} kg/ha on days {days} of the year" if days else "none"
    words = f"the best constant dose is {constant.dose:g} kg/ha every week; the best fixed dose is {best}."
    return found, {"words": words, "hindsight": float(best_by_season(test).mean())}


def agent_rows(setting: str, values: Found, paper: Printed | None) -> list[Row]:
    """Return means over rows and years: reward, grain and nitrogen, beside what the paper prints.

    Our first crop is wheat, which is the paper's second; its chickpea has no counterpart here.
    """
    printed_values = (
        (None,) * 4 if paper is None else (paper.reward, paper.second_yield, None, KG_HA * paper.fertiliser)
    )
    quantities = (
        ("reward", "g m-2", values["return"]),
        ("grain of crop 1", "g m-2", GRAMS * values["yield_1"]),
        ("grain of crop 2", "g m-2", GRAMS * values["yield_2"]),
        ("nitrogen, both crops", "kg ha-1", values["nitrogen"]),
    )
    return [
        Row(setting, name, unit, rounded(numbers.mean()), rounded(interval_of(numbers)), printed)
        for (name, unit, numbers), printed in zip(quantities, printed_values, strict=True)
    ]


def rounded(value: float) -> float:
    """Round to what float32 can tell of sums of grain; 0 has no sign."""
    return round(float(value), 3) + 0.0


def interval_of(numbers: Numbers) -> float:
    """Return the half width over the seeds, or over the years of a single row."""
    return confidence_interval(numbers.mean(axis=1) if len(numbers) > 1 else numbers[0])


def published_rows(quick: bool) -> list[Row]:
    """Return the published code, on our weather, without fertiliser and with the largest dose every week."""
    env = Intercrop(weather=TEST, years=QUICK_YEARS if quick else None, **published_code())
    rows = []
    for name, action in (("no fertiliser", 0), ("120 kg/ha every week", 6)):
        schedule = Schedule(jnp.full(env.episode_steps, action))
        found = evaluate_schedules(env, [schedule]).values
        rows += agent_rows(f"published code: {name}", dict(found), None)
    return rows


def learning(run: Trained) -> dict[str, Any]:
    """Return the data of figures 3 to 6: return and losses over the course of training, by seed."""
    lines = [line for line in run.lines if line["kind"] == "training"]
    return {
        "steps": [line["step"] for line in lines],
        "return": [line["return"] for line in lines],
        "losses": {name: [line["losses"][name] for line in lines] for name in lines[-1]["losses"]},
    }


class FixedDose(NamedTuple):
    """A schedule that was chosen on some seasons, and its reward on each of these."""

    schedule: Schedule
    dose: float  # kg ha-1, of one application
    decisions: tuple[int, ...]  # at which it is given, from 0 on
    returns: Numbers


def best_fixed_dose(environment: TwoCrops, seasons: int | None = None) -> FixedDose:
    """Return the dose, the time and the number of applications that are best on average.

    Over all seasons of the environment, or over so many, evenly spread.
    """
    return _best(environment, fixed_doses(environment), seasons)


def best_constant_dose(environment: TwoCrops, seasons: int | None = None) -> FixedDose:
    """Return the dose that is best on average if it is given at every decision; it may be none."""
    doses = np.arange(_actions(environment), dtype=np.int32)
    return _best(environment, np.repeat(doses[:, None], environment.episode_steps, axis=1), seasons)


def best_by_season(environment: TwoCrops) -> Numbers:
    """Return the return of the fixed dose that is best in each season, as if its weather were known."""
    returns = evaluate_stacked(environment, Schedule(jnp.asarray(fixed_doses(environment)))).values["return"]
    found: Numbers = returns.max(axis=0)
    return found


def evaluate_schedules(environment: TwoCrops, schedules: list[Schedule]) -> Scores:
    """Return one row per schedule."""
    return evaluate_stacked(environment, Schedule(jnp.stack([each.actions for each in schedules])))


def fixed_doses(environment: TwoCrops) -> NDArray[np.int32]:
    """Return all schedules (rows) that are tried; the first gives nothing."""
    decisions, apart = environment.episode_steps, max(1, round(APART / environment.interval))
    rows = [np.zeros(decisions, np.int32)]
    for dose in range(1, _actions(environment)):
        for count in range(1, MOST + 1):
            for first in range(decisions - (count - 1) * apart):
                row = np.zeros(decisions, np.int32)
                row[first + apart * np.arange(count)] = dose
                rows.append(row)
    return np.stack(rows)


def _best(environment: TwoCrops, tried: NDArray[np.int32], seasons: int | None) -> FixedDose:
    returns = evaluate_stacked(environment, Schedule(jnp.asarray(tried)), episodes=seasons).values["return"]
    best = int(np.argmax(returns.mean(axis=1)))
    actions: Any = tried[best]
    given = tuple(np.flatnonzero(actions).tolist())
    action = actions[given[0]] if given else 0
    dose = environment.processing.decision(jnp.asarray(action), environment.precision).nitrogen
    return FixedDose(Schedule(jnp.asarray(actions)), float(dose), given, returns[best])


def _actions(environment: TwoCrops) -> int:
    space = environment.action_space
    if not isinstance(space, Discrete):
        raise PhytotronError(f"{environment.id} has continuous doses; give a ladder, e.g. doses=(0, 20, 40)")
    return int(space.n)


NOTES = (
    "Agents were trained on 100 generated years and are tested on all years measured at Wageningen, 1976 to 1999. "
    "Policies take what they think best and the weather of a year is what it is, so that each year is played once: "
    "more episodes would repeat these.",
    "The crops are winter wheat (1) and faba bean (2) of this package; the paper has chickpea (1) and wheat (2). Its "
    "wheat stands beside ours, its chickpea (20.64 g/m2) beside nothing.",
    "The paper's rewards are no better than -372, and giving nothing would have had about -20: in its code the crops "
    "never affect each other, and fertiliser has no effect at all, because a crop file releases 5 kg of nitrogen per "
    "hectare and day. The yields of the published code above are the same, to 0.2 %, with and without.",
    "The paper's fertiliser is printed as 64.44, 33.04 and 60.76 kg/ha; in its code these are g/m2, of both crops "
    "together. The table has them in kg/ha.",
    "At 10 g of grain per gram of nitrogen, given to both crops, no fixed dose pays in any year, and agents learn to "
    "give none. At 2 g, the price of nitrogen, they have something to decide.",
)
