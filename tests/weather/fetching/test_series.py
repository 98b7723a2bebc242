"""Fetching years: what is kept, what is fetched again, and what happens when things go wrong half-way."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from weather.fetching.replay import Answer, Asked, ReplayServer, weather_service

from phytotron.core.errors import DataFileError
from phytotron.weather.fetching import (
    Client,
    FetchedYear,
    FetchError,
    arguments,
    fetch_knmi,
    fetch_nasa_power,
    fetch_open_meteo,
)
from phytotron.weather.sources import read_weather, write_weather

Fetch = Callable[..., list[FetchedYear]]


@pytest.fixture
def fetch(server: ReplayServer, client: Client, folder: Path) -> Fetch:
    """Daily weather by Open-Meteo: ten years in one request, small and quick."""

    def run(*years: int, **options: object) -> list[FetchedYear]:
        return fetch_open_meteo(52.3, 4.8, years, resolution="daily", client=client, **options)  # type: ignore[arg-type]

    return run


@pytest.fixture
def hours(server: ReplayServer, client: Client, folder: Path) -> Fetch:
    """Hourly weather by KNMI: one year in one request."""

    def run(*years: int, **options: object) -> list[FetchedYear]:
        return fetch_knmi(240, years, client=client, **options)  # type: ignore[arg-type]

    return run


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Callable[[date], None]:
    """Makes it another day."""

    def change(day: date) -> None:
        monkeypatch.setattr(arguments, "today", lambda: day)

    return change


def origins(files: list[FetchedYear]) -> list[str]:
    return [file.origin for file in files]


def changed(change: Callable[[bytes], bytes]) -> Callable[[Asked], Answer]:
    """A service whose replies are changed on the way."""

    def service(asked: Asked) -> Answer:
        answer = weather_service(asked)
        return Answer(change(answer.body), headers=answer.headers)

    return service


def without_lines(*beginnings: str) -> Callable[[Asked], Answer]:
    """KNMI without the rows that begin in one of these ways."""
    starts = tuple(f"  240,{text}".encode() for text in beginnings)
    return changed(lambda body: b"".join(line for line in body.splitlines(True) if not line.startswith(starts)))


def test_what_is_there_is_not_fetched_again(fetch: Fetch, server: ReplayServer) -> None:
    assert origins(fetch(2001, 2002)) == ["fetched", "fetched"]
    assert origins(fetch(2001, 2002)) == ["already there", "already there"]
    assert len(server.asked) == 1
    files = fetch(2002, 2003)
    assert [(file.year, file.origin) for file in files] == [(2002, "already there"), (2003, "fetched")]
    assert server.asked[1].parameters["start_date"] == "2003-01-01"


def test_raw_replies_are_used_again(fetch: Fetch, server: ReplayServer, folder: Path, tmp_path: Path) -> None:
    fetch(2001, 2002)
    files = fetch(2001, 2002, folder=tmp_path / "other")
    assert origins(files) == ["cached", "cached"]
    assert len(server.asked) == 1
    assert {file.path.parent for file in files} == {tmp_path / "other"}
    assert not (tmp_path / "other" / "raw").exists()


def test_refresh_fetches_everything_anew(fetch: Fetch, server: ReplayServer) -> None:
    fetch(2001)
    assert origins(fetch(2001, refresh=True)) == ["fetched"]
    assert len(server.asked) == 2


def test_years_that_do_not_follow_each_other_are_asked_for_apart(fetch: Fetch, server: ReplayServer) -> None:
    assert [file.year for file in fetch(2009, 2003, 2002, 2010, 2011)] == [2002, 2003, 2009, 2010, 2011]
    assert server.years("start_date") == ["2002", "2009", "2011"]


def test_an_interrupted_fetch_goes_on_where_it_stopped(hours: Fetch, server: ReplayServer, folder: Path) -> None:
    def interrupt(text: str) -> None:
        if "2012" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hours(2011, 2012, 2013, report=interrupt)
    assert [path.name for path in folder.glob("*.csv.gz")] == ["knmi_240_hourly_2011.csv.gz"]
    server.faults = [Answer(b"no such year", 404)]
    with pytest.raises(FetchError, match="no such year"):
        hours(2011, 2012, 2013)
    assert origins(hours(2011, 2012, 2013)) == ["already there", "fetched", "fetched"]
    assert server.years() == ["2011", "2012", "2012", "2013"]
    assert not list(folder.rglob("*.part"))


def test_a_damaged_cached_reply_is_fetched_again(fetch: Fetch, server: ReplayServer, folder: Path) -> None:
    (file,) = fetch(2001)
    file.path.unlink()
    raw = folder / "raw" / "open_meteo_52.30N_4.80E_daily_2001.json"
    raw.write_bytes(raw.read_bytes()[:-100])
    with pytest.warns(UserWarning, match="damaged and is fetched anew"):
        assert origins(fetch(2001)) == ["fetched"]
    assert len(server.asked) == 2


def test_a_damaged_file_is_made_anew_from_the_cache(fetch: Fetch, server: ReplayServer) -> None:
    (file,) = fetch(2001)
    good = file.path.read_bytes()
    file.path.write_bytes(good[: len(good) // 2])
    with pytest.warns(UserWarning, match="the file is made anew"):
        assert origins(fetch(2001)) == ["cached"]
    assert read_weather(file.path).size == 365
    assert len(server.asked) == 1


def test_a_file_with_less_than_the_year_is_made_anew(fetch: Fetch, server: ReplayServer) -> None:
    (file,) = fetch(2001)
    write_weather(read_weather(file.path).window(date(2001, 1, 1), date(2001, 12, 1)), file.path)
    assert origins(fetch(2001)) == ["cached"]
    assert read_weather(file.path).size == 365


def test_gaps_are_errors_that_name_the_option(hours: Fetch, server: ReplayServer, folder: Path) -> None:
    server.service = without_lines("20110405,    3", "20110405,    4")
    with pytest.raises(FetchError, match=r"2011-04-05T02:00:00 UTC \(2 h\).*fill_gaps=2 .*uurgegevens.*--fill-gaps"):
        hours(2011)
    assert not list(folder.glob("*.csv.gz"))
    (file,) = hours(2011, fill_gaps=2)
    assert file.origin == "cached"
    assert len(server.asked) == 1
    table = read_weather(file.path)
    assert table.size == 8760
    assert table["filled"].sum() == 2


def test_a_reply_that_is_too_short_is_not_kept(hours: Fetch, server: ReplayServer, folder: Path) -> None:
    server.service = without_lines("201110", "201111", "201112")
    with pytest.raises(FetchError, match=r"covers .* to 2011-10-01T00:00:00.*removed.*does station 240 exist"):
        hours(2011)
    assert [path.name for path in (folder / "raw").iterdir()] == [".lock"]
    server.service = weather_service
    assert origins(hours(2011)) == ["fetched"]


def test_a_station_without_values_is_reported(hours: Fetch, server: ReplayServer) -> None:
    server.service = without_lines("2011")
    with pytest.raises(FetchError, match="does station 240 exist, and did it measure"):
        hours(2011)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"error": true, "reason": "Something went wrong"}', "Something went wrong"),
        (b'{"latitude": 52.3, "longi', "JSON is broken or incomplete"),
        (b"\x00\x01\x02 not what was asked for", "binary data"),
        (b"Dear user, the service has ended.\n", "open_meteo_52.30N_4.80E_daily_2001.json"),
    ],
)
def test_wrong_content_is_reported_with_its_address_and_not_kept(
    content: bytes, message: str, fetch: Fetch, server: ReplayServer, folder: Path
) -> None:
    server.faults = [Answer(content, unsized=True)]
    with pytest.raises(FetchError, match=r"asked for http://127\.0\.0\.1.*start_date=2001-01-01") as caught:
        fetch(2001)
    assert message in str(caught.value)
    assert [path.name for path in (folder / "raw").iterdir()] == [".lock"]
    assert origins(fetch(2001)) == ["fetched"]


def test_other_years_than_asked_for_are_refused(fetch: Fetch, server: ReplayServer) -> None:
    server.service = changed(lambda body: body.replace(b'"2001-', b'"2002-'))
    with pytest.raises(FetchError, match="covers 2002-01-01"):
        fetch(2001)


def test_faults_on_the_way_leave_no_trace(fetch: Fetch, server: ReplayServer) -> None:
    server.faults = [Answer(b"{" * 5000, cut=2000), Answer(b"busy", 503)]
    assert origins(fetch(2001)) == ["fetched"]
    assert len(server.asked) == 3


def test_the_unfinished_year_goes_to_yesterday(
    hours: Fetch, server: ReplayServer, folder: Path, on: Callable[[date], None]
) -> None:
    on(date(2026, 3, 10))
    told: list[str] = []
    files = hours(2025, 2026, report=told.append)
    assert server.asked[1].parameters["end"] == "2026030924"
    assert [file.complete for file in files] == [True, False]
    assert files[1].end == datetime(2026, 3, 10, tzinfo=UTC)
    assert read_weather(files[1].path).end == files[1].end
    assert told[-1] == "KNMI: 2026 is not complete: it goes to 2026-03-10 00:00 UTC"
    assert origins(hours(2025, 2026)) == ["already there", "already there"]
    on(date(2026, 3, 11))
    later = hours(2025, 2026)
    assert origins(later) == ["already there", "fetched"]
    assert later[1].end == datetime(2026, 3, 11, tzinfo=UTC)
    assert sorted(path.name for path in (folder / "raw").glob("*.txt")) == [
        "knmi_240_hourly_2025.txt",
        "knmi_240_hourly_2026.txt",
    ]


def test_the_unfinished_year_ends_where_the_values_end(
    hours: Fetch, server: ReplayServer, on: Callable[[date], None]
) -> None:
    on(date(2026, 3, 10))
    server.service = without_lines("20260308", "20260309", "20260307,   2")
    (file,) = hours(2026)
    assert file.end == datetime(2026, 3, 7, tzinfo=UTC)
    assert origins(hours(2026)) == ["cached"]
    assert len(server.asked) == 1


def test_values_that_are_still_missing_end_the_unfinished_year(
    server: ReplayServer, client: Client, folder: Path, on: Callable[[date], None]
) -> None:
    def late(body: bytes) -> bytes:
        reply = json.loads(body)
        radiation = reply["properties"]["parameter"]["ALLSKY_SFC_SW_DWN"]
        for day in list(radiation)[-5:]:
            radiation[day] = -999.0
        return json.dumps(reply).encode()

    on(date(2026, 3, 10))
    server.service = changed(late)
    files = fetch_nasa_power(52, 5.5, [2026], client=client)
    assert files[0].end == datetime(2026, 3, 5, tzinfo=UTC)
    server.service = weather_service
    hourly = fetch_open_meteo(52, 5.5, [2026], client=client)
    assert server.asked[-1].parameters["end_date"] == "2026-03-08"
    assert hourly[0].end == datetime(2026, 3, 8, tzinfo=UTC)


def test_last_year_is_unfinished_until_its_last_hour_is_there(
    server: ReplayServer, client: Client, folder: Path, on: Callable[[date], None]
) -> None:
    on(date(2026, 1, 2))
    (file,) = fetch_open_meteo(52, 5.5, [2025], client=client)
    assert (file.complete, file.end) == (False, datetime(2025, 12, 31, tzinfo=UTC))
    with pytest.raises(FetchError, match="no values for 2026 yet"):
        fetch_open_meteo(52, 5.5, [2025, 2026], client=client)
    on(date(2026, 1, 3))
    (file,) = fetch_open_meteo(52, 5.5, [2025], client=client)
    assert file.complete


def test_two_fetches_at_once_do_not_disturb_each_other(fetch: Fetch, server: ReplayServer, folder: Path) -> None:
    results: list[list[FetchedYear]] = []
    threads = [threading.Thread(target=lambda: results.append(fetch(*range(2001, 2006)))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 3
    assert server.busiest == 1
    for file in results[0]:
        assert read_weather(file.path).size in (365, 366)
    assert origins(fetch(*range(2001, 2006))) == ["already there"] * 5
    assert not list(folder.rglob("*.part"))


def test_an_output_folder_that_is_a_file_is_refused_before_anything_is_sent(
    fetch: Fetch, server: ReplayServer, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(DataFileError, match=r"taken.*; name a folder that can be written to"):
        fetch(2001, folder=tmp_path / "taken")
    assert server.asked == []


def test_a_cache_that_cannot_be_written_is_reported(fetch: Fetch, folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "raw").write_text("a file")
    with pytest.raises(DataFileError, match="PHYTOTRON_WEATHER"):
        fetch(2001)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_reported(fetch: Fetch, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    with pytest.raises(DataFileError, match="locked"):
        fetch(2001, folder=locked)


def test_a_full_disk_is_reported_and_nothing_half_written_stays(
    fetch: Fetch, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(DataFileError, match=r"(?i)no space left on device"):
            fetch(2001)
    assert [path.name for path in folder.rglob("*") if path.is_file()] == [".lock"]
    assert origins(fetch(2001)) == ["fetched"]
