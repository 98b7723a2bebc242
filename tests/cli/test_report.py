"""`phytotron report`, as a user types it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from registering import registered
from training_runs import WeatheredCountdown
from typer.testing import CliRunner, Result
from untrained_runs import untrained_run

from phytotron.cli import app
from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.core.errors import PhytotronError
from phytotron.planning.plans import Plan, keep_plans

TOY = WeatheredCountdown.id


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["report", *map(str, arguments)])


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    with registered(TOY, "training_runs:WeatheredCountdown"):
        yield


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    place = tmp_path_factory.mktemp("runs")
    return [untrained_run(place / "one", TOY), untrained_run(place / "two", TOY, (0,), handicap=1.0)]


def test_any_environment_gets_a_page(folders: list[Path], tmp_path: Path) -> None:
    result = run(folders[0], "--output", tmp_path)
    assert result.exit_code == 0, (result.output, result.exception)
    assert result.stdout.strip() == f"Open {tmp_path / 'index.html'}"
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    for word in (TOY, "sunny:test", "Against random", "Trajectories", "Learning", "PPO"):
        assert word in text, word
    for word in ("Average day", "Use of resources"):
        assert word not in text


def test_runs_of_one_environment_are_one_chapter(folders: list[Path], tmp_path: Path) -> None:
    result = run(*folders, "--compare", "off, random", "--weather", "train", "--best", "--output", tmp_path, "--json")
    found = json.loads(result.stdout)
    assert found["page"] == str(tmp_path / "index.html")
    (section,) = found["sections"]
    assert (section["environment"], section["weather"], section["windows"]) == (TOY, "sunny:train", 6)
    assert list(section["controllers"]) == ["PPO one", "PPO two", "off", "random"]
    assert section["controllers"]["off"]["age"] >= 0.0
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "different options of the environment" in text and "each at its best evaluation" in text


def test_where_plans_are_stored_the_page_shows_the_oracle_and_the_share_of_it(
    folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    env = WeatheredCountdown("sunny:test")
    labels = env.starts().labels
    best = Plan(np.ones((env.episode_steps, 2), np.float32), 0.0, (0.0,))
    keep_plans(env, dict.fromkeys(labels[:4], best))
    part = json.loads(run(folders[0], "--compare", "off", "--output", tmp_path / "part", "--json").stdout)["sections"]
    assert list(part[0]["controllers"]) == ["PPO", "off"] and part[0]["attainable"]["windows"] == 4
    assert "4 of 6 windows that have plans" in (tmp_path / "part" / "index.html").read_text(encoding="utf-8")
    keep_plans(env, dict.fromkeys(labels, best))
    result = run(folders[0], "--compare", "off", "--output", tmp_path / "page", "--json")
    (section,) = json.loads(result.stdout)["sections"]
    assert list(section["controllers"]) == ["PPO", "off", "oracle"]
    shares = {name: each["return"]["share"] for name, each in section["attainable"]["controllers"].items()}
    assert (shares["off"], shares["oracle"]) == (0.0, pytest.approx(1.0)) and shares["PPO"] < 1.0
    text = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    for word in ("It attains ", "Attainable share", "share of return", "Every window", "lines are those that know"):
        assert word in text, word


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{new}"], "there is no run or policy at this path"),
        (["{run}", "--compare", "offf"], "did you mean 'off'"),
        (["{run}", "--compare", "ceres"], f"unknown controller of {TOY} 'ceres'; did you mean 'tuned-rules'?"),
        (["{run}", "--weather", "cloudy:tests"], "sunny:test"),
    ],
)
def test_what_cannot_be_reported_is_explained(
    arguments: list[str], message: str, folders: list[Path], tmp_path: Path
) -> None:
    filled = [each.format(run=folders[0], new=tmp_path / "new") for each in arguments]
    result = run(*filled, "--output", tmp_path / "page")
    assert isinstance(result.exception, PhytotronError) and message in str(result.exception), result.output
    assert not (tmp_path / "page").exists()
