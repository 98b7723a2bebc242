"""The content of a page, gathered from folders of runs: one section per environment, runs and baselines
examined alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.controllers import make_competitor
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.making import put_on
from phytotron.core.presentation import Competitor, Presentation
from phytotron.core.registry import make_environment
from phytotron.core.units import typeset
from phytotron.episodes.engine import Progress, some, windows
from phytotron.evaluation.attainable import Attainable, compared
from phytotron.evaluation.examination import Examination, examine
from phytotron.evaluation.other_weather import environment_on, made_as_trained
from phytotron.evaluation.scores import Numbers, Scores, evaluate
from phytotron.evaluation.tuning import training_part
from phytotron.planning.oracle import following
from phytotron.planning.plans import Plans, plans_at_hand
from phytotron.report.comparability import check_comparable, check_defined
from phytotron.report.plotting import AMBER, BLACK, BLUE, GREEN, GREY, RED
from phytotron.report.words import in_sentence, sentence
from phytotron.training.folder import Line, RunFolder
from phytotron.weather.archive import MissingWeatherError, UnknownWeatherError

TRAINED = (GREEN, BLUE, RED, "#7d3c98", "#117a65", "#1b2631")
POINTS = "points"  # unit of a return that has none
ORACLE = "oracle"  # shown where all windows have plans
OTHERS = (AMBER, GREY, "#a569bd", "#5d6d7e")

Say = Callable[
    [str], Progress | None
]  # called with what begins; the callable that it returns is called with the progress of that


@dataclass(frozen=True)
class Run:
    """A training run, as read from its folder."""

    label: str
    path: Path
    config: dict[str, Any]
    lines: list[Line]
    colour: str

    @property
    def seconds(self) -> float:
        """Return the duration of training [s]."""
        return float(max((line["seconds"] for line in self.lines if line["kind"] == "training"), default=0.0))

    @property
    def ended(self) -> str | None:
        """Return the reason why training ended; None where it did not end."""
        return str(self.lines[-1]["reason"]) if self.lines and self.lines[-1]["kind"] == "end" else None


@dataclass(frozen=True)
class Entry:
    """A controller, or the seeds of an agent, with its examination and the way it is drawn."""

    competitor: Competitor
    examination: Examination
    colour: str
    dash: str

    @property
    def label(self) -> str:
        """Its name on the page."""
        return self.competitor.label

    def values(self, measure: str) -> Numbers:
        """Return scores (seeds, windows)."""
        return self.examination.scores.values[measure]

    def mean(self, measure: str) -> float:
        """Return the mean over all seeds and windows."""
        return float(self.values(measure).mean())


@dataclass(frozen=True)
class Section:
    """Everything about one environment. The first of the baselines is the yardstick."""

    environment: Environment[Any, Any]  # on the weather of the examination
    training_weather: tuple[str | None, ...]  # of each run
    runs: tuple[Run, ...]
    trained: tuple[Entry, ...]
    baselines: tuple[Entry, ...]
    same_task: bool  # whether all runs have the options of the first
    ceiling: Attainable | None = None  # the yardstick and the oracle, where plans are stored

    @property
    def presentation(self) -> Presentation:
        """Return the presentation of the environment."""
        return self.environment.presentation

    @property
    def weather(self) -> str | None:
        """The name of the weather of the examination."""
        return self.environment.weather_name

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, agents first, then baselines."""
        return (*self.trained, *self.baselines)

    @property
    def scores(self) -> Scores:
        """The scores of the first entry, whose names, units and windows are those of all entries."""
        return self.entries[0].examination.scores

    def unit(self, measure: str) -> str:
        """Return the unit of a measure for printing: empty where it has none, "points" for a return without a unit."""
        return typeset(self.scores.units.get(measure, "-")) or (POINTS if measure == "return" else "")

    def meaning(self, measure: str) -> str:
        """Return the meaning of a measure, in words."""
        if measure == "return":
            return sentence(self.presentation.returns.meaning) + (
                ", a score without a unit" if self.unit(measure) == POINTS else ""
            )
        known = {each.quantity.name: each.quantity.description for each in self.environment.measures}
        return sentence(known.get(measure, "number of decisions" if measure == "length" else ""))

    @property
    def curves(self) -> tuple[tuple[str, str, str], ...]:
        """Name, words and unit of the quantities that are drawn over an episode."""
        named = self.presentation.curves
        return tuple((n, words, self.unit("return") if n == "sum of return" else typeset(u)) for n, words, u in named)


def read_runs(folders: Sequence[Path]) -> list[Run]:
    """Return the runs in some folders; the policies are read later."""
    if not folders:
        raise PhytotronError("name the folder of at least one run")
    configs = [RunFolder(folder).config() for folder in folders]
    names = [_agent(config) for config in configs]
    runs = []
    for number, (folder, config, name) in enumerate(zip(folders, configs, names, strict=True)):
        alone = sum(o["agent"] == config["agent"] and _id(o) == _id(config) for o in configs) == 1
        label = name if alone else f"{name} {folder.resolve().name}"
        place = sum(_id(other) == _id(config) for other in configs[:number])
        runs.append(Run(label, folder, config, RunFolder(folder).lines(), TRAINED[place % len(TRAINED)]))
    return runs


