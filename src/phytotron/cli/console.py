"""Where commands write: results to stdout, everything else to stderr."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console

output = Console()
errors = Console(stderr=True)


def print_json(result: Any) -> None:
    """One machine-readable object on stdout; numbers that are not finite are refused rather than written."""
    print(json.dumps(result, allow_nan=False))
