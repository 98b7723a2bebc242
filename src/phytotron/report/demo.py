"""The page of `phytotron demo`."""

from __future__ import annotations

from pathlib import Path

from phytotron.controllers import RuleBased
from phytotron.environments.greenhouse import Greenhouse
from phytotron.evaluation.rollout import Progress
from phytotron.report.greenhouse_run import Rows, run_greenhouse, summary_rows, write_run
from phytotron.weather.embedded import embedded_weather

START = {"weather": "schiphol", "years": 2010, "start_day": 59}  # 1 March 2010


def write_demo(folder: Path, days: float, progress: Progress | None = None) -> tuple[Path, Rows]:
    """A greenhouse under the rule-based grower: the path of the page and the rows of its summary."""
    env = Greenhouse(episode_days=days, **START)  # type: ignore[arg-type]
    run = run_greenhouse(env, RuleBased(env), seed=0, progress=progress)
    source = embedded_weather("schiphol").provenance.source
    return write_run(env, run, "rule-based", source, folder), summary_rows(env, run.totals)
