"""Stations of KNMI: the files of a decade do not say where their station stands.

From the list of stations in KNMI's replies: longitude and latitude [degrees], height of the ground [m].
"""

from __future__ import annotations

from collections.abc import Mapping

from phytotron.weather.site import Site
from phytotron.weather.sources.place import no_place
from phytotron.weather.sources.text import Source

STATIONS = {
    "235": Site("De Kooy", 52.928, 4.781, 1.2),
    "240": Site("Schiphol", 52.318, 4.790, -3.3),
    "260": Site("De Bilt", 52.100, 5.180, 1.9),
    "269": Site("Lelystad", 52.458, 5.520, -3.7),
    "275": Site("Deelen", 52.056, 5.873, 48.2),
    "278": Site("Heino", 52.435, 6.259, 3.6),
    "280": Site("Eelde", 53.125, 6.585, 5.2),
    "290": Site("Twente", 52.274, 6.891, 33.3),
    "310": Site("Vlissingen", 51.442, 3.596, 8.0),
    "344": Site("Rotterdam", 51.962, 4.447, -4.3),
    "350": Site("Gilze-Rijen", 51.566, 4.936, 14.9),
    "356": Site("Herwijnen", 51.859, 5.146, 0.7),
    "370": Site("Eindhoven", 51.451, 5.377, 22.6),
    "380": Site("Maastricht", 50.906, 5.762, 114.3),
}


def chosen_station(source: Source, found: list[str], station: str | None) -> str:
    """The station to read, of those in a file."""
    held = sorted(set(found))
    if station is None and len(held) == 1:
        return held[0]
    listed = ", ".join(held[:12]) + (", ..." if len(held) > 12 else "")
    if station is None:
        raise source.error(f"the file holds {len(held)} stations: {listed}", "choose one by station=")
    if station not in held:
        raise source.error(f"the file does not hold station {station}", f"it holds {listed}")
    return station


def station_site(source: Source, station: str, listed: Mapping[str, Site]) -> Site:
    """Where a station stands: as the file says, or as is known here."""
    if station in listed:
        return listed[station]
    if station in STATIONS:
        return STATIONS[station]
    raise no_place(source, f"the file does not say where station {station} is")
