"""A weather service on the loopback interface: answers in the layouts that the services were recorded with.

The values are made up. Faults are put in `faults`, one for each request to come; they are answered before the service.
"""

from __future__ import annotations

import contextlib
import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

POWER_UNITS = {
    "TOA_SW_DWN": "MJ/m^2/day", "ALLSKY_SFC_SW_DWN": "MJ/m^2/day", "T2M": "C", "T2M_MIN": "C", "T2M_MAX": "C",
    "T2MDEW": "C", "WS2M": "m/s", "PRECTOTCORR": "mm/day",
}  # fmt: skip
OPEN_METEO_UNITS = {
    "temperature": "°C", "dew_point": "°C", "relative_humidity": "%", "wind_speed": "m/s",
    "shortwave_radiation": "W/m²", "cloud_cover": "%", "surface_pressure": "hPa", "precipitation": "mm",
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """A request as it came in."""

    method: str
    path: str
    parameters: dict[str, str]
    headers: dict[str, str]  # names in lower case


@dataclass(frozen=True)
class Answer:
    """What is sent back, and how badly."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None  # bytes after which the connection breaks off
    drip: float = 0.0  # s between two bytes of the body
    drip_headers: bool = False
    delay: float = 0.0  # s before anything is sent
    chunked: bool = False
    unsized: bool = False  # neither Content-Length nor chunks


class ReplayServer(ThreadingHTTPServer):
    """Remembers what it was asked; `service` answers where no fault is in line."""

    daemon_threads = False
    block_on_close = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[Asked] = []
        self.faults: list[Answer] = []
        self.service: Callable[[Asked], Answer] = weather_service
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.busy = self.busiest = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def years(self, key: str = "start") -> list[str]:
        """The first four characters of a parameter of every request."""
        return [asked.parameters[key][:4] for asked in self.asked]


@contextlib.contextmanager
def replaying() -> Iterator[ReplayServer]:
    server = ReplayServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: ReplayServer
    protocol_version = "HTTP/1.1"
    timeout = 10

    def do_GET(self) -> None:
        self._answer(urlsplit(self.path).query)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def log_message(self, format: str, *arguments: Any) -> None:
        pass

    def _answer(self, query: str) -> None:
        asked = Asked(
            self.command,
            self.path.split("?")[0],
            dict(parse_qsl(query)),
            {name.lower(): value for name, value in self.headers.items()},
        )
        server = self.server
        with server.lock:
            server.asked.append(asked)
            server.busy += 1
            server.busiest = max(server.busiest, server.busy)
            fault = server.faults.pop(0) if server.faults else None
        answer = fault or server.service(asked)
        server.stopping.wait(answer.delay)
        with server.lock:
            server.busy -= 1  # before the client can know and ask again
        with contextlib.suppress(ConnectionError):
            self._send(answer)
        self.close_connection = True

    def _send(self, answer: Answer) -> None:
        lines = [f"HTTP/1.1 {answer.status} Answer", *(f"{name}: {value}" for name, value in answer.headers.items())]
        if answer.chunked:
            lines.append("Transfer-Encoding: chunked")
        elif not answer.unsized:
            lines.append(f"Content-Length: {len(answer.body)}")
        head = "\r\n".join([*lines, "Connection: close", "", ""]).encode()
        if answer.drip_headers:
            self._drip(head, answer.drip)
        else:
            self.wfile.write(head)
        body = answer.body[: answer.cut]
        if answer.chunked:
            body = f"{len(answer.body):x}\r\n".encode() + body + (b"" if answer.cut else b"\r\n0\r\n\r\n")
        if answer.drip:
            self._drip(body, answer.drip)
        else:
            self.wfile.write(body)
        self.wfile.flush()

    def _drip(self, content: bytes, pause: float) -> None:
        for byte in content:
            if self.server.stopping.wait(pause):
                return
            self.wfile.write(bytes([byte]))
            self.wfile.flush()


def weather_service(asked: Asked) -> Answer:
    """All three services, told apart by the path."""
    given = asked.parameters
    if asked.path.endswith("/uurgegevens"):
        return Answer(knmi_hours(given).encode(), headers={"Content-Type": "text/plain"})
    if asked.path.endswith("/daggegevens"):
        return Answer(knmi_days(given).encode(), headers={"Content-Type": "text/plain"})
    if asked.path.endswith("/power"):
        headers = {"Content-Type": "application/json", "X-App-Name": "daily", "X-App-Version": "v2.9.2"}
        return Answer(json.dumps(power_days(given)).encode(), headers=headers)
    if asked.path.endswith("/open-meteo"):
        return Answer(json.dumps(open_meteo(given)).encode(), headers={"Content-Type": "application/json"})
    return Answer(b"<html><head><title>404 Not Found</title></head></html>", status=404)


def knmi_hours(given: dict[str, str]) -> str:
    """KNMI's script service; the hours in start and end select the same hours on every day."""
    first, last = _day(given["start"][:8]), _day(given["end"][:8])
    hours = range(int(given["start"][8:]), int(given["end"][8:]) + 1)
    lines = _knmi_head(given, "   HH,")
    names = given["vars"].split(":")
    for day in _days(first, last):
        for hour in hours:
            at = datetime(day.year, day.month, day.day) + timedelta(hours=hour - 1)
            measured = knmi_hour(at)
            values = ",".join(f"{measured[name]:5d}" for name in names)
            lines.append(f"  {given['stns']},{day:%Y%m%d},{hour:5d},{values}")
    return "\r\n".join(lines) + "\r\n"


def knmi_days(given: dict[str, str]) -> str:
    lines = _knmi_head(given, "")
    names = given["vars"].split(":")
    for day in _days(_day(given["start"]), _day(given["end"])):
        measured = _knmi_day(day)
        values = ",".join(f"{measured[name]:5d}" for name in names)
        lines.append(f"  {given['stns']},{day:%Y%m%d},{values}")
    return "\r\n".join(lines) + "\r\n"


def power_days(given: dict[str, str]) -> dict[str, Any]:
    """NASA POWER's GeoJSON."""
    days = {f"{day:%Y%m%d}": power_day(day) for day in _days(_day(given["start"]), _day(given["end"]))}
    names = given["parameters"].split(",")
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [float(given["longitude"]), float(given["latitude"]), 17.3]},
        "properties": {"parameter": {name: {day: held[name] for day, held in days.items()} for name in names}},
        "header": {
            "title": "NASA/POWER Source Native Resolution Daily Data",
            "api": {"version": "v2.9.2", "name": "POWER Daily API"},
            "fill_value": -999.0,
            "time_standard": given["time-standard"],
            "start": given["start"],
            "end": given["end"],
        },
        "messages": [],
        "parameters": {name: {"units": POWER_UNITS[name], "longname": name} for name in names},
        "times": {"data": 1.2, "process": 0.03},
    }


