"""Tables of a page: scores, comparison with the yardstick, violations and resources."""

import html
import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phytotron.core.units import typeset
from phytotron.evaluation.statistics import comparison
from phytotron.evaluation.statistics.estimates import Estimate
from phytotron.evaluation.statistics.paired import PairedTest, paired_test, year_blocks
from phytotron.report.gathering import Entry, Section
from phytotron.report.glossary import measure_heading, term
from phytotron.report.html_page import csv_link
from phytotron.report.words import difference, heading, name, number, percent

Numbers = NDArray[np.float64]
Rows = Sequence[Sequence[str]]  # of HTML


def grid(head: Sequence[str], rows: Rows, kind: str = "grid", file: str = "") -> str:
    """Return a table in a box that scrolls where it is wider than the page; cells are HTML.

    `file`: the name of a CSV file with the text of the table, for download.
    """
    first = "".join(f"<th>{each}</th>" for each in head)
    body = "".join(f"<tr><th>{row[0]}</th>{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0"><table class="{kind}">'
        f"<thead><tr>{first}</tr></thead><tbody>{body}</tbody></table></div>"
    ) + (csv_link(file, [[_text(cell) for cell in row] for row in (head, *rows)], f"{file}") if file else "")


def _text(cell: str) -> str:
    """The text of a cell without tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", cell)).split())


def episodes_link(section: Section) -> str:
    """Return a link to a CSV file with one line for every controller, seed and window, and all measures."""
    measures = ("return", "length", *section.scores.names)
    head = ["controller", "seed", "window", *(f"{each} [{section.unit(each) or '-'}]" for each in measures)]
    lines = [
        [entry.label, seed, window, *(f"{entry.values(each)[seed, place]:.7g}" for each in measures)]
        for entry in section.entries
        for seed in range(len(entry.values("return")))
        for place, window in enumerate(section.scores.labels)
    ]
    return csv_link("episodes.csv", [head, *lines], "episodes.csv: every controller, seed and window")


def scores_table(section: Section) -> str:
    """Return means with the half-widths of 95 % intervals over seeds and over windows; measures that are 0 for all are
    left out.
    """
    lengths = [entry.mean("length") for entry in section.entries]
    rows = []
    for each in ("return", *section.scores.names, *(["length"] if max(lengths) > min(lengths) else [])):
        tables = [entry.values(each) for entry in section.entries]
        if any(np.any(table) for table in tables):
            largest = _largest(float(table.mean()) for table in tables)
            rows.append([measure_heading(section, each), *(_mean(table, largest) for table in tables)])
    return grid(["", *map(entry_key, section.entries)], rows, file="scores.csv")


def _mean(table: Numbers, like: float) -> str:
    parts = [f"<b>{number(float(table.mean()), like)}</b>"]
    for axis, words in ((1, "seeds"), (0, "windows")):
        means = table.mean(axis=axis)
        if len(means) > 1:
            parts.append(f"<small>± {number(comparison.confidence_interval(means), like)} {words}</small>")
    return "<br>".join(parts)


class Comparison(NamedTuple):
    """The comparison of two controllers on the same windows."""

    paired: PairedTest  # window by window, blocked by year, of the means over seeds
    improvement: Estimate  # probability of it, with an interval over runs (none for a single run: the value itself)


def compare(one: Numbers, other: Numbers, labels: Sequence[str]) -> Comparison:
    """Compare the scores (runs, windows) of two controllers.

    All seeds of a run are counted in each window, but only once in the interval.
    """
    paired = paired_test(one.mean(axis=0), other.mean(axis=0), year_blocks(labels))  # refuses other numbers of windows
    better = (one[:, None] > other[None]) + 0.5 * (one[:, None] == other[None])
    per_run = better.mean(axis=(1, 2))
    value = float(per_run.mean())
    improvement = Estimate(value, value, value)
    if len(per_run) > 1:
        found = comparison.mean_interval(per_run)
        improvement = Estimate(value, max(0.0, found.low), min(1.0, found.high))
    return Comparison(paired, improvement)


def comparison_table(section: Section, measure: str) -> str:
    """Compare every controller with the yardstick."""
    yardstick = section.baselines[0]
    rows = []
    for entry in section.entries:
        cells = [entry_key(entry), number(float(comparison.interquartile_mean(entry.values(measure))))]
        if entry is yardstick:
            rows.append([*cells, *["–"] * 3])
            continue
        found = compare(entry.values(measure), yardstick.values(measure), section.scores.labels)
        p = found.paired.p
        chance = percent(found.improvement.value)
        if found.improvement.high > found.improvement.low:
            chance += f"<br><small>{percent(found.improvement.low)} to {percent(found.improvement.high)}</small>"
        chance_of_none = "–" if p is None else ("&lt; 0.001" if p < 0.001 else f"{p:.3f}")
        rows.append([*cells, difference(found.paired.difference, found.paired.half), chance, chance_of_none])
    label = html.escape(yardstick.label)
    others = (f"difference from {label}", f"probability of more than {label}")
    head = [measure_heading(section, measure), term("interquartile mean"), *others, term("paired p")]
    return grid(head, rows, file=f"comparison_{measure}.csv")


def violations_table(section: Section) -> str:
    """Return, for each constraint, the share of the time, the size and the largest size of its violation.

    It is empty where there are no constraints.
    """
    rows = []
    for each in dict.fromkeys(cost for entry in section.entries for cost in entry.examination.violations):
        words, unit_text = section.presentation.costs.get(each, (each, ""))
        ending = html.escape(f" {typeset(unit_text)}".rstrip())
        cells = []
        for entry in section.entries:
            found = entry.examination.violations.get(each)
            if found is None:  # a constraint that its options do not have
                cells.append("–")
                continue
            cell = f"<b>{percent(float(found.share.mean()))}</b>"
            if np.any(found.share):
                size = number(float(np.average(found.size, weights=found.share)))
                worst = number(float(found.largest.max()))
                cell += f"<br><small>by {size}{ending}, at most {worst}{ending}</small>"
            cells.append(cell)
        rows.append([heading(words), *cells])
    return grid(["share of the time", *map(entry_key, section.entries)], rows, file="violations.csv") if rows else ""


def resources_table(section: Section) -> str:
    """Return the use of resources per episode, with bars, and per unit of product; empty where an environment has none.

    Resources that are only counted, without a unit, are not related to the product.
    """
    rows = []
    product = section.presentation.product
    amount = html.escape(section.unit(product).partition(" ")[0]) if product is not None else ""
    for each in section.presentation.resources:
        used, unit_text = [entry.mean(each) for entry in section.entries], section.unit(each)
        most = _largest(used)
        if not most > 0.0:
            continue
        like = 0.0 if all(value.is_integer() for value in used) else most  # counts have no decimals
        bars = (_bar(value, most, entry.colour) for value, entry in zip(used, section.entries, strict=True))
        rows.append(
            [
                measure_heading(section, each),
                *(number(value, like) + bar for value, bar in zip(used, bars, strict=True)),
            ]
        )
        if product is not None and amount and unit_text:
            products = [entry.mean(product) for entry in section.entries]
            per = [number(a / b if b > 0.0 else float("nan")) for a, b in zip(used, products, strict=True)]
            ratio = f"[{html.escape(unit_text.partition(' ')[0])} {amount}⁻¹]"
            rows.append([f"<small>per {amount} of {html.escape(name(product))} {ratio}</small>", *per])
    return grid(["per episode", *map(entry_key, section.entries)], rows, file="resources.csv") if rows else ""


def _largest(values: Iterable[float]) -> float:
    """The largest size of values of which some may be undefined; NaN where all are."""
    return max((abs(each) for each in values if math.isfinite(each)), default=math.nan)


def _bar(value: float, most: float, colour: str) -> str:
    """A bar as long as the share of a value in the largest one; none for an undefined value."""
    if not math.isfinite(value):
        return ""
    return f'<div class="bar"><i style="width:{100.0 * value / most:.0f}%;background:{colour}"></i></div>'


def entry_key(entry: Entry) -> str:
    """Return the label of an entry beside a dot in its colour."""
    return f'<span class="who"><i class="dot" style="background:{entry.colour}"></i>{html.escape(entry.label)}</span>'