def gather(
    runs: Sequence[Run],
    say: Say,
    compare: Sequence[str] | None = None,
    weather: str | None = None,
    best: bool = False,
) -> list[Section]:
    """Return one section per environment, in the order of the runs."""
    ids = dict.fromkeys(_id(run.config) for run in runs)
    return [_section([run for run in runs if _id(run.config) == id], say, compare, weather, best) for id in ids]


def _agent(config: dict[str, Any]) -> str:
    """The name of an agent in capitals, without the module that it may be given with."""
    return str(config["agent"]).rpartition(":")[2].upper()


def _id(config: dict[str, Any]) -> str:
    return str(config["environment"]["id"])


def _section(runs: Sequence[Run], say: Say, compare: Sequence[str] | None, weather: str | None, best: bool) -> Section:
    trained = [_trained(run, weather, best) for run in runs]
    env = trained[0].environment
    training = _in_training(runs[0], env)
    names = env.presentation.compare if compare is None else compare
    plans = plans_at_hand(env)
    whole = plans and all(label in plans for label in env.starts().labels)
    baselines = [make_competitor(name, env, training) for name in dict.fromkeys([*names, *([ORACLE] if whole else [])])]
    check_comparable([*trained, *baselines])
    entries = [Entry(each, _examined(each, say), run.colour, "solid") for run, each in zip(runs, trained, strict=True)]
    others = [
        Entry(each, _examined(each, say), _colour(each, n), "dotted" if each.bound else "dashed")
        for n, each in enumerate(baselines)
    ]
    options = [run.config["environment"]["options"] | {"weather": None} for run in runs]
    same_task = all(each == options[0] for each in options)
    ceiling = _ceiling(env, others, plans, say) if plans else None
    weathers = tuple(_training_weather(run, each.environment) for run, each in zip(runs, trained, strict=True))
    return Section(env, weathers, tuple(runs), tuple(entries), tuple(others), same_task, ceiling)


def _ceiling(env: Environment[Any, Any], baselines: Sequence[Entry], plans: Plans, say: Say) -> Attainable | None:
    """Return the first baseline beside the oracle, on the windows that have plans; None without baselines."""
    examined = {entry.label: entry.examination.scores for entry in baselines}
    if not examined:
        return None
    if ORACLE in examined:
        upper = examined[ORACLE]
    else:
        every = windows(env)
        known = some(every, np.array([n for n, label in enumerate(every.labels) if label in plans]))
        upper = evaluate(env, following(env, plans), progress=say(f"{env.id}: {ORACLE}"), starts=known)
    first = baselines[0]
    return compared(env, first.label, first.examination.scores, upper, plans)


def _colour(baseline: Competitor, number: int) -> str:
    return BLACK if baseline.label == ORACLE else OTHERS[number % len(OTHERS)]


def _examined(competitor: Competitor, say: Say) -> Examination:
    progress = say(f"{competitor.environment.id}: {competitor.label}")
    examination = examine(competitor.environment, competitor.controllers, progress=progress)
    check_defined(competitor, examination.scores)
    return examination


def judged_on(training: Environment[Any, Any]) -> Environment[Any, Any]:
    """Return the task of training on the test part of its weather, or the task as it is where it has none."""
    try:
        on_it: Environment[Any, Any] = put_on(training, "test")
        return on_it
    except PhytotronError:
        if "test" not in training.parts:
            return training
        raise


def _in_training(run: Run, judged: Environment[Any, Any]) -> Environment[Any, Any]:
    """The task on the weather that a run was trained on, on which baselines are tuned; where that is not at hand, on
    the training part of the weather on which runs are judged.
    """
    try:
        made: Environment[Any, Any] = make_environment(_id(run.config), run.config["environment"]["options"])
        return made
    except (MissingWeatherError, UnknownWeatherError):
        return training_part(judged)


def _training_weather(run: Run, judged: Environment[Any, Any]) -> str | None:
    """The name of the weather that a run was trained on, which need not be at hand."""
    said = run.config["environment"]["options"].get("weather")
    return said if isinstance(said, str) else _in_training(run, judged).weather_name


def _trained(run: Run, weather: str | None, best: bool) -> Competitor:
    from phytotron.agents.policy_files import load_policies  # late: it needs the extra `agents`

    id, options = _id(run.config), run.config["environment"]["options"]
    if weather is None:
        env = judged_on(made_as_trained(id, options))
    else:
        env, _ = environment_on(id, options, {}, weather=weather)
    paths = RunFolder(run.path).list_policies(best)
    if not paths:
        raise PhytotronError(
            f"{run.path} has no {'best ' if best else ''}policies yet; train it, or go on with --resume"
        )
    policies = load_policies(paths, env)
    seeds = f"{len(policies)} seeds" if len(policies) > 1 else "1 seed"
    begun = run.config["settings"].get("imitate")
    note = f"an agent trained by {_agent(run.config)} for {run.config['steps']:,} steps, {seeds}"
    if begun:
        note += f", from a clone of {in_sentence(begun)}"
    if best:
        note += f", each at its best evaluation on {run.config['evaluation']['weather']}"
    return Competitor(run.label, note, env, tuple(policies), trained=True)
