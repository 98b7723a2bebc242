"""What every command has: a version, an end by Ctrl-C, and no need of extras that it does not use."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from phytotron import cli
from phytotron.cli import app
from phytotron.core.signals import ending_signals
from phytotron.core.version import __version__

SWALLOWED = """
import time
from phytotron.cli import interruption
interruption.GRACE = 0.3
with interruption.handled():
    for text in ("ready", "on"):
        try:
            print(text, flush=True)
            time.sleep(30)
        except KeyboardInterrupt:
            pass  # as where it is raised inside a callback of XLA
"""
LOST = """
import time
from phytotron.cli import interruption
interruption.GRACE = 0.3
class Held:
    def __del__(self): print("ready", flush=True); time.sleep(5)
with interruption.handled():
    Held()
    time.sleep(30)
"""
COMMAND = """
import sys, time
from phytotron import cli
from phytotron.cli import describe
def slow(): print("ready", flush=True); time.sleep(30)
cli.app.command("slow")(slow)
sys.argv = ["phytotron", "slow"]
cli.main()
"""
EXTRAS = ("equinox", "optax", "safetensors", "matplotlib", "pyarrow", "pandas", "xarray", "tensorboardX", "yaml")
PLAIN = f"""
import sys
sys.modules |= dict.fromkeys({EXTRAS!r})
from phytotron.evaluation.attainable import attainable_at_hand
from phytotron.evaluation.examination import examine
from phytotron.evaluation.scores import evaluate_many
from phytotron.report.pages import summary_rows, write_episode_page
from phytotron.cli import main
"""


def test_the_version_is_printed() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"phytotron {__version__}\n"


@pytest.mark.parametrize(
    ("program", "number", "word"),
    [
        (SWALLOWED, signal.SIGINT, "Interrupted"),
        (LOST, signal.SIGINT, "Interrupted"),
        (COMMAND, signal.SIGINT, "Interrupted"),
        (COMMAND, signal.SIGTERM, "Terminated"),
        (COMMAND, signal.SIGHUP, "Hung up"),
    ],
    ids=["swallowed", "lost", "interrupted", "terminated", "hung up"],
)
@pytest.mark.usefixtures("hangup_heard")
def test_a_signal_ends_a_command_with_its_status_and_one_line(program: str, number: int, word: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(number)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 128 + number and told.strip() == word


def test_what_nohup_ignores_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert signal.SIGHUP not in ending_signals() and signal.SIGTERM in ending_signals()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_does_not_fit_into_memory_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def exhausted(**_: object) -> None:
        raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 400000000000000 bytes.")

    monkeypatch.setattr(cli, "app", exhausted)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("error: there is not enough memory; take fewer environments")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_what_is_printed_and_does_not_arrive_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "phytotron", "--version"]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr == (
        "error: standard output cannot be written (No space left on device); free some space, or print elsewhere\n"
    )


def test_a_plain_install_can_run_and_evaluate() -> None:
    subprocess.run([sys.executable, "-c", PLAIN], check=True, timeout=60)


def test_an_extra_that_is_missing_is_said_before_anything_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    result = CliRunner().invoke(app, ["run", "phytotron/Lettuce-v0", "--parquet", "run.parquet"])
    assert str(result.exception) == "--parquet needs pyarrow; install it with: pip install 'phytotron[data]'"


def test_what_an_extra_would_bring_is_said_where_a_controller_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optax", None)
    monkeypatch.delitem(sys.modules, "phytotron.planning.mpc", raising=False)
    result = CliRunner().invoke(app, ["run", "phytotron/Lettuce-v0", "--controller", "mpc"])
    assert str(result.exception).endswith("install it with: pip install 'phytotron[agents]'"), result.exception


def test_a_figure_is_not_computed_without_what_draws_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = CliRunner().invoke(app, ["reproduce", "cropgym/figure4"])
    assert "the figure of cropgym/figure4 needs matplotlib" in str(result.exception)


def test_names_are_not_cut_where_nobody_looks() -> None:
    command = [sys.executable, "-m", "phytotron", "describe", "greenlight"]
    plain = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    shown = subprocess.run(command, env=plain, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    assert "…" not in shown and "thermal_screen_temperature" in shown


def commands(group: Any) -> list[Any]:
    return [each for one in group.commands.values() for each in (commands(one) if hasattr(one, "commands") else [one])]


def test_every_argument_and_option_has_a_help_text_which_rich_shows_whole() -> None:
    """Rich takes words in square brackets for markup and drops them."""
    texts = {f"{each.name} {one.name}": one.help or "" for each in commands(get_command(app)) for one in each.params}
    assert len(texts) > 150
    assert [name for name, text in texts.items() if not text.endswith(".") or "[" in text] == []


def test_every_command_writes_to_its_output_also_by_the_older_name() -> None:
    spelled = [one.opts for each in commands(get_command(app)) for one in each.params if "--out" in one.opts]
    assert len(spelled) == 5 and all(opts == ["--output", "--out"] for opts in spelled)
