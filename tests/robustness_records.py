"""What the tests of robustness tried, how often, and what failed; `make test-all` makes the table in the docs of it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

VARIABLE = "PHYTOTRON_ROBUSTNESS"  # the folder to write to; without it, nothing is written


def record(kind: str, what: str, tried: int, failed: int) -> None:
    """Note how often something was tried; a test that fails does not come so far, so it is missing in the table.

    Where a quick and a thorough test try the same, the larger number stays.
    """
    folder = os.environ.get(VARIABLE)
    if folder is None:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "_", f"{kind}-{what}")
    about = {"kind": kind, "what": what, "tried": tried, "failed": failed}
    path = Path(folder) / f"{name}.json"
    if not path.exists() or json.loads(path.read_text(encoding="utf-8"))["tried"] <= tried:
        path.write_text(json.dumps(about), encoding="utf-8")
