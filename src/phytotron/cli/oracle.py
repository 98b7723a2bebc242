"""`phytotron oracle`: finds the best plan in hindsight for every start of an environment."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from phytotron.cli import options as shared
from phytotron.cli.console import line, output, print_json, progress_bars, took
from phytotron.core.errors import ValueRangeError

if TYPE_CHECKING:
    from phytotron.evaluation.attainable import Attainable


def oracle(
    id: shared.Id,
    weather: shared.Weather = None,
    weather_folder: shared.WeatherFolder = None,
    split: shared.Split = None,
    parameters: shared.Parameters = None,
    option: shared.Option = None,
    episodes: Annotated[
        int | None, typer.Option(help="Number of windows, evenly spread; by default all.", min=1)
    ] = None,
    start: Annotated[str | None, typer.Option(help="One window, by its label or the beginning of it.")] = None,
    begin_from: Annotated[
        list[str] | None, typer.Option(help="Controller whose actions a plan begins from; several are tried in turn.")
    ] = None,
    iterations: Annotated[
        int, typer.Option(help="Number of steps of the ascent, or of rounds of the search.", min=1)
    ] = 300,
    terminal_value: Annotated[
        bool, typer.Option("--terminal-value", help="Count what is left at the end, such as fruit on the plants.")
    ] = False,
    objective: Annotated[
        str, typer.Option(help="Quantity to maximise: the return, or a measure of the environment such as profit.")
    ] = "return",
    penalty: Annotated[
        list[str] | None,
        typer.Option(help="CONSTRAINT=PRICE of one unit of its mean violation, in the unit of the objective."),
    ] = None,
    json: shared.Json = False,
) -> None:
    """Find the best plan that hindsight allows for every window, store it, and print the attainable return.

    Plans are kept and used again, by the controller `oracle` among others; another run of the command improves them.
    """
    shared.check_agents_extra()
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.episodes.engine import window, windows
    from phytotron.evaluation.attainable import attainable
    from phytotron.evaluation.other_weather import environment_on
    from phytotron.evaluation.tuning import training_part
    from phytotron.planning.hindsight import make_plans
    from phytotron.planning.objective import Objective
    from phytotron.planning.oracle import countable
    from phytotron.planning.plans import keep_plans, plans_at_hand

    enable_compilation_cache()
    began = time.monotonic()
    options = shared.environment_options(id, option, None, weather_folder, parameters)
    env, _ = environment_on(id, {}, options, split, None if weather is None else shared.weather_choice(weather))
    starts = countable(env, windows(env, episodes=episodes) if start is None else window(env, start))
    aim = Objective(objective, terminal_value, _prices(penalty or []))
    with progress_bars() as begin:
        plans = make_plans(env, starts, aim, iterations, begin_from, begin("plans"))
        path = keep_plans(env, plans, aim.name)
        held = plans_at_hand(env, aim.name)
        found = attainable(env, starts, {label: held[label] for label in starts.labels}, training=training_part(env))
    if json:
        print_json(found.as_dict() | {"plans": str(path)})
        return
    output.print(_table(found, id))
    line(f"\n{took(began)}; plans are kept in {path}")


def _prices(penalties: list[str]) -> dict[str, float]:
    """Parse CONSTRAINT=PRICE, given any number of times."""
    found = {}
    for each in penalties:
        name, _, price = each.partition("=")
        try:
            found[name] = float(price)
        except ValueError:
            raise ValueRangeError("--penalty", each, "CONSTRAINT=PRICE, such as temperature=1.5") from None
    return found


def _table(found: Attainable, id: str) -> Table:
    """One row per window: the scores of baseline and oracle, and how far the search had come half way."""
    table = Table(title=escape(f"{id}: what is attainable with hindsight"), title_justify="left")
    table.add_column("window")
    for name in found.headline:
        table.add_column(escape(f"{name}, {found.baseline}"), justify="right")
        table.add_column(escape(f"{name}, oracle"), justify="right")
    table.add_column("gained half way", justify="right")
    rows: list[Any] = [*found.labels, "mean"]
    for n, label in enumerate(rows):
        pick = slice(None) if label == "mean" else slice(n, n + 1)
        cells = [f"{values[pick].mean():.4g}" for name in found.headline for values in found.pair(name)]
        half = found.half_way[pick].mean()
        table.add_row(escape(str(label)), *cells, f"{100 * half:.0f} %")
    return table
