"""Tables of others: columns by other names, in other units, with other separators and times."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from weather_files import OF_OTHERS, SITE, of_others, shared_hourly

from phytotron.cli.weather_reading import description
from phytotron.core.errors import DataFileError, PhytotronError, UnknownNameError, ValueRangeError
from phytotron.weather.sources import read_weather
from phytotron.weather.sources.mapping_file import read_mapping

COLUMNS: dict[str, Any] = OF_OTHERS["columns"]


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    path = tmp_path / "farm.csv"
    path.write_text(of_others(), encoding="utf-8")
    return path


def test_a_table_with_names_units_and_times_of_its_own_is_read(farm: Path) -> None:
    table = read_weather(farm, **OF_OTHERS)
    assert table.start == datetime(2010, 3, 1, tzinfo=UTC) and table.size == 24
    assert table["air_temperature"][:2] == pytest.approx([10.0, 10.0 + 0.1 * 5.0 / 9.0])
    assert table["global_radiation"][0] == pytest.approx(100.0)  # 36 J cm-2 in an hour
    assert table["wind_speed"][0] == pytest.approx(2.0) and table["relative_humidity"][0] == 80.0
    assert "column TEMP_F read as air_temperature [°C], converted from f" in table.provenance.notes
    assert "columns that are not used: Bemerkung" in table.provenance.notes


def test_commas_tabs_and_quotes_separate_too(farm: Path) -> None:
    plain = read_weather(farm, **OF_OTHERS)
    text = farm.read_text(encoding="utf-8")
    quoted = ['"' + line.replace(";", '";"') + '"' for line in text.splitlines()]
    variants = [text.replace(",", ".").replace(";", ","), text.replace(";", "\t"), "\n".join(quoted)]
    for variant in variants:
        farm.write_text(variant, encoding="utf-8")
        assert read_weather(farm, **OF_OTHERS)["air_temperature"][1] == plain["air_temperature"][1]


def test_what_is_missing_is_answered_with_what_there_is_and_the_options_to_give(farm: Path) -> None:
    with pytest.raises(DataFileError, match=r"its columns are 'Datum', 'Uhrzeit', .*--column time=Datum .*TEMP_F"):
        read_weather(farm)
    timed = OF_OTHERS | {"columns": {"time": "Datum+Uhrzeit"}}
    with pytest.raises(DataFileError, match=r"no global_radiation \[.*'TEMP_F'.*--column air_temperature=TEMP_F"):
        read_weather(farm, **timed)
    with pytest.raises(DataFileError, match="--place LATITUDE,LONGITUDE,ELEVATION"):
        read_weather(farm, **OF_OTHERS | {"site": None})
    with pytest.raises(DataFileError, match=r"'01.03.2010 00:00' is not a date or time.*--time-format"):
        read_weather(farm, **OF_OTHERS | {"time_format": None})
    with pytest.raises(DataFileError, match=r"line 2, .*is not a time in the format '%Y'"):
        read_weather(farm, **OF_OTHERS | {"time_format": "%Y"})


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"wind_speed": "Wind (kmh)"}, DataFileError, r"no column 'Wind \(kmh\)' for wind_speed.*did you mean 'Wind"),
        ({"warmth": "TEMP_F"}, UnknownNameError, "unknown weather variable 'warmth'"),
        ({"air_temperature": "TEMP_F"}, ValueRangeError, "air_temperature is given already"),
        ({"wind_speed": ("Wind (km/h)", "furlongs")}, ValueRangeError, r"'furlongs'; expected one of m/s, km/h"),
        ({"wind_speed": "Feuchte [%]"}, DataFileError, "both relative_humidity and wind_speed"),
        ({"rain": "Wind (km/h)", "wind_speed": ("TEMP_F", "m/s")}, DataFileError, "'TEMP_F' is assigned to both"),
    ],
)
def test_a_mapping_that_is_wrong_is_named(farm: Path, change: dict[str, Any], kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        read_weather(farm, **OF_OTHERS | {"columns": COLUMNS | change})


def test_brackets_with_an_unknown_unit_are_refused(farm: Path) -> None:
    farm.write_text(farm.read_text().replace("Wind (km/h)", "Wind (Bft)"))
    columns = COLUMNS | {"wind_speed": "Wind (Bft)"}
    with pytest.raises(DataFileError, match=r"'Wind \(Bft\)' does not name a unit.*--unit wind_speed=UNIT"):
        read_weather(farm, **OF_OTHERS | {"columns": columns})
    table = read_weather(farm, **OF_OTHERS | {"columns": COLUMNS | {"wind_speed": ("Wind (Bft)", "knots")}})
    assert table["wind_speed"][0] == pytest.approx(7.2 * 1852.0 / 3600.0)


@pytest.mark.parametrize(
    ("name", "unit", "expected"),
    [
        ("air_temperature", "°F", 20.0 / 9.0),
        ("global_radiation", "W m-2", 36.0),
        ("global_radiation", "kJ/m²", 10.0),
        ("global_radiation", "kJ m-2 h-1", 10.0),
        ("global_radiation", "Wh/m2", 36.0),
        ("wind_speed", "m s-1", 36.0),
        ("wind_speed", "km per hour", 10.0),
        ("vapour_pressure", "hPa", 3600.0),
        ("rain", "mm/h", 36.0),
        ("rain", "mm/day", 1.5),
        ("cloud_cover", "%", 0.36),
        ("irradiation", "W/m2", 36.0 * 3600.0),
    ],
)
def test_units_are_converted(tmp_path: Path, name: str, unit: str, expected: float) -> None:
    path = tmp_path / "table.csv"
    path.write_text("time,x\n" + "".join(f"2010-03-01T{hour:02d}:00:00Z,36\n" for hour in range(4)))
    table = read_weather(path, site=SITE, columns={name: ("x", unit)}, require=(name,))
    assert table[name][0] == pytest.approx(expected)


def test_a_toml_file_says_the_same(farm: Path, tmp_path: Path) -> None:
    mapping = tmp_path / "farm.toml"
    lines = ['time_format = "%d.%m.%Y %H:%M"', "[columns]"]
    lines += [f'{name} = "{heading}"' for name, heading in COLUMNS.items()]
    lines += ["[units]", 'wind_speed = "m/s"', "[place]", "latitude = 52.0", "longitude = 5.5"]
    mapping.write_text("\n".join(lines), encoding="utf-8")
    table = read_weather(farm, **read_mapping(mapping))
    assert table.site.name == "farm" and table["wind_speed"][0] == pytest.approx(7.2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[column]\n", "unknown key 'column'; expected columns, units, place"),
        ("columns = 3\n", "columns is 3"),
        ('[columns]\nwarmth = "T"\n', "unknown weather variable 'warmth'"),
        ('[units]\nwind_speed = "lux"\n', "the unit of wind_speed is 'lux'"),
        ("[place]\nlatitude = 52.0\n", "needs latitude and longitude"),
        ("[place]\nlatitude = 152.0\nlongitude = 5.0\n", "latitude of site"),
        ("x = [", "is not a mapping of columns in TOML"),
        ("x = " + "[" * 5000, "nested too deeply"),
    ],
)
def test_a_toml_file_that_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mapping.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PhytotronError, match=message):
        read_mapping(path)


@pytest.mark.parametrize("packing", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_damaged_archive_is_named_however_it_is_packed(tmp_path: Path, packing: int) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", packing) as archive:
        archive.writestr("weather.csv", shared_hourly())
    content = bytearray(held.getvalue())
    for place in range(60, 400, 7):
        content[place] ^= 0x55
    path = tmp_path / "weather.zip"
    path.write_bytes(bytes(content))
    with pytest.raises(DataFileError, match="cannot be unpacked"):
        read_weather(path)


def test_options_replace_headings_and_units_of_a_mapping_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "farm.toml"
    path.write_text('[columns]\nwind_speed = "FF"\nair_temperature = "T"\n[units]\nair_temperature = "F"\n')
    found = description(["air_temperature=TEMP"], ["wind_speed=km/h"], path, None, None)["columns"]
    assert found == {"wind_speed": ("FF", "km/h"), "air_temperature": ("TEMP", "F")}
