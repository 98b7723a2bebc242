"""`phytotron play`: writes a page on which a person runs a task against growers, agents and hindsight."""

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from phytotron.cli import options as shared
from phytotron.cli.console import line, say


def play(
    id: shared.Id = "phytotron/Greenhouse-v0",
    output: Annotated[Path | None, typer.Option(help="HTML file to write; by default named after the task.")] = None,
    start: Annotated[
        list[str] | None, typer.Option(help="Start of a window to choose from, such as 2010-03-01; repeatable.")
    ] = None,
    weather: shared.Weather = None,
    weather_folder: shared.WeatherFolder = None,
    parameters: shared.Parameters = None,
    option: shared.Option = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Write one HTML file on which you run a greenhouse or a field yourself, and open it.

    The model runs in the page, which needs no network. The rules, the trained agent, predictive control and the oracle
    run the same days beside you, where the package has them. `phytotron evaluate --played FILE` replays what it saves.
    """
    from phytotron.browser.command import write_play

    path = output or Path(f"{id.rpartition('/')[2].rpartition(':')[2]}.html")
    say(f"compiling {id} to JavaScript")
    options = shared.environment_options(id, option, weather, weather_folder, parameters)
    size = write_play(id, options, start or (), path)
    line(f"Open {path.resolve()} ({size / 1e6:.2f} MB)")
    if open_page:
        webbrowser.open(path.resolve().as_uri())
