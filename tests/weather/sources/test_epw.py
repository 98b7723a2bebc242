from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weather_files import epw

from phytotron.core.errors import DataFileError, ValueRangeError
from phytotron.weather.radiation import sky_temperature_from_longwave
from phytotron.weather.sources import detect_format, read_weather
from phytotron.weather.table import WeatherTable


def read(folder: Path, text: str, **arguments: Any) -> WeatherTable:
    path = folder / "nowhere.epw"
    path.write_bytes(text.encode("latin-1"))
    return read_weather(path, **arguments)


def test_hours_of_local_standard_time_become_utc(tmp_path: Path) -> None:
    table = read(tmp_path, epw().replace("Nowhere", "Nöwhere"))
    assert detect_format(tmp_path / "nowhere.epw") == "epw"
    assert table.start == datetime(2006, 12, 31, 23, tzinfo=UTC) and table.size == 8760
    assert table.site.name == "Nöwhere" and (table.site.latitude, table.site.elevation) == (52.0, 12.0)
    assert table["global_radiation"][12] == 480.0 and table["air_temperature"][4] == 9.0
    assert table["longwave_radiation"][3] == 303.0
    assert table["sky_temperature"][3] == pytest.approx(sky_temperature_from_longwave(np.float64(303.0)))
    assert table["cloud_cover"][0] == 0.5 and table["rain"][0] == 0.5 and table["wind_speed"][0] == 4.1
    assert read(tmp_path, epw(zone=-3.5)).start == datetime(2007, 1, 1, 3, 30, tzinfo=UTC)


@pytest.mark.parametrize("option", [{"utc_offset": 2.0}, {"time_format": "%Y"}])
def test_options_for_times_that_the_file_names_itself_are_refused(tmp_path: Path, option: dict[str, Any]) -> None:
    path = tmp_path / "year.epw"
    path.write_text(epw(), encoding="utf-8")
    with pytest.raises(ValueRangeError, match=f"{next(iter(option))} .*left out: files of the format epw say"):
        read_weather(path, **option)


def test_a_typical_year_gets_one_number_and_a_note(tmp_path: Path) -> None:
    typical = epw(years=(2010, 2005, 2013))
    table = read(tmp_path, typical)
    assert table.end == datetime(2010, 12, 31, 23, tzinfo=UTC)
    assert "typical year of months from 2005 to 2013, named 2010 throughout" in table.provenance.notes
    assert read(tmp_path, typical, year=2001).end.year == 2001
    leap_first = read(tmp_path, epw(years=(2008, 2005)))  # no 29 February: the first common year after 2008
    assert leap_first.end.year == 2009
    with pytest.raises(DataFileError, match="2012 has a 29 February, the file has none; name a common year"):
        read(tmp_path, typical, year=2012)


def test_leap_years_have_their_29th_of_february(tmp_path: Path) -> None:
    assert read(tmp_path, epw(years=(2008,), leap=True)).size == 8784
    with pytest.raises(DataFileError, match="the file has a 29 February, 2007 has none; name a leap year by --year"):
        read(tmp_path, epw(years=(2007,), leap=True))
    with pytest.raises(DataFileError, match="29 February of a leap year"):
        read(tmp_path, epw(years=(2008,)))


def test_missing_codes_are_missing_values(tmp_path: Path) -> None:
    text = epw().replace("101200,0,0,300,", "999999,0,0,9999,", 1).replace(",4.1,5,5,", ",4.1,99,99,", 1)
    table = read(tmp_path, text)
    assert not {"air_pressure", "longwave_radiation", "sky_temperature", "cloud_cover"} & set(table.names)
    with pytest.raises(DataFileError, match=r"wind speed \(wind_speed\) has missing values"):
        read(tmp_path, epw().replace(",4.1,", ",999,", 5000))


def test_humidity_above_saturation_is_saturation(tmp_path: Path) -> None:
    assert read(tmp_path, epw().replace(",4.0,80,", ",4.0,104,", 1))["relative_humidity"][0] == 100.0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("DATA PERIODS,1,1,", "DATA PERIODS,1,4,", "gives '4' records per hour; expected 1"),
        ("COMMENTS 1", "REMARKS", "line 6 does not begin with COMMENTS 1"),
        (",52.00,", ",north,", "line 1, column latitude: 'north' is not a number"),
        (",52.00,", ",152.00,", "latitude of site 'Nowhere' is 152.0"),
        (",1.0,12.0", ",99,12.0", "the time zone is '99'"),
        ("2007,1,1,2,60", "2007,1,1,25,60", "line 10: the hour is 25"),
        ("2007,1,1,2,60", "2007,2,29,2,60", "the file has a 29 February"),
        ("2007,1,1,2,60", "2007,1,1,2", "line 10 has 34 fields, expected 35"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = epw()
    assert old in text
    with pytest.raises(DataFileError, match=message):
        read(tmp_path, text.replace(old, new, 1))


def test_a_file_that_was_cut_is_noticed_by_its_rows(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="the file has 8000 rows; expected the hours of a year: 8760"):
        read(tmp_path, epw(rows=8000))
    with pytest.raises(DataFileError, match="ends with its header"):
        read(tmp_path, "\n".join(epw(rows=1).splitlines()[:8]))