def open_meteo(given: dict[str, str]) -> dict[str, Any]:
    """Open-Meteo's archive; hours are stamped with their end."""
    step = "hourly" if "hourly" in given else "daily"
    days = list(_days(date.fromisoformat(given["start_date"]), date.fromisoformat(given["end_date"])))
    names = given[step].split(",")
    if step == "hourly":
        moments = [datetime(day.year, day.month, day.day, hour) for day in days for hour in range(24)]
        times = [f"{at:%Y-%m-%dT%H:%M}" for at in moments]
    else:
        moments = [datetime(day.year, day.month, day.day, 12) for day in days]
        times = [f"{day}" for day in days]
    held = [_open_meteo(at) for at in moments]
    units = {name: next(unit for start, unit in OPEN_METEO_UNITS.items() if name.startswith(start)) for name in names}
    if step == "daily":
        units["shortwave_radiation_sum"] = "MJ/m²"
    return {
        "latitude": float(given["latitude"]),
        "longitude": float(given["longitude"]),
        "generationtime_ms": round(time.monotonic() % 10, 6),
        "utc_offset_seconds": 0,
        "timezone": given["timezone"],
        "timezone_abbreviation": "GMT",
        "elevation": -3.0,
        f"{step}_units": {"time": "iso8601", **units},
        step: {"time": times, **{name: [each[name] for each in held] for name in names}},
    }


