from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from weather_files import SITE, glgym

from phytotron.core.errors import DataFileError
from phytotron.weather.sources import detect_format, read_weather


def test_the_year_is_the_name_of_the_file_and_the_place_its_folder(tmp_path: Path) -> None:
    (tmp_path / "Amsterdam").mkdir()
    path = tmp_path / "Amsterdam" / "2008.csv"
    path.write_text(glgym())
    table = read_weather(path)
    assert detect_format(path) == "glgym"
    assert table.start == datetime(2008, 1, 1, tzinfo=UTC) and table.interval == 300 and table.size == 48
    assert table.site.name == "Schiphol" and table["co2"][0] == 400.0
    assert {"sky_temperature", "relative_humidity", "vapour_pressure"} <= set(table.names)


def test_year_and_place_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "weather.csv"
    path.write_text(glgym())
    with pytest.raises(DataFileError, match="does not say its year; name it by --year"):
        read_weather(path, site=SITE)
    with pytest.raises(DataFileError, match="does not say where it was measured"):
        read_weather(path, year=2011)
    assert read_weather(path, site=SITE, year=2011).start.year == 2011
    assert read_weather(path, site=SITE, first=datetime(2012, 1, 1, 1)).start == datetime(2012, 1, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\n600.0,", "\n600.5,", "line 4, column time: '600.5'; expected whole seconds"),
        ("\n600.0,", "\n300.0,", "line 4 repeats the time"),
        ("\n600.0,", "\n900.0,", "rows are missing in 1 place|repeats the time"),
        ("\n600.0,", "\n1e12,", "line 4, column time: '1e12'"),
        ("RH\n", "humidity\n", "gives no relative_humidity or vapour_pressure"),
        ("90.0\n", "190.0\n", "column RH: '190.0' means 190 % of relative humidity"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "2008.csv"
    assert old in glgym()
    path.write_text(glgym().replace(old, new, 1))
    with pytest.raises(DataFileError, match=message):
        read_weather(path, site=SITE)
