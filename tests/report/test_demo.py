"""The demo: trains, tests, writes a page that stands alone, and uses finished runs again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from registering import registered
from training_runs import WeatheredCountdown
from typer.testing import CliRunner

from phytotron.browser import command
from phytotron.cli import app
from phytotron.papers.greenlight_gym.experiments import shipped
from phytotron.report import demo
from phytotron.report.html_page import page, table
from phytotron.training.folder import RunFolder

SMALL = {"num_envs": 2, "rollout": 32, "minibatch": 64, "epochs": 1, "actor": (8,), "critic": (8,), "steps": 512}
TOY = WeatheredCountdown.id  # pages about wheat and the greenhouse: test_pages.py
RUNS = (demo.DemoRun("countdown", TOY, "ppo", "quick-wheat", 2, SMALL),)


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    with registered(TOY, "training_runs:WeatheredCountdown"):
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """The folder, and what the command said the first and the second time."""
    folder = tmp_path_factory.mktemp("demo")
    said = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(demo, "RUNS", RUNS)
        patched.setattr(shipped, "shipped_agents", lambda: shipped.Earned(4.4, 4.0, 18))
        patched.setattr(command, "write_play", lambda id, options, starts, path: path.write_text(id))
        for _ in range(2):
            done = CliRunner().invoke(app, ["demo", "--output", str(folder)])
            assert done.exit_code == 0, (done.output, done.exception)
            said.append(done.output)
    return folder, said[0], said[1]


def test_the_command_tells_what_it_does_and_ends_by_naming_the_pages(made: tuple[Path, str, str]) -> None:
    folder, said, _ = made
    assert "earns 4.40 € m-2 in ten days of tomatoes, 0.40 (10 %) more than the grower's rules, in 18 windows" in said
    assert "countdown: PPO learns for 512 steps with 2 seeds" in said and "512 of 512 steps" in said
    assert f"{TOY}, return [points]: PPO" in said
    report, play = said.strip().splitlines()[-2:]
    assert report == f"Open {folder / 'index.html'}"
    assert play.endswith(str(folder / "play.html"))
    assert (folder / "play.html").read_text() == "phytotron/Greenhouse-v0"


def test_a_second_time_finished_runs_are_used_again(made: tuple[Path, str, str]) -> None:
    folder, _, again = made
    assert "trained already" in again and "512 of 512 steps" not in again
    assert [line["kind"] for line in RunFolder(folder / "runs" / "countdown").lines()].count("end") == 1


def test_the_page_stands_alone_and_says_how_policies_were_chosen(made: tuple[Path, str, str]) -> None:
    text = (made[0] / "index.html").read_text(encoding="utf-8")
    assert text.rstrip().endswith("</html>") and text.count("<svg") > 8
    assert not re.search(r"""(?:src|href)=["'](?!#|data:)|https?://""", text), "nothing is loaded from elsewhere"
    assert "each at its best evaluation on sunny:validation" in text


def test_a_run_that_was_stopped_is_not_finished(tmp_path: Path) -> None:
    assert not RunFolder(tmp_path / "none").finished
    run = RunFolder(tmp_path / "run")
    run.create(RUNS[0].setup().config.as_dict())
    run.append({"kind": "end", "step": 64, "reason": "stopped"})
    assert not run.finished
    run.append({"kind": "end", "step": 512, "reason": "finished"})
    assert run.finished


def test_what_is_trained_is_what_the_presets_say() -> None:
    for each in demo.RUNS:
        config = each.setup().config
        assert config.preset == each.preset and config.evaluation.weather is not None
        assert config.evaluation.weather.endswith(":validation")


def test_what_users_name_is_escaped() -> None:
    assert "<b>" not in page("<b>", [("<b>", "")], "<b>") and "<b>" not in table([("<b>", "<b>", "<b>")])


@pytest.mark.slow
def test_the_agents_of_the_package_earn_more_than_the_rules() -> None:
    earned = shipped.shipped_agents()
    assert earned.agents > 1.03 * earned.rules and earned.windows == 18