def _knmi_head(given: dict[str, str], hour: str) -> list[str]:
    return [
        "# BRON: KONINKLIJK NEDERLANDS METEOROLOGISCH INSTITUUT (KNMI)",
        "# Opmerking: waarden van een nagebootste dienst",
        "# ",
        "# STN         LON(east)   LAT(north)  ALT(m)      NAME",
        f"# {given['stns']}         4.790       52.318      -3.30       NERGENSHUIZEN",
        "# Q          : Globale straling (in J/cm2)",
        "# FH         : Uurgemiddelde windsnelheid (in 0.1 m/s)",
        "# ",
        f"# STN,YYYYMMDD,{hour}" + ",".join(f"{name:>5}" for name in given["vars"].split(":")),
    ]


def _season(day: date) -> float:
    """From -1 in January to 1 in July."""
    return -math.cos(2 * math.pi * (day.timetuple().tm_yday - 20) / 365.25)


def _sun(at: datetime) -> float:
    return max(0.0, -math.cos(2 * math.pi * (at.hour + 0.5) / 24)) * (0.55 + 0.45 * _season(at.date()))


def _warmth(at: datetime) -> float:
    return 10.5 + 8 * _season(at.date()) - 3 * math.cos(2 * math.pi * (at.hour - 2) / 24)


def knmi_hour(at: datetime) -> dict[str, int]:
    warmth, sun = _warmth(at), _sun(at)
    values = {
        "T": 10 * warmth, "TD": 10 * warmth - 30, "U": 80 - 10 * sun, "Q": 300 * sun, "FH": 40,
        "N": at.day % 9, "RH": -1 if at.day == 1 else 0, "P": 10150,
    }  # fmt: skip
    return {name: round(value) for name, value in values.items()}


def _knmi_day(day: date) -> dict[str, int]:
    mean = 105 + 80 * _season(day)
    values = {
        "TG": mean, "TN": mean - 40, "TX": mean + 40, "UG": 80, "Q": 1050 + 900 * _season(day), "FG": 40, "NG": 5,
        "RH": 22, "PG": 10150,
    }  # fmt: skip
    return {name: round(value) for name, value in values.items()}


def power_day(day: date) -> dict[str, float]:
    mean, sun = 10.5 + 8 * _season(day), 10.5 + 9 * _season(day)
    values = {
        "TOA_SW_DWN": 2 * sun, "ALLSKY_SFC_SW_DWN": sun, "T2M": mean, "T2M_MIN": mean - 4, "T2M_MAX": mean + 4,
        "T2MDEW": mean - 3, "WS2M": 3.1, "PRECTOTCORR": 2.2,
    }  # fmt: skip
    return {name: round(value, 2) for name, value in values.items()}


def _open_meteo(at: datetime) -> dict[str, float]:
    """`temperature_2m` counts the days of the year: a value tells which hour it is of."""
    mean = 10.5 + 8 * _season(at.date())
    values = {
        "temperature_2m": at.timetuple().tm_yday / 10 + at.hour / 1000, "relative_humidity_2m": 80, "dew_point_2m": 5.0,
        "wind_speed_10m": 4.2, "shortwave_radiation": 900 * _sun(at), "cloud_cover": 60, "surface_pressure": 1015.2,
        "precipitation": 0.1, "temperature_2m_mean": mean, "temperature_2m_min": mean - 4,
        "temperature_2m_max": mean + 4, "dew_point_2m_mean": mean - 3, "wind_speed_10m_mean": 4.2,
        "shortwave_radiation_sum": 10.5 + 9 * _season(at.date()), "precipitation_sum": 2.2,
    }  # fmt: skip
    return {name: round(value, 3) for name, value in values.items()}


def _day(text: str) -> date:
    return date(int(text[:4]), int(text[4:6]), int(text[6:8]))


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)
