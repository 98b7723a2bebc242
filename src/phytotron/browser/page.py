"""The page itself: one HTML file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib import resources
from pathlib import Path

from phytotron.browser.content import Content
from phytotron.core.files import write_text
from phytotron.core.version import __version__

SCRIPTS = (
    "numbers.js", "simulation.js", "drawing.js", "greenhouse.js", "field.js", "charts.js", "scores.js", "sharing.js",
    "words.js", "game.js", "panel.js", "page.js",
)  # fmt: skip
LIBRARY, LICENCE = "vendor/uPlot.iife.min.js", "vendor/uPlot.LICENSE"
STYLES = ("vendor/uPlot.min.css", "page.css")


def write_page(content: Content, path: Path) -> int:
    """Write the page; its size in bytes."""
    text = page_text(content)
    write_text(path, text)
    return len(text.encode())


def page_text(content: Content) -> str:
    """Return the page. Its policy for content allows its own script and style, by their digests, and nothing else."""
    script = f"/*\n{_file(LICENCE)}*/\n{_file(LIBRARY)}\n{content.script}" + "\n".join(map(_file, SCRIPTS))
    style = "\n".join(map(_file, STYLES))
    policy = f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src {_digest(script)}; "
    policy += f"style-src {_digest(style)}"
    held = {
        "@TITLE@": html.escape(str(content.data["title"])),
        "@POLICY@": html.escape(policy),
        "@VERSION@": __version__,
        "@STYLE@": style,
        "@CONTENT@": json.dumps(content.data, allow_nan=False).replace("<", "\\u003c"),
        "@NUMBERS@": content.numbers,
        "@SCRIPT@": script,
    }
    text = _file("page.html")
    for mark, value in held.items():
        text = text.replace(mark, value)
    return text


def _file(name: str) -> str:
    return resources.files("phytotron.browser").joinpath("static", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
