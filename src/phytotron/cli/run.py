"""`phytotron run`: an environment under a controller, summed up and drawn."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TimeRemainingColumn

from phytotron.cli.console import errors, output, print_json
from phytotron.core import registry
from phytotron.core.errors import PhytotronError, ValueRangeError


def run(
    id: Annotated[str, typer.Argument(help="Id of an environment: phytotron/Greenhouse-v0.")],
    controller: Annotated[str, typer.Option(help="rule-based, random or off.")] = "rule-based",
    start: Annotated[str, typer.Option(help="First day, as 2010-03-01.")] = "2010-03-01",
    days: Annotated[float, typer.Option(help="Length of the run in days.", min=0.01, max=366)] = 10.0,
    weather: Annotated[
        str, typer.Option(help="An embedded series, a weather file, SPLIT:PART or generated:PRESET.")
    ] = "schiphol",
    interval: Annotated[int, typer.Option(help="Control interval in seconds.", min=1)] = 300,
    reward: Annotated[str, typer.Option(help="multiplicative, additive, profit or scaled_profit.")] = "multiplicative",
    parameters: Annotated[str, typer.Option(help="Parameter set of the greenhouse.")] = "greenlight_gym_1p4ha_led",
    solver: Annotated[str, typer.Option(help="rosenbrock, rkc2, rk4 or euler.")] = "rosenbrock",
    seed: Annotated[int, typer.Option(help="For what is drawn at random.", min=0)] = 0,
    folder: Annotated[Path, typer.Option("--output", help="Folder for the page.")] = Path("run"),
    figure: Annotated[bool, typer.Option(help="Draw the run.")] = True,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run an environment under a controller; print what it came to and write a page about it."""
    from phytotron.controllers import make_controller
    from phytotron.environments.greenhouse import Greenhouse
    from phytotron.report.greenhouse_run import run_greenhouse, summary_rows, write_run

    if id != Greenhouse.id and id in registry.registered():
        raise PhytotronError(f"{id} cannot be run by this command; {Greenhouse.id} can")
    chosen, source = _weather(weather)
    first = _day(start)
    env = registry.make(
        id,
        weather=chosen,
        years=first.year,
        start_day=(first - date(first.year, 1, 1)).days,
        episode_days=days,
        control_interval=interval,
        reward=reward,
        parameters=parameters,
        solver=solver,
    )
    acting = make_controller(controller, env)
    with Progress("{task.description}", BarColumn(), TimeRemainingColumn(), console=errors, transient=True) as bar:
        task = bar.add_task(f"{days:g} days, {controller}", total=env.episode_steps)
        result = run_greenhouse(env, acting, seed, lambda done, _: bar.update(task, completed=done))
    path = write_run(env, result, controller, source, folder) if figure else None
    if json:
        page = {} if path is None else {"page": str(path.resolve())}
        print_json({"id": id, "controller": controller, "start": start, "days": days, **result.totals, **page})
        return
    for name, value, unit in summary_rows(env, result.totals):
        output.print(f"{name:<44}{value:>10} {unit}", highlight=False)
    if path is not None:
        output.print(f"\nOpen {path.resolve()}", soft_wrap=True, highlight=False)


def _weather(text: str) -> tuple[Any, str]:
    """What the environment is to take, and where it comes from."""
    if Path(text).suffix and Path(text).is_file():
        from phytotron.weather.sources import read_weather

        table = read_weather(text)
        return table, table.provenance.source
    return text, text


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueRangeError("--start", text, "a date such as 2010-03-01") from None
