"""What the figures of the site share: their style, and when they have to be drawn anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

import phytotron

matplotlib.use("agg")  # this process draws to files only

STYLE: dict[Any, Any] = {"font.size": 11, "axes.spines.top": False, "axes.spines.right": False}
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#777777"  # told apart by colour-blind people


def outdated(figure: Path) -> bool:
    """Whether a figure is missing, or older than the code of the package."""
    newest = max(path.stat().st_mtime for path in Path(phytotron.__file__).parent.rglob("*.py"))
    return not figure.exists() or figure.stat().st_mtime < newest
