"""Phytotron's own tables, however they are stored: what they say about themselves, and the meaning of their times."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY, SECONDS_PER_HOUR
from phytotron.core.errors import PhytotronError
from phytotron.weather.calendar import Times
from phytotron.weather.site import Provenance, Site
from phytotron.weather.sources import derive
from phytotron.weather.sources.knmi import STATIONS
from phytotron.weather.sources.mapping import TIME_HEADINGS, Known
from phytotron.weather.sources.numbers import Floats, Rows
from phytotron.weather.sources.series import Column, Request, Series
from phytotron.weather.sources.text import Source, no_place
from phytotron.weather.sources.units import converted, described, is_own_unit
from phytotron.weather.sources.vocabulary import HEADINGS
from phytotron.weather.table import LONGEST, SHORTEST, WeatherTable

VERSION = 1
RAW = (derive.clouds_and_sky, derive.carbon_dioxide)
Zoned = NDArray[np.bool_] | bool


@dataclass(frozen=True)
class About:
    """The description of a table in its file; every part of it is optional."""

    site: Site | None = None
    provenance: Provenance | None = None
    interval: int | None = None  # s
    rows: int | None = None


def about_table(table: WeatherTable) -> dict[str, Any]:
    """Return the description of a table, as text and numbers."""
    site, provenance = table.site, table.provenance
    about = {
        "site": site.name,
        "latitude": float(site.latitude),
        "longitude": float(site.longitude),
        "elevation": float(site.elevation),
    }
    if site.angstrom is not None:
        about["angstrom"] = [float(value) for value in site.angstrom]
    about |= {"interval": table.interval, "rows": table.size}
    return about | {"source": provenance.source, "licence": provenance.licence, "notes": list(provenance.notes)}


def has_dates(table: WeatherTable) -> bool:
    """Return whether the rows are days that begin at midnight, so that a date says all."""
    return table.interval == SECONDS_PER_DAY and table.start.time() == time()


def is_local(kind: str) -> bool:
    """Return whether times of a kind are in a local time, unless they name a zone."""
    return "local" in kind


def read_about(source: Source, about: Mapping[str, Any]) -> About:
    """Return the inverse of `about_table`, for what may be incomplete or wrong."""
    try:
        site = None
        if "site" in about:
            pair = about.get("angstrom")
            angstrom = None if pair is None else (float(pair[0]), float(pair[1]))
            place = (float(about["latitude"]), float(about["longitude"]), float(about["elevation"]))
            site = Site(str(about["site"]), *place, angstrom)
        provenance = None
        if "source" in about:
            notes = tuple(str(note) for note in about.get("notes", ()))
            provenance = Provenance(str(about["source"]), str(about.get("licence", "not stated")), notes)
        interval = int(about["interval"]) if "interval" in about else None
        return About(site, provenance, interval, int(about["rows"]) if "rows" in about else None)
    except KeyError as missing:
        raise source.error(f"the header names a site but no {missing.args[0]}", "complete the header") from None
    except PhytotronError as reason:
        raise source.error(f"the header is wrong: {reason}", "correct it") from None
    except (ValueError, TypeError, IndexError, OverflowError) as reason:
        raise source.error(f"the header is wrong: {reason}", "expected numbers for place, interval and rows") from None


def own_series(
    source: Source,
    texts: Mapping[str, Any],
    values: Mapping[str, Floats],
    known: Mapping[str, Known],
    stamps: tuple[str, Times, Zoned],
    rows: Rows,
    about: About,
    request: Request,
) -> Series:
    """Return the series of a table whose columns are numbers already; `known` says what they mean.

    `stamps` are the kind of its times, these, and whether they named a zone, so that they are UTC already.
    """
    named, times, _ = stamps
    if about.rows is not None and about.rows != rows.size:
        raise source.error(
            f"the table has {rows.size} rows, its header says {about.rows}",
            "it is cut off or was changed; fetch it again",
        )
    provenance = about.provenance or Provenance(f"file {source.path.name}", "not stated")
    interval = about.interval or (SECONDS_PER_DAY if named == "date" else _usual_step(source, times))
    if not SHORTEST <= interval <= LONGEST or SECONDS_PER_DAY % interval:
        raise source.error(
            f"the interval is {interval} s", f"expected {SHORTEST} to {LONGEST} s that divide a day evenly"
        )
    if named == "date":
        remedy = "expected YYYY-MM-DD, or a column time"
        timed = times != times.astype("datetime64[D]")
        source.refuse(timed, lambda bad: f"{rows[bad]}: the date has a time of day", remedy)
    columns, notes = _columns(source, texts, values, known, interval)
    # What Phytotron wrote comes back as it was; what others wrote is completed, and must suffice for a model.
    written_here = about.rows is not None
    return Series(
        source=source,
        times=_beginnings(source, stamps, interval, request),
        rows=rows,
        interval=interval,
        columns=columns,
        site=request.site or about.site or _site_of_name(source),
        provenance=Provenance(provenance.source, provenance.licence, provenance.notes + notes),
        derive=RAW if written_here else (*RAW, *(derive.DAYS if interval == SECONDS_PER_DAY else derive.HOURS)),
        required=() if written_here else None,
        headings=() if written_here else tuple(texts),
    )


def _columns(
    source: Source, texts: Mapping[str, Any], values: Mapping[str, Floats], known: Mapping[str, Known], interval: int
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """The columns in the units of their variables, and notes on what was taken to mean what, or left."""
    columns, notes = {}, []
    for found, (name, factor, unit) in known.items():
        held = values[found] * factor if unit is None else converted(source, found, name, values[found], unit, interval)
        columns[name] = Column(found, held, texts[found])
        if found not in HEADINGS:
            meant = f"column {found} read as {name} [{described(name).unit}]"
            notes.append(meant if unit is None or is_own_unit(name, unit) else f"{meant}, converted from {unit}")
    ignored = [found for found in texts if found not in known and found not in TIME_HEADINGS]
    return columns, (*notes, *((f"columns that are not used: {', '.join(ignored)}",) if ignored else ()))


def _beginnings(source: Source, stamps: tuple[str, Times, Zoned], interval: int, request: Request) -> Times:
    """The beginning of each interval in UTC."""
    named, times, zoned = stamps
    if request.utc_offset and not is_local(named):
        end = "end" if named.endswith("_end") else "start"
        raise source.error(
            f"utc_offset is {request.utc_offset:g} h, but column {named} is not in a local time",
            "leave it out: days keep their dates"
            if named == "date"
            else f"assign the column to time_local_{end}, or leave out --utc-offset (utc_offset=) if it is UTC",
        )
    if is_local(named) and not np.all(zoned):
        if request.utc_offset is None:
            raise source.error(
                f"column {named} is in a local time that the table does not name",
                "name its distance from UTC in hours by --utc-offset (utc_offset=), 1 for CET the year round",
            )
        offset = np.timedelta64(round(request.utc_offset * SECONDS_PER_HOUR), "s")
        times = np.where(zoned, times, times - offset)
    return times - np.timedelta64(interval, "s") if named.endswith("_end") else times


def _usual_step(source: Source, times: Times) -> int:
    steps = np.diff(times) // np.timedelta64(1, "s")
    steps = steps[steps > 0]
    if not steps.size:
        raise source.error("the table has one row only", "say its interval in the header: # interval: 3600")
    return int(np.median(steps))


def _site_of_name(source: Source) -> Site:
    number = re.match(r"knmi_(\d{3})_", source.name, re.ASCII)
    if number and number.group(1) in STATIONS:
        return STATIONS[number.group(1)]
    raise no_place(source)
