"""What all figures share: matplotlib on demand, colours, files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from phytotron.core.errors import PhytotronError, ValueRangeError

GREEN, RED, BLUE, AMBER, GREY = "#2f7d4f", "#c0392b", "#2e6da4", "#d68910", "#7f8c8d"
FILE_TYPES = (".png", ".svg", ".pdf")


def pyplot() -> Any:
    """Matplotlib's pyplot, drawing to files."""
    try:
        import matplotlib
    except ImportError as error:
        raise PhytotronError("figures need matplotlib; install it with: pip install 'phytotron[report]'") from error
    matplotlib.use("Agg")
    import matplotlib.pyplot as loaded

    return loaded


def svg(figure: Any) -> str:
    """A figure as SVG text for a page; the figure is closed."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    pyplot().close(figure)
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def save(figure: Any, path: Path) -> None:
    """Write a figure whole or not at all; the figure is closed."""
    if path.suffix not in FILE_TYPES:
        raise ValueRangeError("the file of a figure", str(path), f"a name that ends in {', '.join(FILE_TYPES)}")
    partial = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(partial, dpi=130)
        partial.replace(path)
    except OSError as error:
        raise PhytotronError(f"{path}: cannot be written ({error.strerror}); choose another file") from error
    finally:
        partial.unlink(missing_ok=True)
        pyplot().close(figure)
