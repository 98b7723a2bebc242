"""`phytotron check`: every check with its result, and an exit code that scripts can use."""

from __future__ import annotations

import json
import re

import pytest
import typer
from toy_environments import Corridor

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


class MisspelledSteps(Corridor):
    """A corridor whose length is misspelled."""

    length = 20

    @property
    def episode_steps(self) -> int:  # type: ignore[override]
        return self.lenght  # type: ignore[attr-defined]


class MisspelledParameters(Corridor):
    """A corridor whose parameters are misspelled."""

    @property
    def default_params(self) -> float:  # type: ignore[override]
        return self.costs  # type: ignore[attr-defined]


class StepsAsMethod(Corridor):
    """A corridor with a method where a number belongs."""

    def episode_steps(self) -> int:  # type: ignore[override]
        return 20


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        (MisspelledSteps, "episode_steps", "raises AttributeError at .*test_check.py:.* no attribute 'lenght'"),
        (MisspelledParameters, "parameters", "raises AttributeError at .*test_check.py:.* no attribute 'costs'"),
        (StepsAsMethod, "interface", "episode_steps is a method; make it a property"),
    ],
)
def test_parameters_and_steps_that_cannot_be_read_are_faults_that_it_names(
    kind: type[Corridor], name: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit):
        check(f"{__name__}:{kind.__name__}", skip=["fields"], json=True)
    found = json.loads(capsys.readouterr().out)["checks"]
    (fault,) = (text for texts in found.values() for text in texts)
    assert re.search(words, fault) and found[name] == [fault]
