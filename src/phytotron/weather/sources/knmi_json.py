"""KNMI's script service, replies in JSON: a list with one object per station and hour or day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phytotron.weather.sources.knmi import knmi_series
from phytotron.weather.sources.knmi_stations import chosen_station, station_site
from phytotron.weather.sources.numbers import Floats, check_hours, iso_times, json_numbers, shown
from phytotron.weather.sources.series import Request, Series
from phytotron.weather.sources.text import Source


def is_knmi_json(reply: Any) -> bool:
    return isinstance(reply, list) and bool(reply) and isinstance(reply[0], dict) and "station_code" in reply[0]


def read_knmi_json(source: Source, request: Request) -> Series:
    """One station of a reply."""
    reply = source.json
    if not isinstance(reply, list) or not reply:
        raise source.error("the reply holds no list of values", "expected [{'station_code': ..., 'date': ...}, ...]")
    for number, entry in enumerate(reply, 1):
        if not isinstance(entry, dict) or entry.keys() != reply[0].keys():
            raise source.error(
                f"entry {number} differs from the first in its keys", "the reply is damaged; fetch it again"
            )
        if not {"station_code", "date"} <= set(entry):
            raise source.error(f"entry {number} has no station_code or no date", "expected both in every entry")
    stations = [str(entry["station_code"]) for entry in reply]
    station = chosen_station(source, stations, request.station)
    kept = [number for number, name in enumerate(stations, 1) if name == station]
    rows = np.array(kept)
    fields = {key: [reply[number - 1][key] for number in kept] for key in reply[0]}

    moments = iso_times(source, "date", fields["date"], rows, "entry")
    days = moments.astype("datetime64[D]").astype("datetime64[s]")
    if (moments != days).any():
        bad = int(np.argmax(moments != days))
        raise source.error(
            f"entry {rows[bad]}: date {shown(fields['date'][bad])} is not a midnight", "expected the day"
        )

    def parse(heading: str, values: Sequence[Any]) -> Floats:
        return json_numbers(source, heading, values, rows)

    hours = None
    if "hour" in fields:
        found = parse("hour", fields["hour"])
        wrong = ~(found == np.floor(found))
        if wrong.any():
            bad = int(np.argmax(wrong))
            raise source.error(f"entry {rows[bad]}: hour is {shown(fields['hour'][bad])}", "expected 1 to 24")
        check_hours(source, found, rows, "entry")
        hours = found.astype(np.int64)
    site = request.site or station_site(source, station, {})
    return knmi_series(source, fields, parse, days, hours, rows, station, site, {}, "entry")
