"""`phytotron report`: one page about training runs and the baselines of their environments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TimeRemainingColumn

from phytotron.cli.console import errors, output, print_json
from phytotron.cli.options import check_agents_extra

if TYPE_CHECKING:
    from phytotron.report.gathering import Chapter, Say


def report(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs, which `phytotron train` writes.")],
    compare: Annotated[
        str | None, typer.Option(help="Baselines, with commas; by default those of the environment.")
    ] = None,
    weather: Annotated[str | None, typer.Option(help="To test on: SPLIT:PART, or a part; by default test.")] = None,
    best: Annotated[
        bool, typer.Option("--best", help="Policies that did best in evaluations during training.")
    ] = False,
    folder: Annotated[Path, typer.Option("--output", help="Folder for the page.")] = Path("report"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Test the policies of runs against baselines and write a page that stands alone: index.html."""
    check_agents_extra()
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.report.gathering import gather, read_runs
    from phytotron.report.run_page import write_run_page

    enable_compilation_cache()
    names = None if compare is None else [each.strip() for each in compare.split(",") if each.strip()]
    found = read_runs(runs)
    with Progress("{task.description}", BarColumn(), TimeRemainingColumn(), console=errors, transient=True) as bar:
        chapters = gather(found, told_by(bar), names, weather, best)
    path = write_run_page(chapters, folder / "index.html")
    if json:
        print_json({"page": str(path.resolve()), "chapters": [summary(chapter) for chapter in chapters]})
        return
    output.print(f"Open {path.resolve()}", soft_wrap=True, highlight=False, markup=False)


def told_by(bar: Progress) -> Say:
    """One bar for each controller that is examined."""

    def say(text: str) -> Any:
        task = bar.add_task(f"{escape(text)}: compiling", total=None)
        if not bar.console.is_terminal:
            bar.console.print(text, highlight=False, markup=False, soft_wrap=True)

        def told(done: int, total: int) -> None:
            bar.update(task, description=escape(text), completed=done, total=total)

        return told

    return say


def summary(chapter: Chapter) -> dict[str, Any]:
    """Means of every measure for each controller."""
    return {
        "environment": chapter.environment.id,
        "weather": chapter.weather,
        "windows": len(chapter.entries[0].examination.scores.labels),
        "controllers": {
            entry.label: {name: float(each.mean()) for name, each in entry.examination.scores.values.items()}
            for entry in chapter.entries
        },
    }
