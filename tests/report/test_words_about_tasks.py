"""Words of pages about tasks that have no weather, or a calendar in which an episode is no season."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from toy_environments import Aiming, Line
from untrained_runs import untrained_run
from weather_parts import PartedAiming

from phytotron.core.presentation import Competitor, Presentation, Timeline
from phytotron.evaluation.examination import examine
from phytotron.report.gathering import gather, read_runs
from phytotron.report.pages import run_page, write_episode_page
from phytotron.report.words import weather_words


def page_of(env: Any, path: Path) -> str:
    acting = Competitor("aimed", "aims at the mark", env, (Line(1.0, 0.0),))
    write_episode_page(acting, examine(env, acting.controllers), 1.0, path)
    return path.read_text(encoding="utf-8")


def test_a_task_without_weather_is_described_without(tmp_path: Path) -> None:
    assert "aims at the mark). Compiled and run in 1.0 s." in page_of(Aiming(), tmp_path / "a.html")
    assert "aims at the mark). On test. Compiled" in page_of(PartedAiming(weather="test"), tmp_path / "b.html")
    run = untrained_run(tmp_path / "run", "toy_environments:Aiming", (0,))
    text = run_page(gather(read_runs([run]), lambda text: None))
    assert "of its own" not in text and "trained on" not in text and "10 windows: episode 0" in text
    assert "mean of random." in text
    assert weather_words(None, PartedAiming()) == "weather of its own"


@pytest.mark.parametrize(("interval", "words"), [(1 / 24, "In the episode mark 3, "), (7.0, "In the season mark 3, ")])
def test_an_episode_of_hours_is_no_season(interval: float, words: str, tmp_path: Path) -> None:
    class Dated(PartedAiming):
        @property
        def presentation(self) -> Presentation:
            return replace(super().presentation, timeline=Timeline(interval, interval, calendar=True))

    assert words in page_of(Dated(weather="test"), tmp_path / "page.html")
