"""Links of pages to files of the repository that are no pages themselves.

`[text](../src/phytotron/core/adjoint.py)`, as it works in a clone, becomes a link to that module in the reference, a
folder one to that package, and `../benchmarks/RESULTS.md` one to the page that includes it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MODULE = re.compile(r"\[([^\]]+)\]\(\.\./src/([\w/]+?)(?:/__init__)?(?:\.py|/)?\)")
INCLUDED = {
    "../benchmarks/RESULTS.md": "benchmarks.md",
    "../CONTRIBUTING.md": "contributing.md",
    "../CHANGELOG.md": "changelog.md",
}


def linked(text: str) -> str:
    """The text of a page with links to files of the repository resolved."""
    text = MODULE.sub(lambda found: f"{{py:mod}}`{found[1]} <{found[2].replace('/', '.')}>`", text)
    for file, page in INCLUDED.items():
        text = text.replace(f"]({file}", f"]({page}")
    return text


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = linked(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
