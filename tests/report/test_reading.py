"""What a reader meets on a page, in which order, with which units, and what can be saved from it."""

from __future__ import annotations

import base64
import csv
import io
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_scripts import with_script
from registering import registered
from training_runs import WeatheredCountdown
from untrained_runs import untrained_run

from phytotron.controllers import make_competitor
from phytotron.core.presentation import Return
from phytotron.core.registry import option_names
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.wheat import WheatNitrogen
from phytotron.episodes.engine import window
from phytotron.evaluation.examination import examine
from phytotron.report.figures import profile_figure
from phytotron.report.gathering import Entry, Section, gather, read_runs
from phytotron.report.html_page import page
from phytotron.report.pages import run_page, summary_rows, write_episode_page
from phytotron.report.words import every, name, sentence, with_code

TOY = WeatheredCountdown.id
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    with registered(TOY, "training_runs:WeatheredCountdown"):
        yield


@pytest.fixture(scope="module")
def section(tmp_path_factory: pytest.TempPathFactory, toy: None) -> Section:
    folder = untrained_run(tmp_path_factory.mktemp("runs") / "toy", TOY)
    return gather(read_runs([folder]), lambda text: None)[0]


@pytest.fixture(scope="module")
def episode(tmp_path_factory: pytest.TempPathFactory) -> str:
    env = Lettuce(episode_days=0.5, prices={"co2": 0.0})
    acting = make_competitor("rule-based", env)
    found = examine(env, acting.controllers, window(env, None), 0)
    path = write_episode_page(acting, found, 1.0, tmp_path_factory.mktemp("page") / "index.html")
    assert summary_rows(acting, found)[0][2] == "€ m⁻²"
    return path.read_text(encoding="utf-8")


def places(text: str, *words: str) -> list[int]:
    """Where each is first; all must be there."""
    assert all(word in text for word in words), [word for word in words if word not in text]
    return [text.index(word) for word in words]


def test_a_page_about_runs_has_decision_result_picture_tables_and_settings_in_this_order(section: Section) -> None:
    text = run_page([section])
    order = places(text, "the controller decides", 'class="verdict"', "<svg", "<table", "<h3>Words", "<h3>What was run")
    assert order == sorted(order)


def test_a_page_about_an_episode_has_decision_result_picture_tables_and_settings_in_this_order(episode: str) -> None:
    words = ("Every 30 minutes the controller decides how much CO₂ is supplied", "In 0.5 days from", 'class="zoom"')
    order = places(episode, *words, "<table", "<h2>Words", "<h2>Settings")
    assert order == sorted(order)


def test_what_costs_nothing_is_said(episode: str) -> None:
    assert "The price of CO₂ is 0 € kg⁻¹: its use costs nothing" in episode
    (note,) = Greenhouse().presentation.notes
    assert "price of electricity for lamps is 0 € kWh-1" in note
    assert not Greenhouse(prices={"electricity": 0.2}).presentation.notes


def test_a_page_about_an_episode_has_all_options_and_says_what_its_bands_and_shares_are(episode: str) -> None:
    options = episode[episode.index("All options of the environment") :]
    for option, value in {
        "episode_days": "0.5",
        "prices": "{&quot;co2&quot;: 0.0}",
        "precision": "&quot;float32&quot;",
    }.items():
        assert f"<code>{option}</code></th><td><code>{value}</code>" in options
    assert option_names(Lettuce.id) == re.findall(r"<th><code>(\w+)</code>", options)
    assert "the band is twice the standard error" in episode and "a constraint was violated" in episode


def test_dates_in_titles_stay_on_one_line() -> None:
    assert '<h1>Lettuce &amp; rules, <span class="who">2014-02-09</span></h1>' in page(
        "Lettuce & rules, 2014-02-09", [], ""
    )


def test_the_greenhouse_says_what_is_decided_and_what_the_rules_do() -> None:
    usual = Greenhouse().presentation.decides
    assert "boiler, CO2 injection, thermal screen, roof vent; the grower's rules move the rest" in usual
    assert "lamp" in usual and "rules" not in Greenhouse(actuators="all").presentation.decides


@pytest.mark.parametrize(("reward", "unit"), [("cropgym", "g m-2"), ("economic", "€ ha-1"), ("applications", "-")])
def test_the_unit_of_the_return_is_that_of_the_reward(reward: str, unit: str) -> None:
    assert WheatNitrogen(reward=reward).presentation.returns.unit == unit


def test_a_reward_of_ones_own_is_counted_in_points() -> None:
    assert WheatNitrogen(reward=lambda outcome: outcome.dose).presentation.returns == Return()


