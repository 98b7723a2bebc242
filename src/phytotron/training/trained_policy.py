"""The controller `policy`: a trained policy from a file or from the folder of a run."""

from pathlib import Path
from typing import Any

from phytotron.agents.policy_files import load_policies
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.training.folder import RunFolder


def policy(environment: Environment[Any, Any], path: str | None = None, number: int = 0) -> Controller:
    """Return a trained policy, from its file or from the folder of a run.

    `path`: the file of a policy, or the folder of a run. `number`: which of the policies in the folder, counted from 0.
    """
    if path is None:
        raise PhytotronError("a policy needs the path of a run or of its file, as in policy(path='runs/apg')")
    files = RunFolder(path).list_policies() if Path(path).is_dir() else [Path(path)]
    if isinstance(number, bool) or number not in range(len(files)):
        raise ValueRangeError(f"the number of a policy of {path}", number, f"a whole number below {len(files)}")
    found: Controller = load_policies(files[number : number + 1], environment)[0]
    return found
