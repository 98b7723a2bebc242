"""`phytotron report`: writes one page about training runs and the baselines of their environments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phytotron.cli.console import ProgressCallback, errors, line, print_json, progress_bars, say
from phytotron.cli.options import Json, check_agents_extra
from phytotron.cli.policies import find_run
from phytotron.core.files import check_writable

if TYPE_CHECKING:
    from phytotron.evaluation.attainable import Attainable
    from phytotron.report.gathering import Say, Section


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Folders of runs, which `phytotron train` writes, or names of runs of the package."),
    ],
    compare: Annotated[
        str | None,
        typer.Option(help="Baselines to compare with, separated by commas; by default those of the environment."),
    ] = None,
    weather: Annotated[
        str | None, typer.Option(help="Weather to test on: SPLIT:PART, or a part; by default test.")
    ] = None,
    best: Annotated[
        bool, typer.Option("--best", help="Take the policies that did best in evaluations during training.")
    ] = False,
    folder: Annotated[Path, typer.Option("--output", help="Folder to which the page is written.")] = Path("report"),
    json: Json = False,
) -> None:
    """Test the policies of runs against baselines and write a page that stands alone: index.html."""
    check_agents_extra()
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.report.gathering import gather, read_runs
    from phytotron.report.pages import write_run_page

    enable_compilation_cache()
    names = None if compare is None else [each.strip() for each in compare.split(",") if each.strip()]
    check_writable(folder / "index.html")
    found = read_runs([find_run(each) for each in runs])
    with progress_reporter() as begin:
        sections = gather(found, begin, names, weather, best)
    path = write_run_page(sections, folder / "index.html")
    if json:
        print_json({"page": str(path.resolve()), "sections": [summary(section) for section in sections]})
        return
    line(f"Open {path.resolve()}")


@contextmanager
def progress_reporter() -> Iterator[Say]:
    """Show a bar for each controller that is examined, or a line where there is no terminal."""
    with progress_bars() as begin:

        def beginning(text: str) -> ProgressCallback:
            if not errors.is_terminal:
                say(text)
            return begin(text)

        yield beginning


def summary(section: Section) -> dict[str, Any]:
    """Return means of every measure for each controller."""
    return {
        "environment": section.environment.id,
        "weather": section.weather,
        "windows": len(section.entries[0].examination.scores.labels),
        "controllers": {
            entry.label: {name: float(each.mean()) for name, each in entry.examination.scores.values.items()}
            for entry in section.entries
        },
        "attainable": None if section.ceiling is None else shares(section, section.ceiling),
    }


def shares(section: Section, ceiling: Attainable) -> dict[str, Any]:
    """Return the attained share of each controller, per window and of the means."""
    found = {entry.label: ceiling.shares_as_dict(entry.examination.scores)["measures"] for entry in section.entries}
    return {"baseline": ceiling.baseline, "windows": len(ceiling.labels), "controllers": found}
