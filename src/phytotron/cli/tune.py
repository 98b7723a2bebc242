"""`phytotron tune`: tunes the settings of the rules of an environment on training weather."""

from __future__ import annotations

import math
import shlex
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from phytotron.cli import options as shared
from phytotron.cli.console import fixed, line, output, print_json, progress_bars, say, took
from phytotron.cli.reproduce import decimals
from phytotron.core.files import check_writable

if TYPE_CHECKING:
    from phytotron.evaluation.tuning import Tuning


def tune(
    id: shared.Id,
    weather: shared.Weather = None,
    weather_folder: shared.WeatherFolder = None,
    split: Annotated[
        str | None, typer.Option(help="Part of the split to tune on; by default train, where there is one.")
    ] = None,
    parameters: shared.Parameters = None,
    option: shared.Option = None,
    candidates: Annotated[int, typer.Option(help="Number of settings to try in each round.", min=4)] = 32,
    rounds: Annotated[int, typer.Option(help="Number of rounds; the first tries settings at random.", min=1)] = 20,
    episodes: Annotated[int, typer.Option(help="Number of windows to try all settings on, evenly spread.", min=1)] = 20,
    seed: shared.Seed = 0,
    objective: Annotated[str, typer.Option(help="Quantity to maximise: return, or a measure.")] = "return",
    file: Annotated[
        Path | None, typer.Option("--output", help="JSON file to which the tuned settings are also written.")
    ] = None,
    json: shared.Json = False,
) -> None:
    """Tune the settings of the rules of an environment by random search and the cross-entropy method.

    The settings are stored for the controller `tuned-rules`; another run of the command begins from them.
    """
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.evaluation.other_weather import environment_on
    from phytotron.evaluation.tuning import training_part
    from phytotron.evaluation.tuning import tune as search
    from phytotron.planning.tuned_rules import save_tuned, tuned_path

    if file is not None:
        check_writable(file)
    enable_compilation_cache()
    began = time.monotonic()
    task_options = shared.environment_options(id, option, weather, weather_folder, parameters)
    asked, _ = environment_on(id, {}, task_options, split)
    env = training_part(asked) if split is None and weather is None else asked
    elsewhere = ""
    if (env is not asked or split is not None) and task_options.get("weather") not in (None, env.weather_name):
        elsewhere = f", not on {task_options['weather']}; --split or --weather chooses other weather"
    say(f"{id}: tuning on {env.weather_name or 'the task as it is'}{elsewhere}")
    with progress_bars() as begin:
        found = search(env, objective, candidates, rounds, episodes, seed, begin(f"{id}, tuning its rules"))
    given: dict[str, Any] = {"--parameters": parameters, "--split": split}
    given |= {"--weather": weather, "--weather-folder": weather_folder}
    given |= {"--candidates": candidates, "--rounds": rounds, "--episodes": episodes}
    given |= {"--seed": seed, "--objective": objective}
    words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    options = [word for each in option or () for word in ("--option", each)]
    command = shlex.join(["phytotron", "tune", id, *options, *words])
    tuned = replace(found.tuned, found={**found.tuned.found, "command": command})
    kept = tuned_path(env, objective)
    for path in (kept, file):
        if path is not None:
            save_tuned(path, tuned)
    if json:
        print_json(_as_dict(found) | {"command": command, "kept": str(kept)})
        return
    output.print(_settings_table(found, id))
    output.print(_scores_table(found))
    line(f"\n{took(began)}. The controller tuned-rules uses these settings, which are kept in {kept}")


def _as_dict(found: Tuning) -> dict[str, Any]:
    """Return the dictionary that `--json` prints."""
    means = {name: each.tolist() for name, each in found.scores.means().items()}
    return {
        "environment": found.tuned.environment,
        "objective": found.tuned.objective,
        "weather": found.tuned.found["weather"],
        "settings": {
            each.name: {"untuned": each.default, "tuned": found.tuned.settings[each.name], "unit": each.unit}
            for each in found.rules.settings
        },
        "untuned": {name: untuned for name, (untuned, _) in means.items()},
        "tuned": {name: tuned for name, (_, tuned) in means.items()},
        "windows": len(found.scores.labels),
        "history": list(found.history),
    }


def _settings_table(found: Tuning, id: str) -> Table:
    """Settings before and after, and the bounds between which they were searched for."""
    table = Table(title=escape(f"{id}: settings of its rules"), title_justify="left")
    for heading in ("setting", "untuned", "tuned", "bounds", "unit"):
        table.add_column(heading, justify="right" if "tuned" in heading else "left")
    for each in found.rules.settings:
        values = (f"{value:.4g}" for value in (each.default, found.tuned.settings[each.name]))
        table.add_row(escape(each.name), *values, f"{each.low:g} to {each.high:g}", escape(each.unit))
    return table


def _scores_table(found: Tuning) -> Table:
    """Means over the windows that the settings were tuned on, before and after."""
    title = f"means over the {len(found.scores.labels)} windows of the search, tuned for {found.tuned.objective}"
    table = Table(title=escape(title), title_justify="left")
    for heading in ("measure", "untuned", "tuned", "unit"):
        table.add_column(heading, justify="right" if "tuned" in heading else "left")
    for name, means in found.scores.means().items():
        largest = max((abs(value) for value in means.tolist() if math.isfinite(value)), default=0.0)
        cells = (fixed(value, decimals(largest)) for value in means.tolist())
        table.add_row(escape(name), *cells, escape(found.scores.units.get(name, "-")))
    return table
