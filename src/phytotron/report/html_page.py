"""The frame of a self-contained HTML page: style, script, tables, and files that can be downloaded from it."""

import base64
import csv
import hashlib
import html
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

Rows = Sequence[tuple[str, str, str]]


@cache
def resource(name: str) -> str:
    """Return the text of a file in the folder of this module."""
    return resources.files("phytotron.report").joinpath(name).read_text(encoding="utf-8")


def page(title: str, sections: Sequence[tuple[str, str]], footer: str) -> str:
    """Return the text of a page. Sections are pairs of heading and HTML; those without a heading bring their own."""
    heads = [f"<h2>{html.escape(heading)}</h2>" if heading else "" for heading, _ in sections]
    body = "".join(f"<section>{head}{each[1]}</section>" for head, each in zip(heads, sections, strict=True))
    script = resource("zoom_plot.js")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{security_policy(script)}'
        f"<title>{html.escape(title)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{resource('page.css')}</style></head><body><h1>{_unbroken(title)}</h1>{body}"
        f"<footer>{html.escape(footer)}</footer><script>{script}</script></body></html>\n"
    )


def _unbroken(title: str) -> str:
    """HTML of a title in which dates stay on one line."""
    return re.sub(r"\d{4}-\d\d-\d\d", r'<span class="who">\g<0></span>', html.escape(title))


@cache
def security_policy(script: str) -> str:
    """Return the HTML element that makes browsers run only this script, and load nothing from elsewhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    rules = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{rules}">'


def table(rows: Rows, meanings: Mapping[str, str] | None = None) -> str:
    """Return an HTML table of name, value and unit; names that have a meaning show it as a tooltip."""
    cells = "".join(
        f"<tr><td>{explained(html.escape(name), (meanings or {}).get(name, ''))}</td>"
        f'<td class="number">{html.escape(value)}</td><td>{html.escape(unit)}</td></tr>'
        for name, value, unit in rows
    )
    return f"<table>{cells}</table>"


def explained(shown: str, meaning: str) -> str:
    """Return HTML that shows its meaning when it is pointed at or tapped; unchanged where the meaning is empty."""
    if not meaning:
        return shown
    return f'<abbr tabindex="0" title="{html.escape(meaning, quote=True)}">{shown}</abbr>'


def csv_link(name: str, rows: Iterable[Sequence[object]], words: str = "CSV") -> str:
    """Return a link that saves rows as a CSV file; the page itself contains the data."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    data = base64.b64encode(text.getvalue().encode("utf-8-sig")).decode("ascii")
    file = html.escape(name, quote=True)
    return f'<a class="csv" download="{file}" href="data:text/csv;charset=utf-8;base64,{data}">{html.escape(words)}</a>'
