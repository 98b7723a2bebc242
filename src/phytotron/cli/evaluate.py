"""`phytotron evaluate`: scores of controllers and trained policies on weather that they have not seen."""

from __future__ import annotations

import hashlib
import shlex
import time
from collections.abc import Mapping, Sequence
from json import dumps as encoded
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phytotron.cli import options as shared
from phytotron.cli.console import line, print_json, progress_bars, took
from phytotron.cli.evaluation_output import Evaluation
from phytotron.cli.policies import FoundPolicies, Policy, find_policies
from phytotron.cli.trajectory_output import Csv, Parquet, TrajectoryOutput
from phytotron.core.errors import PhytotronError
from phytotron.core.files import check_writable, in_file_name

if TYPE_CHECKING:
    from phytotron.core.controller import Controller
    from phytotron.core.environment import Environment, Starts
    from phytotron.episodes.engine import Progress
    from phytotron.episodes.trajectories import Collector
    from phytotron.evaluation.scores import Scores


def evaluate(
    id: Annotated[str | None, typer.Argument(help="Id of an environment; by default that of the policy.")] = None,
    policy: Policy = None,
    controller: Annotated[
        str | None, typer.Option(help="Name of a controller: a baseline of the environment, random, off, module:Class.")
    ] = None,
    played: Annotated[
        Path | None, typer.Option(help="JSON file of an episode that a person played on the page of `phytotron play`.")
    ] = None,
    split: shared.Split = None,
    weather: shared.Weather = None,
    weather_folder: shared.WeatherFolder = None,
    parameters: shared.Parameters = None,
    option: shared.Option = None,
    best: Annotated[
        bool, typer.Option("--best", help="Take the policies that did best in evaluations during training.")
    ] = False,
    episodes: Annotated[
        int | None, typer.Option(help="Number of windows, evenly spread; by default all.", min=1)
    ] = None,
    seed: shared.Seed = 0,
    attainable: Annotated[
        bool,
        typer.Option(
            help="Print the share of the possible gain that is achieved, where plans of `phytotron oracle` are stored."
        ),
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option("--output", "--out", help="Path without suffix of the files to which scores are written."),
    ] = None,
    csv: Csv = None,
    parquet: Parquet = None,
    json: shared.Json = False,
) -> None:
    """Score a controller or all seeds of a run on every window of some weather."""
    from phytotron.episodes.engine import windows
    from phytotron.evaluation.attainable import attainable_at_hand
    from phytotron.evaluation.other_weather import environment_on
    from phytotron.evaluation.scores import save_scores
    from phytotron.evaluation.tuning import training_part

    if played is not None:
        from phytotron.cli.played import print_played

        named = (id, policy, controller, split, weather, parameters, weather_folder, episodes, out, csv, parquet)
        if any(each is not None for each in named) or option or seed or best:
            raise PhytotronError("--played says all about its episode; give it alone, or with --json")
        print_played(played, json)
        return
    if (policy is None) == (controller is None):
        raise PhytotronError("name what to evaluate: either --policy RUN or --controller NAME, or --played FILE")
    data = TrajectoryOutput(csv, parquet)
    if out is not None:
        check_writable(out.with_name(f"{out.name}.npz"))
    policies = FoundPolicies([], {}) if policy is None else find_policies(policy, best)
    trained_in = policies.environment.get("id")
    id = id or trained_in
    if id is None:
        raise PhytotronError("name an environment, as in: phytotron evaluate phytotron/Greenhouse-v0 ...")
    trained_with = policies.environment.get("options", {}) if id == trained_in else {}
    given = shared.environment_options(id, option, None, weather_folder, parameters)
    task, options = environment_on(
        id, trained_with, given, split, None if weather is None else shared.weather_choice(weather)
    )
    training = training_part(task)

    name = controller or str(policy)
    env, controllers = _acting(controller, policies.paths, task, training)
    chosen = windows(env, episodes=episodes)
    collector = data.collector(env, chosen.labels, controller=name, seed=seed)
    usual = {**trained_with, "id": trained_in or id, "episodes": None, "seed": 0}
    asked = {**options, "id": id, "episodes": episodes, "seed": seed}
    target = out or _target(policies.kept_in, env.weather_name, best, asked, usual)
    if target is not None:
        check_writable(target.with_name(f"{target.name}.npz"))
    began = time.monotonic()
    with progress_bars() as begin:
        scores = _scores(env, controllers, chosen, seed, begin(name), collector)
        ceiling = None
        if attainable:
            ceiling = attainable_at_hand(task, windows(task, episodes=episodes), training, begin("what is attainable"))

    place = {"id": id, "options": options}
    about = {"environment": place, "controller": name, "weather": env.weather_name, "seed": seed}
    if target is not None:
        save_scores(target, scores, about)
    evaluation = Evaluation(env, about, scores, ceiling, target, data.write(collector))
    if json:
        print_json(evaluation.as_dict())
        return
    evaluation.show(took(began))
    if attainable and task.starts().labels and (ceiling is None or ceiling.labels != scores.labels):
        command = _plan_command(id, options, split, weather, episodes)
        line(f"\nFor the attainable share on all windows, make plans: {command}")
    evaluation.show_files()


