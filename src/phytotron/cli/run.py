"""`phytotron run`: one episode of an environment under a controller, summed up and drawn."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phytotron.cli import options as shared
from phytotron.cli.console import line, print_json, progress_bars
from phytotron.core.errors import PhytotronError, ValueRangeError

if TYPE_CHECKING:
    from phytotron.core.environment import Environment, Starts

Days = Annotated[float | None, typer.Option(help="Length of the episode in days.", min=0.01, max=366)]
Weather = Annotated[str | None, typer.Option(help="SPLIT:PART, an embedded series, generated:PRESET or a file.")]


def run(
    id: shared.Id,
    controller: Annotated[
        str | None, typer.Option(help="Name of a controller; by default the first baseline of the environment.")
    ] = None,
    start: Annotated[str | None, typer.Option(help="First day, as 2010-03-01; by default the first there is.")] = None,
    days: Days = None,
    weather: Weather = None,
    interval: Annotated[int | None, typer.Option(help="Control interval in seconds.", min=1)] = None,
    option: shared.Option = None,
    seed: shared.Seed = 0,
    folder: Annotated[Path, typer.Option("--output", help="Folder for the page.")] = Path("run"),
    figure: Annotated[bool, typer.Option(help="Write the page.")] = True,
    json: shared.Json = False,
) -> None:
    """Run one episode under a controller; print what it came to and write a page about it."""
    from phytotron.controllers import make_contender
    from phytotron.evaluation.examination import examine
    from phytotron.report.pages import summary_rows, write_episode_page

    given = {"episode_days": days, "control_interval": interval, "weather": _weather(weather)}
    options = {name: value for name, value in given.items() if value is not None} | shared.environment_options(option)
    env, starts = _begun(id, options, start)
    name = controller or env.presentation.compare[0]
    acting = make_contender(name, env)
    began = time.perf_counter()
    with progress_bars() as begin:
        told = begin(f"{acting.label}, from {starts.labels[0]}")
        found = examine(acting.environment, acting.controllers, starts, seed, told)
    seconds = time.perf_counter() - began
    path = write_episode_page(acting, found, seconds, folder / "index.html") if figure else None
    if json:
        totals = {measure: float(each.mean()) for measure, each in found.scores.values.items()}
        page = {} if path is None else {"page": str(path.resolve())}
        print_json({"id": id, "controller": name, "start": starts.labels[0], **totals, **page})
        return
    for words, value, unit in summary_rows(acting, found):
        line(f"{words:<60}{value:>10} {unit}".rstrip())
    if path is not None:
        line(f"\nOpen {path.resolve()}")


def _begun(id: str, options: dict[str, Any], start: str | None) -> tuple[Environment[Any, Any], Starts]:
    """The environment and the episode from a start; embedded weather is tried where its own has none."""
    from phytotron.core import registry
    from phytotron.episodes.engine import window
    from phytotron.weather.embedded import EMBEDDED

    env = registry.make(id, **options)
    try:
        return env, window(env, start)
    except ValueRangeError:
        for other in EMBEDDED if "weather" not in options else ():
            try:
                elsewhere = env.on(other)
                return elsewhere, window(elsewhere, start)
            except PhytotronError:
                continue
        raise


def _weather(text: str | None) -> Any:
    """A table, where the text is the path of a file; else the name that it is."""
    if text is not None and Path(text).suffix and Path(text).is_file():
        from phytotron.weather.sources import read_weather

        return read_weather(text)
    return text
