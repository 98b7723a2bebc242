"""`phytotron check`: every check with its result, and an exit code that scripts can use."""

from __future__ import annotations

import json

import pytest
import typer

from phytotron.cli.check import check
from phytotron.testing import CHECKS

CORRIDOR = "toy_environments:Corridor"  # it describes neither observation nor action
SKIPPED = [name for name in CHECKS if name not in ("fields", "flags", "costs")]


def test_faults_are_printed_below_their_check_and_end_with_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as caught:
        check(CORRIDOR, skip=SKIPPED)
    assert caught.value.exit_code == 1
    first, *findings, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("wrong  fields") and second.startswith("passed flags") and third.startswith("passed costs")
    assert [each.strip() for each in findings] == [
        "- fields['observation'] has 0 quantities; describe each component, 1 in all",
        "- fields['action'] has 0 quantities; describe each component, 1 in all",
    ]


def test_an_environment_without_faults_passes(capsys: pytest.CaptureFixture[str]) -> None:
    check(CORRIDOR, skip=[*SKIPPED, "fields"], json=True)
    assert json.loads(capsys.readouterr().out) == {
        "id": CORRIDOR, "passed": True, "checks": {"flags": [], "costs": []}
    }  # fmt: skip
