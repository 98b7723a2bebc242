"""Common parts of all figures: matplotlib, imported on demand, colours and files."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.files import write_bytes

# Okabe and Ito's colours, which people with any kind of colour blindness tell apart.
GREEN, RED, BLUE, AMBER, VIOLET = "#009e73", "#d55e00", "#0072b2", "#e69f00", "#cc79a7"
GREY, BLACK = "#6f7b7c", "#111111"
FILE_TYPES = (".png", ".svg", ".pdf")


def pyplot() -> Any:
    """Return matplotlib's pyplot, set up for drawing to files."""
    try:
        import matplotlib
    except ImportError as error:
        raise PhytotronError("figures need matplotlib; install it with: pip install 'phytotron[report]'") from error
    matplotlib.use("Agg")
    import matplotlib.pyplot as loaded

    return loaded


def subplots(rows: int, columns: int, size: tuple[float, float], **options: Any) -> tuple[Any, Any]:
    """Return a figure of a size [inch] and axes without a frame at the top and right, as by matplotlib's `subplots`."""
    loaded = pyplot()
    with loaded.rc_context({"axes.spines.top": False, "axes.spines.right": False}):
        made: tuple[Any, Any] = loaded.subplots(rows, columns, figsize=size, constrained_layout=True, **options)
    return made


def finish(figure: Any, title: str, panels: Sequence[Any] = ()) -> Any:
    """Return the figure, with a title and with letters above the given panels."""
    for letter, axes in zip("abcdefgh", panels, strict=False):
        axes.set_title(letter, loc="left", fontweight="bold")
    figure.suptitle(title, fontsize=11)
    return figure


def legend(axes: Any, loc: Any = "upper left", **options: Any) -> None:
    """Draw a small legend without frame; options as for matplotlib."""
    axes.legend(**{"loc": loc, "frameon": False, "fontsize": 9} | options)


def band(axes: Any, x: Any, mean: Any, interval: Any, colour: str, label: str, style: str = "-") -> None:
    """Draw a curve with a shaded band from half of an interval below it to half of it above."""
    middle, width = np.asarray(mean), np.asarray(interval)
    axes.fill_between(x, middle - width, middle + width, color=colour, alpha=0.2, linewidth=0)
    axes.plot(x, middle, style, color=colour, markersize=4, label=label)


def save(figure: Any, path: Path) -> None:
    """Write a figure whole or not at all; the figure is closed."""
    if path.suffix not in FILE_TYPES:
        raise ValueRangeError("the file of a figure", str(path), f"a name that ends in {', '.join(FILE_TYPES)}")
    content = io.BytesIO()
    figure.savefig(content, format=path.suffix[1:], dpi=130)
    pyplot().close(figure)
    write_bytes(path, content.getvalue())
