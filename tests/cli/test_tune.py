"""`phytotron tune`, and what its settings are used for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.core.compilation import CACHE_VARIABLE

runner = CliRunner()
TASK = ["phytotron/Lettuce-v0", "--option", "episode_days=0.5", "--option", "reward=profit"]
SEARCH = ["--candidates", "8", "--rounds", "2", "--episodes", "2"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))


def test_settings_are_found_written_kept_and_used(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    made = runner.invoke(app, ["tune", *TASK, *SEARCH, "--json", "--output", str(file)])
    assert made.exit_code == 0, (made.output, made.exception)
    said = json.loads(made.stdout)
    assert said["windows"] == 2 and said["tuned"]["return"] > said["untuned"]["return"]
    written = json.loads(file.read_text())
    assert written == json.loads(Path(said["kept"]).read_text())
    assert written["settings"] == {name: each["tuned"] for name, each in said["settings"].items()}
    assert written["found"]["weather"] == "train" and written["found"]["command"] == said["command"]
    assert said["command"].startswith("phytotron tune phytotron/Lettuce-v0 --option episode_days=0.5 --option reward=")
    for command in (["evaluate", *TASK], ["run", *TASK, "--no-figure"]):
        judged = runner.invoke(app, [*command, "--controller", "tuned-rules", "--json"])
        assert judged.exit_code == 0, (judged.output, judged.exception)


def test_the_tables_say_what_was_found() -> None:
    result = runner.invoke(app, ["tune", *TASK, *SEARCH, "--weather", "benchmark", "--objective", "growth"])
    assert result.exit_code == 0, (result.output, result.exception)
    for text in ("day_temperature", "5 to 25", "means over the 1 windows", "tuned for growth", "tuned_rules/"):
        assert text in "".join(result.stdout.split("\n")), text


def test_mistakes_name_the_remedy(tmp_path: Path) -> None:
    result = runner.invoke(app, ["evaluate", *TASK, "--controller", "tuned-rules"])
    assert result.exit_code != 0 and "phytotron tune phytotron/Lettuce-v0" in str(result.exception)
    result = runner.invoke(app, ["tune", *TASK, *SEARCH, "--objective", "harvest"])
    assert result.exit_code != 0 and "unknown objective for phytotron/Lettuce-v0 'harvest'" in str(result.exception)


@pytest.mark.parametrize("weather", [[], ["--option", "weather=test"]])
def test_settings_tuned_on_one_part_of_the_weather_are_used_on_the_others(weather: list[str]) -> None:
    task = ["weather_parts:PartedAiming", "--option", "shots=3"]
    tuned = runner.invoke(app, ["tune", *task, *weather, *SEARCH, "--json"])
    assert tuned.exit_code == 0, (tuned.output, tuned.exception)
    assert json.loads(tuned.stdout)["weather"] == "train"
    remark = ", not on test; --split or --weather chooses other weather" if weather else ""
    assert f"tuning on train{remark}\n" in tuned.stderr
    for split in ("train", "test"):
        judged = runner.invoke(app, ["evaluate", *task, *weather, "--controller", "tuned-rules", "--split", split])
        assert judged.exit_code == 0, (judged.output, judged.exception)
    other = runner.invoke(app, ["evaluate", *task[:1], "--controller", "tuned-rules"])
    assert "not been tuned with these options" in str(other.exception)
