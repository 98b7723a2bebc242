"""Trained policies that are given to commands: by path, or by the name of a run that comes with the package."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from phytotron.cli.policies import find_policies, find_run
from phytotron.core.errors import PhytotronError
from phytotron.papers.trained import COMMITTED

NAME = "lettuce/gradients"


def test_a_run_of_the_package_is_found_by_its_name_and_keeps_no_scores() -> None:
    found = find_policies(Path(NAME))
    assert [each.name for each in found.paths] == [f"seed_{n}" for n in range(5)]
    assert found.environment["id"] == "phytotron/Lettuce-v0"
    assert found.kept_in is None and find_policies(COMMITTED / NAME).kept_in is None


def test_a_folder_of_the_user_goes_before_a_run_of_the_package_and_keeps_its_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(COMMITTED / NAME, tmp_path / NAME)
    monkeypatch.chdir(tmp_path)
    assert find_policies(Path(NAME)).kept_in == Path(NAME)


def test_a_policy_of_a_run_is_found_by_its_file() -> None:
    path = COMMITTED / NAME / "policies" / "seed_3"
    assert find_policies(path).paths == [path] and find_policies(path).kept_in is None


def test_an_unknown_name_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(PhytotronError, match=r"lettuce/gradient: there is no run or policy.* lettuce/gradients"):
        find_run(Path("lettuce/gradient"))
