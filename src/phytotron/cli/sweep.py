"""`phytotron sweep`: trains one agent with many values of its settings or of the reward, with Ray Tune."""

import importlib
import json as json_format
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from phytotron.cli import options as shared
from phytotron.cli.console import line, output, print_json, say
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError


def sweep(
    id: shared.Id,
    out: Annotated[
        Path, typer.Option("--output", "--out", help="Folder of the sweep; given again, the sweep is resumed.")
    ],
    setting: Annotated[
        list[str] | None, typer.Option(help="Values of a setting of the agent as NAME=V1,V2,...; repeatable.")
    ] = None,
    reward_parameter: Annotated[
        list[str] | None, typer.Option(help="Values of a parameter of the reward as NAME=V1,V2,...; repeatable.")
    ] = None,
    one_at_a_time: Annotated[
        bool, typer.Option("--one-at-a-time", help="Try the defaults and each value alone instead of all combinations.")
    ] = False,
    agent: Annotated[
        str, typer.Option(help="Agent: ppo, dqn, sac, apg, one of an installed package, or module:Class.")
    ] = "ppo",
    preset: shared.Preset = "default",
    seeds: shared.Seeds = "1",
    steps: shared.Steps = None,
    settings: shared.Changes = None,
    parameters: shared.Parameters = None,
    option: shared.Option = None,
    weather: shared.Weather = None,
    weather_folder: shared.WeatherFolder = None,
    eval_weather: shared.EvalWeather = None,
    eval_every: shared.EvalEvery = None,
    by: Annotated[str, typer.Option(help="Quantity by which trials are ranked: return, or a measure.")] = "return",
    workers: Annotated[int, typer.Option(help="Number of trials that run at once.", min=1)] = 2,
    address: shared.RayAddress = None,
    json: shared.Json = False,
) -> None:
    """Train a grid of settings; finished trials are kept, and the same command continues after any stop."""
    shared.check_agents_extra()
    shared.check_installed("a sweep needs {}: pip install 'phytotron[rllib]'", "ray.tune")
    from phytotron.training.listeners import shown_measures
    from phytotron.training.setup import make_environment
    from phytotron.training.sweep.plan import plan, ranked, result, write_results

    options = shared.environment_options(id, option, weather, weather_folder, parameters)
    environment = make_environment(id, options)
    measures = [measure.quantity.name for measure in environment.measures]
    if by not in ("return", *measures):
        raise UnknownNameError("measure", by, ("return", *measures))
    trials = plan(
        id,
        out,
        _values(setting or [], "--setting"),
        _values(reward_parameter or [], "--reward-parameter"),
        one_at_a_time,
        agent=agent,
        preset=preset,
        seeds=shared.seed_numbers(seeds),
        steps=steps,
        settings=shared.named_values(settings or [], "--set"),
        options=options,
        evaluation_weather=None if eval_weather is None else shared.weather_choice(eval_weather),
        evaluate_every=eval_every,
    )
    runner = importlib.import_module("phytotron.training.sweep.run")
    failed = runner.run_sweep(trials, out, workers=workers, address=address, say=say)
    results = ranked([result(trial) for trial in trials if trial.finished()], by)
    write_results(out, results)
    if json:
        print_json({"folder": str(out.resolve()), "results": results, "failed": failed})
    else:
        shown = [name for name in measures if name == by or name in shown_measures(environment)]
        output.print(_table(results, shown, f"{id}, {agent}, best {by} first"))
        line(f"\nWritten to {out}/results.json and .csv")
    if left := len(trials) - len(results):
        why = f" ({'; '.join(f'{name}: {text}' for name, text in failed.items())})" if failed else ""
        raise PhytotronError(f"{left} of {len(trials)} trials are not finished{why}; the same command continues them")


def _values(pairs: Sequence[str], option: str) -> dict[str, list[Any]]:
    """NAME=V1,V2 with values in JSON, lists among them; what is no JSON is text between commas."""
    found = {}
    for name, text in shared.named_values(pairs, option).items():
        try:
            values = json_format.loads(f"[{text}]")
        except ValueError:
            values = [each.strip() for each in text.split(",")]
        if not values or any(values.count(each) > 1 for each in values):
            raise ValueRangeError(f"{option} {name}", text, "values with commas between them, each once")
        found[name] = values
    return found


def _table(results: Sequence[dict[str, Any]], measures: Sequence[str], title: str) -> Table:
    """Swept values, the return and some measures; a value that is a default is left empty."""
    table = Table(title=escape(title), title_justify="left")
    swept = list(dict.fromkeys(name for each in results for name in each["changes"]))
    for heading in (*swept, "return", *measures):
        table.add_column(escape(heading), justify="right")
    for each in results:
        values = [escape(str(each["changes"].get(name, ""))) for name in swept]
        numbers = [each["return"], *(each["measures"].get(name) for name in measures)]
        table.add_row(*values, *("" if number is None else f"{number:.4g}" for number in numbers))
    return table
