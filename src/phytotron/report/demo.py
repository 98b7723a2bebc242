"""The runs of `phytotron demo`: agents trained in minutes, compared with the usual practice on test weather."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phytotron.report.gathering import Say, Section, gather, read_runs
from phytotron.report.pages import write_run_page
from phytotron.training.presets import make_settings
from phytotron.training.setup import Setup, prepare

EVALUATIONS = 8
TITLE = "Short-trained agents against usual practice"


@dataclass(frozen=True)
class DemoRun:
    """One training run of the demo."""

    name: str  # of its folder
    environment: str
    agent: str
    preset: str
    seeds: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    def setup(self) -> Setup:
        """Return the setup of training, with the number of evaluations."""
        steps = make_settings(self.agent, self.preset, **self.settings).steps
        return prepare(
            self.environment,
            agent=self.agent,
            preset=self.preset,
            seeds=range(self.seeds),
            settings=self.settings,
            options=self.options,
            evaluation_weather="validation",
            evaluate_every=max(1, steps // EVALUATIONS),
        )


RUNS = (
    DemoRun("greenhouse", "phytotron/Greenhouse-v0", "apg", "quick-greenhouse", 2),
    DemoRun("wheat", "phytotron/WheatNitrogen-v0", "ppo", "quick-wheat", 8),
)


def write_demo(folder: Path, runs: Sequence[DemoRun], say: Say) -> tuple[Path, list[Section]]:
    """Test the trained agents and write the page; return its path and the sections that it consists of."""
    found = read_runs([folder / "runs" / each.name for each in runs])
    sections = gather(found, say, best=True)
    return write_run_page(sections, folder / "index.html", TITLE), sections
