"""One self-contained HTML page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; } td, th { padding: .25rem .9rem .25rem 0; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } svg { max-width: 100%; height: auto; }
footer { color: #777; font-size: .85rem; margin-top: 2rem; }
"""


def table(rows: Sequence[tuple[str, str, str]]) -> str:
    """Name, value, unit."""
    cells = "".join(
        f'<tr><td>{html.escape(name)}</td><td class="number">{html.escape(value)}</td><td>{html.escape(unit)}</td></tr>'
        for name, value, unit in rows
    )
    return f"<table>{cells}</table>"


def page(title: str, sections: Sequence[tuple[str, str]], footer: str) -> str:
    """Sections are pairs of heading and HTML."""
    body = "".join(f"<section><h2>{html.escape(heading)}</h2>{content}</section>" for heading, content in sections)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{html.escape(title)}</h1>{body}"
        f"<footer>{html.escape(footer)}</footer></body></html>\n"
    )


def write_text(path: Path, text: str) -> None:
    """Write whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
