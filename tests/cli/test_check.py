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
    assert [line.split()[:3] for line in (first, second, third)] == [
        ["wrong", "fields", "Every"], ["passed", "flags", "`terminated`"], ["passed", "costs", '`info["costs"]`']
    ]  # fmt: skip
    assert {line.index(line.split()[1]) for line in (first, second, third)} == {13}  # one column below the other
    assert [each.strip() for each in findings] == [
        "- fields['observation'] has 0 quantities; describe each component, 1 in all",
        "- fields['action'] has 0 quantities; describe each component, 1 in all",
    ]


def test_an_environment_without_faults_passes(capsys: pytest.CaptureFixture[str]) -> None:
    check(CORRIDOR, skip=[*SKIPPED, "fields"], json=True)
    assert json.loads(capsys.readouterr().out) == {
        "id": CORRIDOR, "passed": True, "checks": {"flags": [], "costs": []}, "not_reached": []
    }  # fmt: skip


def test_checks_that_could_not_run_are_not_shown_as_passed(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = [name for name in CHECKS if name not in ("identity", "tracing", "purity", "tunable_rules")]
    for json_wanted in (False, True):
        with pytest.raises(typer.Exit):
            check("toy_environments:Untraceable", skip=skipped, json=json_wanted)
    *lines, last = capsys.readouterr().out.splitlines()
    assert [(line[:11].strip(), line[13:].split()[0]) for line in lines if "  - " not in line] == [
        ("passed", "identity"), ("wrong", "tracing"), ("not reached", "purity"), ("passed", "tunable_rules")
    ]  # fmt: skip
    result = json.loads(last)
    assert not result["passed"] and result["not_reached"] == ["purity"]
    assert list(result["checks"]) == ["identity", "tracing", "tunable_rules"] and len(result["checks"]["tracing"]) == 1
