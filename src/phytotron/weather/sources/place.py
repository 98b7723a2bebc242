"""The place that a file names, or that its reader has to be told."""

from __future__ import annotations

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.weather.site import Site
from phytotron.weather.sources.text import Source


def named_place(
    source: Source,
    where: str,
    name: str,
    latitude: float,
    longitude: float,
    elevation: float,
    angstrom: tuple[float, float] | None = None,
) -> Site:
    """The site that a file names; `where` says in which part of it."""
    try:
        return Site(name, float(latitude), float(longitude), float(elevation), angstrom)
    except PhytotronError as reason:
        raise source.error(f"{where}: {reason}", "correct it, or name the place by site=") from None


def no_place(source: Source, problem: str = "the file does not say where it was measured") -> DataFileError:
    return source.error(problem, "name the place by site=Site(name, latitude, longitude, elevation)")
