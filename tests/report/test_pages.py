"""The page about runs: whole, self-contained, and right about what was run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_scripts import with_script
from untrained_runs import untrained_run

from phytotron.core.presentation import Timeline
from phytotron.core.units import typeset
from phytotron.environments.wheat import WheatNitrogen
from phytotron.environments.wheat import single_dose as wheat_baselines
from phytotron.evaluation.scores import evaluate_many
from phytotron.report.gathering import Section, gather, read_runs
from phytotron.report.pages import run_page
from phytotron.report.svg_chart import Line, chart
from phytotron.report.tables import compare
from phytotron.report.words import difference, duration, number, percent
from phytotron.report.zoom_plot import POINTS_ALONE, shown_every, zoom_data

GREENHOUSE, WHEAT = "phytotron/Greenhouse-v0", "phytotron/WheatNitrogen-v0"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
VOID = {"meta", "br", "path", "circle"}

# Zooms, pans and points in every plot; what came of it is written into the title.
EXERCISE = """
const results = window.phytotronZooms.map((plot) => {
  const full = plot.span(), canvas = plot.canvas, box = canvas.getBoundingClientRect();
  const at = (type, x, more) => canvas.dispatchEvent(new (type === "wheel" ? WheelEvent : PointerEvent)(type,
    Object.assign({ clientX: box.left + x, clientY: box.top + 40, bubbles: true, cancelable: true, pointerId: 1 },
      more)));
  at("wheel", 200, { deltaY: -300 });
  const zoomed = plot.span(), left = plot.view[0];
  at("pointerdown", 220); at("pointermove", 160); at("pointerup", 160);
  const panned = plot.view[0] - left;
  const read = plot.read.textContent;
  at("dblclick", 10);
  return [full, zoomed, panned, plot.span(), read.length];
});
const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
document.title = "RESULT" + JSON.stringify({ results, wide });
"""


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> list[Section]:
    place = tmp_path_factory.mktemp("runs")
    folders = [
        untrained_run(place / "wheat", WHEAT),
        untrained_run(place / "glass", GREENHOUSE, (0,), episode_days=0.5),
    ]
    runs = read_runs(folders)
    return gather(runs, lambda text: None)


@pytest.fixture(scope="module")
def text(sections: list[Section]) -> str:
    return run_page(sections)


class _Checker(HTMLParser):
    """Every tag is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if "script" not in self.open and "style" not in self.open:
            self.words.append(data)


@pytest.mark.slow
def test_the_page_is_whole_and_says_nothing_that_is_no_number(text: str) -> None:
    checker = _Checker()
    checker.feed(text)
    assert not checker.open
    words = " ".join(checker.words)
    assert not re.search(r"\b(nan|inf|undefined)\b", words, re.I), words
    for tag in re.findall(r"<path[^>]*>|<circle[^>]*>|<text[^>]*>", text):
        assert "nan" not in tag and "inf" not in tag


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere_and_the_page_is_small(text: str) -> None:
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)|@import|url\(|https?://""", text)
    assert len(text.encode()) < 1_500_000


@pytest.mark.slow
def test_all_sections_are_there(text: str) -> None:
    headings = re.findall(r"<h3>(.*?)</h3>", text)
    shared = ["What was run", "Scores", "Distribution of scores", "Learning", "Over an episode", "Trajectories"]
    for heading in [*shared, "Violations", "Use of resources"]:
        assert headings.count(heading) == 2, heading
    assert headings.count("Average day") == 1
    assert "Against standard practice" in headings and "Against rule-based control" in headings
    for word in ("Ceres", "no nitrogen", "embedded_wheat:test", "embedded:test", "learning_rate", "jax", "cpu"):
        assert word in text, word


@pytest.mark.slow
def test_the_data_of_the_plots_is_json_of_equal_lengths(sections: list[Section], text: str) -> None:
    found = re.findall(r'<script type="application/json">(.*?)</script>', text, re.S)
    assert len(found) == 2
    for part in found:
        data = json.loads(part)
        names = {each["name"] for each in data["channels"]}
        for window in data["windows"]:
            assert set(window["series"]) == names
            for rows in window["series"].values():
                assert len(rows) in (1, len(data["controllers"]))
                assert all(len(row) == len(window["x"]) for row in rows)
    wheat = zoom_data(sections[0])
    assert wheat["windows"][0]["origin"] == "1976-01-01" and len(wheat["windows"]) == 6


@pytest.mark.slow
def test_examined_scores_are_those_of_an_evaluation(sections: list[Section]) -> None:
    entry = sections[0].trained[0]
    known = evaluate_many(entry.competitor.environment, entry.competitor.controllers)
    assert known.labels == entry.examination.scores.labels
    for name, values in known.values.items():
        np.testing.assert_allclose(entry.examination.scores.values[name], values, rtol=1e-5, atol=1e-5)


@pytest.mark.slow
def test_ceres_and_standard_practice_are_those_of_the_baselines(sections: list[Section]) -> None:
    practice, ceres, none, *_ = (entry.examination.scores.values["return"][0] for entry in sections[0].baselines)
    env = sections[0].environment
    assert isinstance(env, WheatNitrogen)
    np.testing.assert_allclose(ceres, wheat_baselines.ceres(env.seasons).episode_return, rtol=1e-3, atol=0.05)
    assert np.all(ceres >= practice - 0.01) and np.all(ceres >= none - 0.01)


@pytest.mark.slow
def test_series_and_means_belong_together(sections: list[Section]) -> None:
    wheat, glass = (section.entries[0].examination for section in sections)
    assert wheat.series["grain"].shape[:2] == (2, 6) and wheat.day is None
    last = wheat.mean_curves["sum of return"][:, -1]
    np.testing.assert_allclose(last, wheat.scores.values["return"].mean(axis=1))
    assert glass.day is not None and float(glass.day.count.max()) == len(glass.scores.labels)
    within = 1.0 - glass.violations["humidity"].share
    np.testing.assert_allclose(within, glass.scores.values["humidity_in_bounds"], atol=1e-6)


@pytest.mark.slow
def test_the_page_is_honest_about_an_agent_that_has_not_learned(sections: list[Section], text: str) -> None:
    wheat = sections[0]
    mine, theirs = (e.examination.scores.values["return"].mean() for e in (wheat.trained[0], wheat.baselines[0]))
    said = re.findall(r'<div class="verdict">(.*?)</div>', text)[0]
    assert ("PPO did worse than standard practice" in said) == (mine < theirs)


def test_a_comparison_counts_every_seed_once() -> None:
    one, other = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]), np.array([[1.0, 1.0, 5.0]])
    found = compare(one, other, ("2001-03-01", "2001-06-01", "2002-03-01"))
    assert found.paired.difference == pytest.approx((0.5 + 1.5 - 1.5) / 3)
    assert found.paired.blocks == 2 and found.paired.p == 1.0
    assert found.improvement.value == pytest.approx((1.5 / 3 + 2 / 3) / 2)
    assert 0.0 <= found.improvement.low < found.improvement.value < found.improvement.high <= 1.0
    same = compare(other, other, ("a", "b", "c"))
    assert same.paired[::2] == (0.0, 1.0) and same.improvement.value == 0.5


