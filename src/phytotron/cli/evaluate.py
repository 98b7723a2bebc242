"""`phytotron evaluate`: scores of controllers and trained policies on weather that they have not seen."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Mapping, Sequence
from json import dumps as encoded
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.markup import escape
from rich.table import Table

from phytotron.cli import options as shared
from phytotron.cli.console import line, output, print_json, progress_bars, took
from phytotron.cli.policies import find_policies
from phytotron.cli.reproduce import decimals
from phytotron.cli.trajectory_output import Csv, Parquet, TrajectoryOutput
from phytotron.core.errors import PhytotronError
from phytotron.core.files import check_writable, in_file_name
from phytotron.core.parameter_files import merged

if TYPE_CHECKING:
    from phytotron.core.controller import Controller
    from phytotron.core.environment import Environment
    from phytotron.evaluation.attainable import Attainable
    from phytotron.evaluation.scores import Scores


def evaluate(
    id: Annotated[str | None, typer.Argument(help="Id of an environment; by default that of the policy.")] = None,
    policy: Annotated[Path | None, typer.Option(help="Folder of a run, or file of one policy.")] = None,
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
        Path | None, typer.Option(help="Path without suffix of the files to which scores are written.")
    ] = None,
    csv: Csv = None,
    parquet: Parquet = None,
    json: shared.Json = False,
) -> None:
    """Score a controller or all seeds of a run on every window of some weather."""
    from phytotron.controllers import make_competitor
    from phytotron.episodes.engine import windows
    from phytotron.evaluation.attainable import attainable_at_hand
    from phytotron.evaluation.examination import examine
    from phytotron.evaluation.scores import evaluate_many, save_scores
    from phytotron.evaluation.tuning import training_part
    from phytotron.report.words import weather_words

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
    paths: list[Path] = []
    trained_as: dict[str, Any] = {}
    if policy is not None:
        paths, trained_as = find_policies(policy, best)
    id = id or trained_as.get("id")
    if id is None:
        raise PhytotronError("name an environment, as in: phytotron evaluate phytotron/Greenhouse-v0 ...")
    trained = trained_as.get("options", {}) if id == trained_as.get("id") else {}
    options = merged(trained, shared.environment_options(id, option, None, weather_folder, parameters))
    plans = ["phytotron oracle", id, *shared.option_words(options), *_on(split, weather, episodes)]
    env = shared.environment_on(id, options, split, weather)
    if split is not None or weather is not None:
        options["weather"] = env.weather_name
    task, training = env, training_part(env)
    controllers: Sequence[Controller]
    if controller is None:
        from phytotron.agents.policy_files import load_policies

        name, controllers = str(policy), load_policies(paths, env)
    else:  # what has to be tuned is tuned on the training part
        found = make_competitor(controller, env, training)
        name, env, controllers = controller, found.environment, found.controllers
    collector = data.collector(env, windows(env, episodes=episodes).labels, controller=name, seed=seed)
    began = time.monotonic()
    with progress_bars() as begin:
        if collector is None:
            scores = evaluate_many(env, controllers, seed, episodes, begin(name))
        else:
            chosen = windows(env, episodes=episodes)
            scores = examine(env, controllers, chosen, seed, begin(name), collector).scores
        ceiling = None
        if attainable:
            ceiling = attainable_at_hand(task, windows(task, episodes=episodes), training, begin("what is attainable"))
    on = env.weather_name
    about = {"environment": {"id": id, "options": options}, "controller": name, "weather": on, "seed": seed}
    differs = {name: value for name, value in options.items() if name != "weather" and trained.get(name) != value}
    differs |= {"id": id} if id != trained_as.get("id", id) else {}
    differs |= {"episodes": episodes} if episodes is not None else {}
    differs |= {"seed": seed} if seed else {}
    target = out or _target(policy, on, best, differs)
    if target is not None:
        save_scores(target, scores, about)
    files = data.write(collector)
    early = ended_early(env, scores)
    if json:
        written = files if target is None else {"written": str(target.resolve()) + ".npz", **files}
        written |= {"ended_early": early} if early else {}
        shares = {} if ceiling is None else {"attainable": ceiling.shares_as_dict(scores)}
        counts = {"windows": len(scores.labels), "rows": scores.rows}
        print_json(about | counts | {"measures": summary(scores)} | shares | written)
        return
    title = ", ".join(filter(None, (id, name, weather_words(on, env.parts))))
    output.print(score_table(scores, title, ceiling))
    line(took(began))
    if early:
        line(f"\n{early}")
    if ceiling is not None:
        line(f"\n{share_words(ceiling, len(scores.labels))}")
    if attainable and task.starts().labels and (ceiling is None or ceiling.labels != scores.labels):
        line(f"\nFor the attainable share on all windows, make plans: {' '.join(plans)}")
    if target is not None:
        line(f"\nWritten to {target}.npz and .json")
    for kind, file in files.items():
        line(f"\nWritten: {file} ({kind})")


def ended_early(env: Environment[Any, Any], scores: Scores) -> str:
    """Return in words how many episodes ended too early; empty where none did, or where a task ends by itself."""
    from phytotron.episodes.engine import has_reasons

    short = scores.values["length"] < env.episode_steps
    if not (has_reasons(env) and short.any()):
        return ""
    row, window = np.argwhere(short)[0]
    length, label = int(scores.values["length"][row, window]), scores.labels[window]
    first = f"that of {label} after {length} of {env.episode_steps} steps"
    why = f"`phytotron run {env.id} --start {label}` with the same options says why"
    return f"{short.sum()} of {short.size} episodes ended early, {first}; {why}"


def _on(split: str | None, weather: str | None, episodes: int | None) -> list[str]:
    """Return the options of a command that choose the same windows."""
    named = {"--split": split, "--weather": weather, "--episodes": episodes}
    return [word for name, value in named.items() if value is not None for word in (name, str(value))]


def _target(policy: Path | None, weather: str | None, best: bool, differs: Mapping[str, Any]) -> Path | None:
    """Return the path, without suffix, for scores of a run; None for anything else than the folder of a run.

    `differs`: settings that are not as in training, or not the default. Such scores have a file of their own.
    """
    if policy is None or not policy.is_dir():
        return None
    name = in_file_name(weather or "own_weather")
    if differs:
        encoded_options = encoded(differs, sort_keys=True, default=str)
        name += "_" + hashlib.sha256(encoded_options.encode()).hexdigest()[:8]
    return policy / "evaluations" / (f"best_{name}" if best else name)


def summary(scores: Scores) -> dict[str, dict[str, Any]]:
    """Return, for every measure, the mean and the half-widths of its 95 % intervals over windows and over seeds.

    The half-width is None where there are too few of them.
    """
    from phytotron.evaluation.statistics.comparison import confidence_interval

    found = {}
    for name, values in scores.values.items():
        over_windows, over_seeds = values.mean(axis=0), values.mean(axis=1)
        found[name] = {
            "mean": float(values.mean()),
            "over_windows": confidence_interval(over_windows) if len(over_windows) > 1 else None,
            "over_seeds": confidence_interval(over_seeds) if len(over_seeds) > 1 else None,
            "per_row": over_seeds.tolist(),
            "unit": scores.units.get(name, "-"),
        }
    return found


def score_table(scores: Scores, title: str, ceiling: Attainable | None = None) -> Table:
    """Return a table of means with intervals, and with the attainable share where it is known."""
    from phytotron.core.units import typeset

    table = Table(title=escape(title), title_justify="left")
    table.add_column("measure")
    intervals = {"over_windows": f"± over {len(scores.labels)} windows", "over_seeds": f"± over {scores.rows} seeds"}
    counts = {"over_windows": len(scores.labels), "over_seeds": scores.rows}
    intervals = {by: words for by, words in intervals.items() if counts[by] > 1}
    for heading in ("mean", *intervals.values()):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    for name, found in summary(scores).items():
        digits = decimals(found["mean"]) if found["mean"] else 1
        halves = ("" if found[by] is None else f"{found[by]:.{digits}f}" for by in intervals)
        table.add_row(escape(name), f"{found['mean']:.{digits}f}", *halves, escape(typeset(found["unit"])))
    table.add_section()
    for name, share in ({} if ceiling is None else ceiling.shares(scores)).items():
        numbers = (share.value, *(getattr(share, by) for by in intervals))
        cells = ("" if each is None else f"{100.0 * each:.0f}" if math.isfinite(each) else "-" for each in numbers)
        table.add_row(escape(f"share of {name}"), *cells, "%")
    return table


def share_words(ceiling: Attainable, windows: int) -> str:
    """Return a note that explains the shares in a table."""
    known, baseline = len(ceiling.labels), ceiling.baseline
    text = f"Share: the gain over {baseline}, as a share of the gain of the best plan in hindsight"
    text += "" if known == windows else f", on the {known} of {windows} windows that have plans"
    empty = [name for name in ceiling.decisive if np.mean(ceiling.pair(name)[0]) >= np.mean(ceiling.pair(name)[1])]
    return text + (f"; the oracle's {' and '.join(empty)} is not above that of {baseline}." if empty else ".")
