"""Trained policies that are given to commands by path."""

from pathlib import Path
from typing import Any

from phytotron.cli.options import check_agents_extra
from phytotron.core.errors import PhytotronError
from phytotron.core.tensor_files import pair


def find_policies(path: Path, best: bool = False) -> tuple[list[Path], dict[str, Any]]:
    """Return the files of the policies in a run, or of one policy, and their environment: "id" and "options"."""
    check_agents_extra()
    from phytotron.agents.policy_files import read_about
    from phytotron.training.folder import RunFolder

    if path.is_dir():
        run = RunFolder(path)
        config, found = run.config(), run.list_policies(best)
        if config["backend"] == "rllib":
            raise PhytotronError(
                f"{path} was trained by RLlib, whose policies (an LSTM, for one) have no form here and stay in its own "
                "checkpoints; docs/rllib.md shows how to run them"
            )
        if not found:
            kind = "best policies, which are kept when training evaluates" if best else "policies yet"
            raise PhytotronError(f"{path} has no {kind}; train it, or continue with --resume")
        return found, dict(config["environment"])
    if not any(each.exists() for each in pair(path)):
        raise PhytotronError(
            f"{path}: there is no run or policy at this path; give the folder of a run, or the file of a policy"
        )
    return [path], dict(read_about(path).get("environment", {}))