def test_numbers_are_written_as_people_write_them() -> None:
    assert [number(each) for each in (1758.33, 34.125, 3.9712, 0.0166, -1.5e-5, float("nan"))] == [
        "1,758",
        "34.1",
        "3.97",
        "0.017",
        "0",
        "–",
    ]
    assert difference(2e-4, 0.25) == "+0.000 ± 0.250" and difference(-3.9712, 0.1) == "−3.97 ± 0.10"
    assert difference(0.5, 12.0) == "+0.5 ± 12.0" and difference(3.9712, None) == "+3.97"
    assert (typeset("m3 m-2"), typeset("€ m-2"), typeset("-"), typeset("°C")) == ("m³ m⁻²", "€ m⁻²", "", "°C")
    assert typeset("m3 K-2/3") == "m³ K⁻²ᐟ³"
    assert (percent(0.0), percent(0.1234), duration(65.2)) == ("0 %", "12.3 %", "1 min 5 s")


def test_a_chart_leaves_out_what_is_not_finite() -> None:
    drawn = chart("<b>", [Line([0.0, 1.0, 2.0], [1.0, np.nan, 3.0], "#000"), Line([], [], "#000")], "x")
    assert "nan" not in drawn and "<b>" not in drawn and drawn.startswith("<svg")
    assert "nan" not in chart("flat", [Line([0.0, 1.0], [2.0, 2.0], "#000")], "x")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
@pytest.mark.parametrize("width", [1280, 500])
def test_a_browser_draws_zooms_and_complains_about_nothing(text: str, tmp_path: Path, width: int) -> None:
    path = tmp_path / "page.html"
    path.write_text(with_script(text, EXERCISE), encoding="utf-8")
    command = [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},900"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr", "--virtual-time-budget=3000"]
    done = subprocess.run(
        [*command, "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=120, check=False
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    match = re.search(r"<title>RESULT(.*?)</title>", done.stdout)
    assert match, done.stdout[:300] + done.stderr[-1000:]
    found = json.loads(match.group(1))
    assert found["wide"] <= 0, "the page does not scroll sideways"
    assert len(found["results"]) == 2
    for full, zoomed, panned, again, read in found["results"]:
        assert zoomed < 0.8 * full and panned > 0.0 and again == pytest.approx(full) and read > 40


def test_long_series_are_thinned_to_the_same_hours_of_every_day() -> None:
    five_minutes, weeks = Timeline(1 / 288, 1 / 288, at_start=True), Timeline(7.0, 13.0, calendar=True)
    assert shown_every(365 * 288, POINTS_ALONE, five_minutes) == 12  # a year by the hour
    assert shown_every(365 * 288, 1440, five_minutes) == 96
    assert shown_every(2880, 1440, five_minutes) == 2 and shown_every(288, 1440, five_minutes) == 1
    assert shown_every(1000 * 288, 365, five_minutes) == 790  # less than a point a day
    assert shown_every(30, 1440, weeks) == 1 and shown_every(3000, 1440, None) == 3
