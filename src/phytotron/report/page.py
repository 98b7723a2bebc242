"""One self-contained HTML page."""

from __future__ import annotations

import html
from collections.abc import Sequence

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


def page(title: str, sections: Sequence[tuple[str, str]], footer: str, style: str = "", script: str = "") -> str:
    """Sections are pairs of heading and HTML; those without a heading bring their own."""
    body = "".join(f"<section>{_heading(heading)}{content}</section>" for heading, content in sections)
    code = f"<script>{script}</script>" if script else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}{style}</style></head><body><h1>{html.escape(title)}</h1>{body}"
        f"<footer>{html.escape(footer)}</footer>{code}</body></html>\n"
    )


def _heading(text: str) -> str:
    return f"<h2>{html.escape(text)}</h2>" if text else ""
