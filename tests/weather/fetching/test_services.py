"""KNMI, NASA POWER and Open-Meteo: what is asked, and what the files hold."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from shared_data import shared
from weather.fetching.replay import Answer, ReplayServer, knmi_hour, power_day

from phytotron.core.errors import ValueRangeError
from phytotron.weather.fetching import Client, fetch_knmi, fetch_nasa_power, fetch_open_meteo
from phytotron.weather.fetching.arguments import parsed_years, place
from phytotron.weather.fetching.cache import RawCache, weather_folder
from phytotron.weather.sources import read_weather

HOUR, DAY = 3600, 86400  # s


def test_knmi_hours_are_asked_by_year_with_all_hours_of_the_day(
    server: ReplayServer, client: Client, folder: Path
) -> None:
    files = fetch_knmi("240", range(2011, 2013), client=client)
    assert [(asked.method, asked.path) for asked in server.asked] == [("POST", "/knmi/uurgegevens")] * 2
    assert server.asked[0].parameters == {
        "start": "2011010101", "end": "2011123124", "stns": "240", "vars": "T:TD:U:Q:FH:N:RH:P"
    }  # fmt: skip
    assert [file.path for file in files] == [folder / f"knmi_240_hourly_{year}.csv.gz" for year in (2011, 2012)]
    assert [file.origin for file in files] == ["fetched", "fetched"]
    tables = [read_weather(file.path) for file in files]
    assert [(table.size, table.interval) for table in tables] == [(8760, HOUR), (8784, HOUR)]
    assert tables[1].start == datetime(2012, 1, 1, tzinfo=UTC)
    assert tables[1].end == files[1].end == datetime(2013, 1, 1, tzinfo=UTC)
    row = tables[1].row(datetime(2012, 7, 4, 13, tzinfo=UTC))
    made_up = knmi_hour(datetime(2012, 7, 4, 13))
    assert tables[1]["air_temperature"][row] == pytest.approx(made_up["T"] / 10)
    assert tables[1]["global_radiation"][row] == pytest.approx(made_up["Q"] * 1e4 / 3600)
    assert tables[0].site.latitude == pytest.approx(52.318)
    assert "KNMI" in tables[0].provenance.source


def test_knmi_days_are_asked_by_decade(server: ReplayServer, client: Client, folder: Path) -> None:
    files = fetch_knmi(260, range(1999, 2013), resolution="daily", client=client)
    spans = [(asked.parameters["start"], asked.parameters["end"]) for asked in server.asked]
    assert spans == [("19990101", "20001231"), ("20010101", "20101231"), ("20110101", "20121231")]
    assert {asked.path for asked in server.asked} == {"/knmi/daggegevens"}
    assert [file.path.name for file in files] == [f"knmi_260_daily_{year}.csv.gz" for year in range(1999, 2013)]
    table = read_weather(files[1].path)
    assert (table.size, table.interval) == (366, DAY)
    assert (folder / "raw" / "knmi_260_daily_2001-2010.txt").exists()


def test_power_is_asked_for_all_years_at_once(server: ReplayServer, client: Client, folder: Path) -> None:
    files = fetch_nasa_power(52, 5.5, range(1990, 1993), client=client)
    (asked,) = server.asked
    assert asked.method == "GET"
    assert asked.parameters == {
        "parameters": "TOA_SW_DWN,ALLSKY_SFC_SW_DWN,T2M,T2M_MIN,T2M_MAX,T2MDEW,WS2M,PRECTOTCORR", "community": "AG",
        "latitude": "52", "longitude": "5.5", "start": "19900101", "end": "19921231", "format": "JSON",
        "time-standard": "LST", "user": "phytotron",
    }  # fmt: skip
    names = [f"nasa_power_52.00N_5.50E_daily_{year}.csv.gz" for year in range(1990, 1993)]
    assert [file.path.name for file in files] == names
    table = read_weather(files[2].path)
    assert (table.size, table.start.year) == (366, 1992)
    day = datetime(1992, 2, 29)
    row = table.row(day)
    assert table["irradiation"][row] == pytest.approx(power_day(day)["ALLSKY_SFC_SW_DWN"] * 1e6)
    assert table["rain"][row] == pytest.approx(2.2)
    described = json.loads((folder / "raw" / "nasa_power_52.00N_5.50E_daily_1990-1992.request.json").read_text())
    assert described["headers"]["x-app-version"] == "v2.9.2"
    assert described["parameters"]["end"] == "19921231"


def test_power_days_of_utc_have_files_of_their_own(server: ReplayServer, client: Client, folder: Path) -> None:
    local = fetch_nasa_power(-33.45, -70.6667, [2000], client=client)
    universal = fetch_nasa_power(-33.45, -70.6667, [2000], time_standard="UTC", client=client)
    assert local[0].path.name == "nasa_power_33.45S_70.6667W_daily_2000.csv.gz"
    assert universal[0].path.name == "nasa_power_33.45S_70.6667W-utc_daily_2000.csv.gz"
    assert [asked.parameters["time-standard"] for asked in server.asked] == ["LST", "UTC"]
    assert server.asked[0].parameters["longitude"] == "-70.6667"


def test_open_meteo_hours_end_with_the_first_stamp_of_the_next_year(
    server: ReplayServer, client: Client, folder: Path
) -> None:
    (file,) = fetch_open_meteo(52.3, 4.8, [2015], client=client)
    (asked,) = server.asked
    assert asked.parameters == {
        "latitude": "52.3", "longitude": "4.8", "start_date": "2015-01-01", "end_date": "2016-01-01",
        "hourly": "temperature_2m,relative_humidity_2m,dew_point_2m,wind_speed_10m,shortwave_radiation,cloud_cover,"
        "surface_pressure,precipitation", "timezone": "GMT", "wind_speed_unit": "ms",
    }  # fmt: skip
    assert file.path.name == "open_meteo_52.30N_4.80E_hourly_2015.csv.gz"
    table = read_weather(file.path)
    assert (table.start, table.end) == (datetime(2015, 1, 1, tzinfo=UTC), datetime(2016, 1, 1, tzinfo=UTC))
    # the made-up temperature is the day of the year / 10 + the hour / 1000 of its stamp
    ends = np.asarray(table["air_temperature"])[[0, -2, -1]]
    assert ends == pytest.approx([0.101, 36.523, 0.1], abs=1e-6)
    assert table["wind_speed"][0] == pytest.approx(4.2)


def test_open_meteo_days(server: ReplayServer, client: Client, folder: Path) -> None:
    files = fetch_open_meteo(52.3, 4.8, range(2015, 2021), resolution="daily", model="era5", client=client)
    assert [asked.parameters["end_date"] for asked in server.asked] == ["2020-12-31"]
    assert server.asked[0].parameters["models"] == "era5"
    assert server.asked[0].parameters["daily"].startswith("temperature_2m_mean,temperature_2m_min,temperature_2m_max")
    assert files[5].path.name == "open_meteo_52.30N_4.80E-era5_daily_2020.csv.gz"
    table = read_weather(files[5].path)
    assert table.size == 366
    assert {"irradiation", "vapour_pressure", "wind_speed_2m", "rain"} <= set(table.names)


def test_an_address_can_be_given(server: ReplayServer, client: Client, folder: Path) -> None:
    fetch_knmi(240, [2011], resolution="daily", url=f"{server.url}/mirror/", client=client)
    assert server.asked[0].path == "/mirror/daggegevens"


def test_the_data_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PHYTOTRON_CACHE", str(tmp_path))
    monkeypatch.delenv("PHYTOTRON_WEATHER", raising=False)
    assert weather_folder() == tmp_path / "weather"
    monkeypatch.setenv("PHYTOTRON_WEATHER", str(tmp_path / "own"))
    assert weather_folder() == tmp_path / "own"


@pytest.mark.parametrize(
    ("latitude", "longitude", "name"),
    [
        (52.0, 5.5, "52.00N_5.50E"),
        (-0.125, 0.0, "0.125S_0.00E"),
        (48.06, -0.08, "48.06N_0.08W"),
        (9, -179.5, "9.00N_179.50W"),
    ],
)
def test_a_place_has_one_name(latitude: float, longitude: float, name: str) -> None:
    assert place(latitude, longitude) == name


def test_years_are_parsed() -> None:
    assert list(parsed_years("2015")) == [2015]
    assert list(parsed_years("2001-2003")) == [2001, 2002, 2003]
    for text in ("", "15", "2001-", "2001-20", "2001,2002", "a-b"):
        with pytest.raises(ValueRangeError, match="2015 or 2001-2020"):
            parsed_years(text)
    with pytest.raises(ValueRangeError, match="the earlier one first: 2001-2020"):
        parsed_years("2020-2001")


NEXT_YEAR = datetime.now(UTC).year + 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fetch_knmi("schiphol", [2001]), "the KNMI station is 'schiphol'; expected its number, e.g. 240"),
        (lambda: fetch_knmi(-1, [2001]), "the KNMI station"),
        (lambda: fetch_knmi(240, [1950]), "1950; expected 1951 or later: hourly values begin there"),
        (lambda: fetch_knmi(240, [1900], resolution="daily"), "expected 1901 or later"),
        (lambda: fetch_knmi(240, [2001], resolution="weekly"), "expected hourly or daily"),
        (lambda: fetch_knmi(240, range(2020, 2001)), "at least one, the first before the last"),
        (lambda: fetch_knmi(240, [NEXT_YEAR]), f"expected {NEXT_YEAR - 1} or earlier"),
        (lambda: fetch_knmi(240, [2001], fill_gaps=-1), "the longest gap to fill"),
        (lambda: fetch_knmi(240, [2001], url="knmi.nl"), "an address that begins with"),
        (
            lambda: fetch_nasa_power(52, 5.5, [1983]),
            "1984 or later: meteorology begins in 1981, but radiation",
        ),
        (lambda: fetch_nasa_power(91, 5.5, [2001]), "the latitude is 91; expected -90 to 90 degrees"),
        (lambda: fetch_nasa_power(52, 181.0, [2001]), "the longitude is 181.0; expected -180 to 180 degrees"),
        (lambda: fetch_nasa_power(float("nan"), 5.5, [2001]), "the latitude is nan"),
        (lambda: fetch_nasa_power(52, 5.5, [2001], time_standard="MET"), "expected LST or UTC"),
        (lambda: fetch_open_meteo(52, 5.5, [1939]), "expected 1940 or later"),
        (lambda: fetch_open_meteo(52, 5.5, [2001], model="gfs"), "best_match or era5"),
    ],
)
def test_nonsense_is_refused_before_anything_is_sent(
    call: object, message: str, server: ReplayServer, folder: Path
) -> None:
    with pytest.raises(ValueRangeError) as caught:
        call()  # type: ignore[operator]
    assert message in str(caught.value)
    assert server.asked == []


def test_the_recorded_exchange_with_nasa_power(server: ReplayServer, client: Client, tmp_path: Path) -> None:
    sample = shared("weather", "samples", "nasa_power_daily_point_csv_vcr.json")
    (exchange,) = json.loads(sample.read_text())["http_interactions"]
    response = exchange["response"]
    body = response["body"]["string"].encode()
    own = {"content-length", "status", "date", "transfer-encoding"}
    headers = {key: value for key, value in response["headers"].items() if key not in own and isinstance(value, str)}
    server.service = lambda asked: Answer(body, response["status"], headers)
    asked = dict(pair.split("=") for pair in exchange["request"]["uri"].split("?")[1].replace("%2C", ",").split("&"))
    reply = client.fetch("NASA POWER", "GET", f"{server.url}/power", asked)
    assert server.asked[0].parameters == asked
    cache = RawCache(tmp_path / "raw")
    path = cache.store("recorded.csv", asked, "GET", reply)
    assert path.read_bytes() == body
    assert json.loads(cache.sidecar("recorded.csv").read_text())["headers"]["x-app-version"] == "v2.9.2"
    table = read_weather(path, require=("minimum_temperature",))
    assert table["minimum_temperature"][0] == pytest.approx(-25.37)
