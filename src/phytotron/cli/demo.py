"""`phytotron demo`: agents trained in minutes against the usual practice, on one page."""

import signal
import time
from pathlib import Path
from typing import Annotated

import typer

from phytotron.cli.console import errors, line, say
from phytotron.cli.options import check_agents_extra
from phytotron.cli.report import progress_reporter
from phytotron.core.files import check_writable
from phytotron.core.signals import exit_status


def demo(
    folder: Annotated[Path, typer.Option("--output", help="Folder to which the page and the runs are written.")] = Path(
        "demo"
    ),
) -> None:
    """Show what a trained agent earns, then train others for some minutes and compare them with the usual practice.

    The first line compares an agent that comes with the package with the grower's rules. Then an agent
    learns in the greenhouse by gradients through the model, and PPO in the wheat field.

    Ctrl-C stops at a checkpoint; the same command continues from there, and uses finished runs again.
    """
    check_agents_extra()
    from phytotron.browser.command import write_play
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.report import demo as content
    from phytotron.report.words import number
    from phytotron.training.folder import RunFolder
    from phytotron.training.listeners import TrainingProgress, shown_measures
    from phytotron.training.loop import train_or_resume

    enable_compilation_cache()
    check_writable(folder / "index.html")
    began = time.perf_counter()
    line(earned_by_shipped_agent())
    for turn, run in enumerate(content.RUNS, 1):
        place = folder / "runs" / run.name
        head = f"[{turn} of {len(content.RUNS) + 1}]"
        if RunFolder(place).finished:
            say(f"{head} {run.name}: trained already, in {place}")
            continue
        setup = run.setup()
        steps = setup.config.steps
        length = f"{steps:,} steps with {run.seeds} seeds"
        say(f"{head} {run.name}: {run.agent.upper()} learns for {length}; compiling takes a while first")
        with TrainingProgress(errors, steps, shown_measures(setup.agent.environment)) as progress:
            outcome = train_or_resume(setup, place, listeners=[progress], say=progress.say)
        if outcome.reason == "stopped":
            say(f"stopped; the same command continues {place}")
            raise typer.Exit(exit_status(outcome.signal or signal.SIGINT))
    say(f"[{len(content.RUNS) + 1} of {len(content.RUNS) + 1}] testing on unseen weather, and drawing")
    with progress_reporter() as begin:
        path, sections = content.write_demo(folder, content.RUNS, begin)
    for section in sections:
        for measure in section.presentation.headline:
            means = ", ".join(f"{entry.label} {number(entry.mean(measure))}" for entry in section.entries)
            heading = f"{measure} [{section.unit(measure)}]" if section.unit(measure) else measure
            line(f"{section.presentation.title}, {heading}: {means}")
    line(f"{time.perf_counter() - began:.0f} s in all")
    page = folder / "play.html"
    write_play("phytotron/Greenhouse-v0", {}, (), page)
    line(f"Open {path.resolve()}")
    line(f"Run the greenhouse yourself, against the grower and the agent: {page.resolve()}")


def earned_by_shipped_agent() -> str:
    """Return a sentence on the profit of the shipped agents in the greenhouse."""
    from phytotron.papers.greenlight_gym.experiments.shipped import shipped_agents

    agents, rules, windows = shipped_agents()
    gain = agents - rules
    return (
        f"An agent that comes with this package earns {agents:.2f} € m-2 in ten days of tomatoes, {gain:.2f} "
        f"({100 * gain / rules:.0f} %) more than the grower's rules, in {windows} windows that it has not seen."
    )