def _acting(
    controller: str | None, paths: list[Path], task: Environment[Any, Any], training: Environment[Any, Any]
) -> tuple[Environment[Any, Any], Sequence[Controller]]:
    """Return the controller of a name, tuned on the training part where it has to be, or else trained policies.

    The first value is the environment in which they act.
    """
    if controller is None:
        from phytotron.agents.policy_files import load_policies

        return task, load_policies(paths, task)
    from phytotron.controllers import make_competitor

    found = make_competitor(controller, task, training)
    return found.environment, found.controllers


def _scores(
    env: Environment[Any, Any],
    controllers: Sequence[Controller],
    starts: Starts,
    seed: int,
    progress: Progress | None,
    collector: Collector | None,
) -> Scores:
    """Return the scores of controllers; a collector is also given everything that happens in their episodes."""
    from phytotron.evaluation.examination import examine
    from phytotron.evaluation.scores import evaluate_many

    if collector is None:
        return evaluate_many(env, controllers, seed, progress=progress, starts=starts)
    return examine(env, controllers, starts, seed, progress, collector).scores


def _plan_command(
    id: str, options: Mapping[str, Any], split: str | None, weather: str | None, episodes: int | None
) -> str:
    """Return the command that makes plans of the same windows."""
    is_named = isinstance(options.get("weather"), str)
    asked = {"--weather": options["weather"]} if is_named else {"--split": split, "--weather": weather}
    others = {name: value for name, value in options.items() if not (is_named and name == "weather")}
    words = [
        word
        for name, value in {**asked, "--episodes": episodes}.items()
        if value is not None
        for word in (name, shlex.quote(str(value)))
    ]
    return " ".join(["phytotron oracle", id, *shared.option_words(others), *words])


def _target(
    run: Path | None, weather: str | None, best: bool, asked: Mapping[str, Any], usual: Mapping[str, Any]
) -> Path | None:
    """Return the path, without suffix, for the scores of a run; None where there is no run to keep them in.

    Scores with settings other than the usual ones, those of training and the defaults, have a file of their own.
    """
    if run is None:
        return None
    named = {"weather"} if weather is not None else set()  # what the name of the file says anyway
    either = {*asked, *usual} - named  # what narrows the weather of training is left out on other weather
    differs = {each: asked.get(each) for each in either if asked.get(each) != usual.get(each)}
    name = in_file_name(weather or "own_weather")
    if differs:
        encoded_options = encoded(differs, sort_keys=True, default=str)
        name += "_" + hashlib.sha256(encoded_options.encode()).hexdigest()[:8]
    return run / "evaluations" / (f"best_{name}" if best else name)
