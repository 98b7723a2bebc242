"""`phytotron reproduce`: runs tables and figures of papers, and prints the paper's numbers beside ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TimeElapsedColumn
from rich.table import Table

from phytotron.cli.console import errors, line, output, print_json
from phytotron.cli.options import Json, check_agents_extra
from phytotron.core.errors import DataFileError
from phytotron.core.extras import imported
from phytotron.core.files import check_writable

if TYPE_CHECKING:
    from phytotron.papers.result import Result

Budget = Literal["quick", "full"]

MADE = Path("reproduced")
RUNS = Path("runs")


def reproduce(
    name: Annotated[str | None, typer.Argument(help="Name of a table or figure; without it all are listed.")] = None,
    weather: Annotated[
        Path | None, typer.Option(help="Folder of weather files, where an experiment can use it.")
    ] = None,
    folder: Annotated[
        Path,
        typer.Option("--output", help="Folder to which results and figures are written, one folder per experiment."),
    ] = MADE,
    budget: Annotated[
        Budget, typer.Option(help="Budget: quick has fewer cases and less training, for a first look.")
    ] = "full",
    quick: Annotated[bool, typer.Option("--quick", help="Short for --budget quick.")] = False,
    train: Annotated[
        bool, typer.Option("--train", help="Train the agents, instead of taking those that come trained.")
    ] = False,
    runs: Annotated[
        Path, typer.Option(help="Folder in which agents are trained; what was interrupted there is resumed.")
    ] = RUNS,
    json: Json = False,
) -> None:
    """Run an experiment of a paper and print the paper's numbers beside ours."""
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.papers.registry import EXPERIMENTS, find_experiment
    from phytotron.papers.result import Settings

    if name is None:
        listed = {each.name: each.description for each in EXPERIMENTS.values()}
        if json:
            print_json(listed)
        for each, description in {} if json else listed.items():
            line(f"{each:<35} {description}")
        return
    experiment = find_experiment(name)
    if weather is not None and not weather.is_dir():
        raise DataFileError(weather, "there is no such folder", "expected a folder with weather files")
    folder = folder.joinpath(*name.split("/"))
    check_writable(folder / "result.json")
    if experiment.agents:
        check_agents_extra()
    if experiment.drawn:
        imported("matplotlib", "report", f"the figure of {name}")
    enable_compilation_cache()
    with Progress("{task.description}", BarColumn(), TimeElapsedColumn(), console=errors, transient=True) as bar:
        task = bar.add_task(f"{escape(name)}: compiling", total=1.0)

        def show(what: str, share: float) -> None:
            bar.update(task, description=escape(f"{name}: {what}"), completed=share)

        result = experiment.run(Settings(weather, quick or budget == "quick", show, train, runs))
        seconds = round(bar.tasks[0].elapsed or 0.0, 1)
    about = write(result, folder, seconds)
    if json:
        print_json(about)
        return
    output.print(result_table(result))
    for note in result.notes:
        line(f"- {note}")
    line(f"\n{seconds:g} s; written to {folder.resolve()}")


def write(result: Result, folder: Path, seconds: float) -> dict[str, Any]:
    """Write result.json and the figure, if there is one; return the content of result.json."""
    from phytotron.core.files import write_text
    from phytotron.core.version import __version__
    from phytotron.papers.registry import find_experiment
    from phytotron.report.plotting import save

    about = result.as_dict() | {"seconds": seconds, "version": __version__}
    figure = find_experiment(result.name).draw(result)
    if figure is not None:
        picture = folder / f"{result.name.rpartition('/')[2]}.png"
        save(figure, picture)
        about["figure"] = str(picture.resolve())
    write_text(folder / "result.json", json.dumps(about, indent=1, allow_nan=False) + "\n")
    return about


def result_table(result: Result) -> Table:
    """Return the paper's numbers beside ours, by setting."""
    table = Table(title=escape(result.title), title_justify="left")
    table.add_column("setting, quantity", min_width=24)
    for heading in (result.beside, "ours", "difference"):
        table.add_column(heading, justify="right", no_wrap=True)
    before = None
    for row in result.rows:
        if row.setting != before:
            table.add_section()
            table.add_row(f"[bold]{escape(row.setting)}[/bold]")
        ours = "not finite" if row.ours is None else number(row.ours, row.interval)
        difference = "" if row.difference is None else f"{row.difference:+.{decimals(row.difference)}f}"
        what = escape(f"  {row.quantity} [{row.unit}]")
        table.add_row(what, number(row.paper, row.paper_interval), ours, difference)
        before = row.setting
    return table


def decimals(value: float) -> int:
    """Return the number of decimals that shows about three significant digits of a value."""
    size = abs(value)
    if size >= 10.0 or size == 0.0:
        return 1
    if size >= 1.0:
        return 2
    return 3 if size >= 0.01 else 5


def number(value: float | None, interval: float | None) -> str:
    """Return a mean as text, with its interval to the same number of digits."""
    if value is None:
        return ""
    digits = decimals(value)
    return f"{value:.{digits}f}" + ("" if interval is None else f" ± {interval:.{digits}f}")
