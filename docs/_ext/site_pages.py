"""Writes the pages that are made of the package itself, before Sphinx reads any page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drawing import outdated
from environment_figures import draw_environments
from environment_pages import environment_pages
from gallery import draw_gallery
from glossary_words import with_words
from landing_picture import draw_landing_picture
from reference_pages import reference_pages

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Make a folder hold these pages and no others; a page that has not changed is not touched, nor read again."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.md"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        write_page(folder / name, text)


def write_page(path: Path, text: str) -> None:
    """Write a page, unless it is there as it should be."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _write(app: Sphinx) -> None:
    docs = Path(app.srcdir)
    write_pages(docs / "environments", environment_pages(docs / "_data" / "scores.json"))
    write_pages(docs / "reference", reference_pages())
    draw_environments(docs / "_static" / "environments")
    write_page(docs / "gallery.md", draw_gallery(docs / "_static" / "gallery"))
    picture = docs / "_static" / "landing.svg"
    if outdated(picture):
        draw_landing_picture(picture)


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    if page == "glossary":
        source[0] = with_words(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("builder-inited", _write)
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
