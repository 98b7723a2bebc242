"""Trained policies that are given to commands by path, or by the name of a run that comes with the package."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from phytotron.cli.options import check_agents_extra
from phytotron.core.errors import PhytotronError
from phytotron.core.tensor_files import pair

Policy = Annotated[
    Path | None,
    typer.Option(
        help="Trained policies: folder of a run, file of one policy, or name of a run that comes with the package."
    ),
]


class FoundPolicies(NamedTuple):
    """The files of trained policies, and the environment in which they were trained: its "id" and "options"."""

    paths: list[Path]
    environment: dict[str, Any]
    kept_in: Path | None = None  # the folder of the user's run, to which its scores are written


def find_policies(path: Path, best: bool = False) -> FoundPolicies:
    """Return the policies of a run, or one policy from a file."""
    check_agents_extra()
    from phytotron.agents.policy_files import read_about
    from phytotron.training.folder import RunFolder

    place = find_run(path)
    if not place.is_dir():
        return FoundPolicies([place], dict(read_about(place).get("environment", {})))
    run = RunFolder(place)
    config, found = run.config(), run.list_policies(best)
    if config["backend"] == "rllib":
        raise PhytotronError(
            f"{path} was trained by RLlib, whose policies (an LSTM, for one) have no form here and stay in its own "
            "checkpoints; docs/rllib.md shows how to run them"
        )
    if not found:
        kind = "best policies, which are kept when training evaluates" if best else "policies yet"
        raise PhytotronError(f"{path} has no {kind}; train it, or continue with --resume")
    of_package = place.resolve() in {each.resolve() for each in _package_runs().values()}
    return FoundPolicies(found, dict(config["environment"]), None if of_package else place)


def find_run(path: Path) -> Path:
    """Return a path where a run or policy is, or else the folder of the trained run that comes under this name."""
    if path.exists() or any(each.exists() for each in pair(path)):
        return path
    runs = _package_runs()
    if path.as_posix() not in runs:
        raise PhytotronError(
            f"{path}: there is no run or policy at this path; give the folder of a run, the file of a policy, or the "
            f"name of a run that comes with the package: {', '.join(runs)}"
        )
    return runs[path.as_posix()]


def _package_runs() -> dict[str, Path]:
    """Return the folders of the trained runs that come with the package, by name."""
    from phytotron.papers.trained import COMMITTED

    folders = sorted(each.parent for each in COMMITTED.rglob("config.json"))
    return {folder.relative_to(COMMITTED).as_posix(): folder for folder in folders}
