"""Every command ends with 0 where all is well, and with 2 and one line where it is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command_line import COMMANDS, options

from phytotron import cli
from phytotron.cli import options as shared

LETTUCE = "phytotron/Lettuce-v0"
LOG = ["--log", "nowhere", "--from", "2022-02-01", "--until", "2022-02-02"]
GOOD = {
    "envs": [], "describe": [LETTUCE], "weather list": [], "weather variables": [], "crop list": [],
    "crop describe": ["faba_bean"],
}  # fmt: skip
# What each command is given that cannot be: names and files that are not there.
WRONG = {
    "envs": ["nothing"], "describe": ["phytotron/Letuce-v0"], "check": ["nowhere:Nothing"],
    "play": ["phytotron/Letuce-v0", "--no-open"], "run": ["phytotron/Letuce-v0"],
    "train": ["phytotron/Letuce-v0", "--output", "run"],
    "sweep": ["phytotron/Letuce-v0", "--output", "sweep"], "evaluate": [LETTUCE], "oracle": ["phytotron/Letuce-v0"],
    "tune": ["phytotron/Letuce-v0"], "report": ["nowhere"], "verify": ["greenlight", "--reference", "nowhere"],
    "reproduce": ["no/table"], "replay": [*LOG, "--parameters", "none"], "speed": ["phytotron/Letuce-v0"],
    "calibrate": ["--log", "nowhere", "--fit-until", "2022-02-20", "--output", "twin"],
    "demo": ["--output", "/dev/null/page"],
    "weather list": ["nothing"], "weather variables": ["nothing"], "weather check": ["nowhere.csv"],
    "weather import": ["nowhere.csv", "--output", "out.csv"], "weather generate": ["atlantis"],
    "weather plot": ["nowhere.csv"], "weather fetch knmi": ["nothing"], "weather fetch power": ["nothing"],
    "weather fetch open-meteo": ["nothing"], "crop list": ["nothing"], "crop describe": ["fava"],
    "crop import": ["nowhere.cab", "--name", "x", "--output", "x.toml"], "log check": ["nowhere"],
    "crop calibrate": ["nowhere.csv", "--weather", "wageningen", "--output", "x.toml"],
    "log weather": ["nowhere", "--output", "weather.csv"],
}  # fmt: skip


def ended(words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of the program with these words."""
    monkeypatch.setattr(sys, "argv", ["phytotron", *words])
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(SystemExit) as left:
        cli.main()
    code = left.value.code
    return code if isinstance(code, int) else 0 if code is None else 1


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_explains_itself_with_0_and_refuses_what_cannot_be_with_2(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    words = command.split()
    assert ended([*words, "--help"], monkeypatch) == 0
    assert ended([*words, "--no-such-option"], monkeypatch) == 2
    capsys.readouterr()
    if command in GOOD:
        assert ended([*words, *GOOD[command]], monkeypatch) == 0
    assert ended([*words, *WRONG[command]], monkeypatch) == 2
    told = capsys.readouterr().err
    assert "error" in told.lower() and "Traceback" not in told
    assert not list(tmp_path.rglob("*")), "nothing is left behind"


SEEDED = [command for command in COMMANDS if options(command) & {"--seed", "--seeds"}]


@pytest.mark.parametrize("command", SEEDED)
def test_a_seed_that_stands_for_no_random_numbers_of_its_own_is_refused(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shared, "check_installed", lambda *names: None)  # a sweep needs Ray
    option, seed = ("--seed", "4294967296") if "--seed" in options(command) else ("--seeds", "1,4294967296")
    words = [LETTUCE if "Letuce" in word else word for word in WRONG[command]]
    assert ended([*command.split(), *words, option, seed], monkeypatch) == 2
    told = capsys.readouterr().err
    assert option in told and "4294967295" in told
    assert not list(tmp_path.rglob("*")), "nothing is left behind"