def test_a_return_without_a_unit_is_in_points(section: Section) -> None:
    assert section.unit("return") == "points" and "a score without a unit" in section.meaning("return")
    assert "return</abbr> <small>[points]" in run_page([section])


def test_terms_say_what_they_mean_when_they_are_pointed_at(section: Section) -> None:
    text = run_page([section])
    shown = dict(re.findall(r'<abbr tabindex="0" title="([^"]*)">([^<]*)</abbr>', text))
    assert "sum of the ages" in shown and "interquartile mean" in shown.values()
    assert re.search(r"On \d+ (unseen )?<abbr[^>]*>windows?</abbr>", text), "the sentence of the result"
    assert "<dt>seed</dt>" in text and "<dt>attainable share</dt>" in text


@pytest.mark.parametrize("task", [Lettuce, Greenhouse, WheatNitrogen])
def test_no_measure_is_explained_by_its_own_name(task: Any) -> None:
    assert not [each.quantity.name for each in task().measures if name(each.quantity.name) == each.quantity.description]


def test_the_learning_curve_has_the_line_of_the_baseline(section: Section) -> None:
    text = run_page([section])
    learning = text[text.index("<h3>Learning") : text.index("<h3>Trajectories")]
    yardstick = section.baselines[0]
    assert f'stroke="{yardstick.colour}" stroke-width="2" stroke-dasharray' in learning
    assert f"mean of {yardstick.label} on sunny:test" in learning


def test_scores_that_are_all_the_same_have_no_profile(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "above</text>" in profile_figure(section)
    monkeypatch.setattr(Entry, "values", lambda entry, measure: np.zeros((1, 2)))
    assert profile_figure(section) == ""


def test_tables_and_scores_can_be_saved_as_csv(section: Section) -> None:
    links = dict(
        re.findall(r'download="([^"]*)" href="data:text/csv;charset=utf-8;base64,([^"]*)"', run_page([section]))
    )
    assert {"scores.csv", "comparison_return.csv", "episodes.csv"} <= set(links)
    rows = list(csv.reader(io.StringIO(base64.b64decode(links["episodes.csv"]).decode("utf-8-sig"))))
    assert rows[0] == ["controller", "seed", "window", "return [points]", "length [-]", "age [-]"]
    assert len(rows) == 1 + 6 * (2 + len(section.baselines))
    assert float(rows[1][3]) == pytest.approx(float(section.trained[0].values("return")[0, 0]), rel=1e-6)


def test_intervals_and_units_are_written_as_people_write_them() -> None:
    assert [every(days) for days in (7.0, 1.0, 1 / 24, 300 / 86400, 20 / 86400)] == [
        "Every 7 days",
        "Every day",
        "Every hour",
        "Every 5 minutes",
        "Every 20 seconds",
    ]
    assert with_code("plans of `phytotron oracle` & others") == "plans of <code>phytotron oracle</code> &amp; others"
    assert sentence("0 € kWh-1 of co2 from 2010-03-01") == "0 € kWh⁻¹ of CO₂ from 2010-03-01"


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_series_are_saved_and_small_numbers_are_readable(episode: str, tmp_path: Path) -> None:
    script = """
      const [plot] = window.phytotronZooms, small = plot.data.channels[0].name;
      plot.data.windows[0].series[small][0].fill(4.47e-7);
      plot.hidden.delete(small);
      plot.hover = plot.data.windows[0].x[3];
      plot.draw();
      const open = [...plot.box.querySelectorAll("button")].filter((each) => each.checkVisibility()).length;
      const read = plot.read.textContent;
      plot.hover = null;
      plot.plotWidth = () => 5; // fewer pixels than there are steps
      plot.draw();
      const said = [read, plot.csv().split("\\n").slice(0, 3), plot.read.textContent, open];
      document.title = "RESULT" + JSON.stringify(said);
    """
    path = tmp_path / "page.html"
    path.write_text(with_script(episode, script), encoding="utf-8")
    command = [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=500,900"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=2000", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    found = re.search(r"<title>RESULT(.*?)</title>", done.stdout)
    assert found, done.stdout[:300] + done.stderr[-1000:]
    assert "4.47 × 10⁻⁷" in found.group(1) and "e-7" not in found.group(1).partition('","')[0]
    assert '"time,' in found.group(1) and '"UTC,' in found.group(1) and re.search(r'"\d{4}-\d\d-\d\dT', found.group(1))
    assert "a line is the mean of some steps and its band the range" in found.group(1)
    assert found.group(1).endswith(",5]"), "zoom, series and CSV are buttons; quantities are behind a click"
