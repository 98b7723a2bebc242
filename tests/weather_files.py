"""Weather files as the services lay them out, with made-up values."""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import shared_data

from phytotron.weather.site import Provenance, Site
from phytotron.weather.table import WeatherTable, weather_table

SHARED = shared_data.SHARED / "weather"
SITE = Site("Nowhere", 52.0, 5.5, 12.0)

LEGEND_HOURLY = """\
BRON: KONINKLIJK NEDERLANDS METEOROLOGISCH INSTITUUT (KNMI)

YYYYMMDD  = datum (YYYY=jaar,MM=maand,DD=dag) / date (YYYY=year,MM=month,DD=day)
HH        = tijd (HH=uur, UT) / time (HH=hour, UT)
FH        = Uurgemiddelde windsnelheid (in 0.1 m/s) / Hourly mean wind speed (in 0.1 m/s)
T         = Temperatuur (in 0.1 graden Celsius) op 1.50 m hoogte
TD        = Dauwpuntstemperatuur (in 0.1 graden Celsius) op 1.50 m hoogte
Q         = Globale straling (in J/cm2) per uurvak
RH        = Uursom van de neerslag (in 0.1 mm) (-1 voor <0.05 mm)
P         = Luchtdruk (in 0.1 hPa) herleid naar zeeniveau
N         = Bewolking (bedekkingsgraad van de bovenlucht in achtsten)
U         = Relatieve vochtigheid (in procenten) op 1.50 m hoogte

"""
STATION_LIST = """\
# STN         LON(east)   LAT(north)  ALT(m)      NAME
# 240         4.790       52.318      -3.30       SCHIPHOL
# 999:        5.500       52.000      11.50       NOWHERE
"""


def hour_values(hour: int) -> dict[str, int]:
    """What a KNMI station could report for an hour, counted from the first."""
    sun = max(0.0, math.sin(2.0 * math.pi * (hour % 24 - 6) / 24.0))
    warmth = 60 + round(40.0 * sun) + hour % 7
    rain = -1 if hour % 24 == 5 else 3 * (hour % 24 == 6)
    return {
        "FH": 30 + hour % 5 * 10,
        "T": warmth,
        "TD": warmth - 25,
        "Q": round(180 * sun),
        "RH": rain,
        "P": 10130 + hour % 11,
        "N": hour % 10,
        "U": 70 + hour % 20,
    }


def day_values(day: int) -> dict[str, int]:
    """What a KNMI station could report for a day, counted from the first."""
    warmth = 90 + day % 9
    return {
        "FG": 41 + day % 5,
        "TG": warmth,
        "TN": warmth - 50,
        "TX": warmth + 60,
        "Q": 1200 + 7 * day,
        "RH": -1 if day % 4 == 1 else 10 * (day % 3),
        "PG": 10120 + day,
        "NG": day % 9,
        "UG": 75 + day % 10,
    }


def knmi_hourly(days: int = 2, first: date = date(2010, 3, 1), stations: tuple[int, ...] = (240,)) -> str:
    """A file of a decade."""
    names = ["HH", *hour_values(0)]
    lines = [LEGEND_HOURLY + "# STN,YYYYMMDD," + ",".join(f"{name:>5}" for name in names), ""]
    for station in stations:
        for hour in range(24 * days):
            day = first + timedelta(days=hour // 24)
            values = [hour % 24 + 1, *hour_values(hour).values()]
            lines.append(f"  {station},{day:%Y%m%d}," + ",".join(f"{value:5d}" for value in values))
    return "\r\n".join(lines) + "\r\n"


def knmi_script(days: int = 2, first: date = date(2010, 3, 1), hour_name: str = "H", station: int = 999) -> str:
    """A reply of the script service: the same with # before all but the rows, and a list of stations."""
    text = knmi_hourly(days, first, (station,)).replace("\r\n", "\n").replace("   HH,", f"{hour_name:>5},")
    head, rows = text.split("# STN,")
    commented = "".join(f"# {line}\n" for line in head.splitlines())
    return STATION_LIST + commented + "# STN," + rows.replace("\n\n", "\n#\n", 1)


def knmi_daily(days: int = 40, first: date = date(2011, 2, 1), station: int = 356) -> str:
    """A file of daily values."""
    lines = ["BRON: KNMI", "Q         = Globale straling (in J/cm2)", ""]
    lines += ["# STN,YYYYMMDD," + ",".join(f"{name:>5}" for name in day_values(0)), ""]
    for day in range(days):
        cells = ",".join(f"{value:5d}" for value in day_values(day).values())
        lines.append(f"  {station},{first + timedelta(days=day):%Y%m%d},{cells}")
    return "\r\n".join(lines) + "\r\n"


def knmi_json(days: int = 2, first: date = date(2024, 2, 28), station: int = 260) -> str:
    reply = [
        {"station_code": station, "date": f"{first + timedelta(days=hour // 24)}T00:00:00.000Z", "hour": hour % 24 + 1}
        | hour_values(hour)
        for hour in range(24 * days)
    ]
    return json.dumps(reply)


POWER = {
    "ALLSKY_SFC_SW_DWN": ("MJ/m^2/day", lambda day: 12.0 + 0.1 * day),
    "TOA_SW_DWN": ("MJ/m^2/day", lambda day: 30.0),
    "T2M": ("C", lambda day: 9.5 + 0.01 * day),
    "T2M_MIN": ("C", lambda day: 4.25),
    "T2M_MAX": ("C", lambda day: 15.5),
    "T2MDEW": ("C", lambda day: 5.0),
    "RH2M": ("%", lambda day: 80.0),
    "WS2M": ("m/s", lambda day: 3.0),
    "PRECTOTCORR": ("mm/day", lambda day: 0.5 * (day % 3)),
    "PS": ("kPa", lambda day: 101.0),
}


def power_json(days: int = 5, first: date = date(2019, 2, 26)) -> dict[str, Any]:
    dates = [f"{first + timedelta(days=day):%Y%m%d}" for day in range(days)]
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [5.5, 52.0, 11.5]},
        "properties": {
            "parameter": {
                name: {key: round(value(day), 4) for day, key in enumerate(dates)} for name, (_, value) in POWER.items()
            }
        },
        "header": {"title": "NASA/POWER Daily Data", "fill_value": -999.0, "time_standard": "LST"},
        "parameters": {name: {"units": unit, "longname": name} for name, (unit, _) in POWER.items()},
    }


def power_csv(days: int = 5, first: date = date(2019, 2, 26), by_month: bool = False) -> str:
    last = first + timedelta(days=days - 1)
    lines = [
        "-BEGIN HEADER-",
        "NASA/POWER Source Native Resolution Daily Data ",
        f"Dates (month/day/year): {first:%m/%d/%Y} through {last:%m/%d/%Y} in LST",
        "Location: latitude  52.0   longitude 5.5 ",
        "elevation from MERRA-2: Average for 0.5 x 0.625 degree lat/lon region = 11.5 meters",
        "The value for missing source data that cannot be computed or is outside of the range: -999 ",
        "parameter(s): ",
        *(f"{name}     MERRA-2 Something (made up) at 2 Meters ({unit}) " for name, (unit, _) in POWER.items()),
        "-END HEADER-",
        ("YEAR,MO,DY," if by_month else "YEAR,DOY,") + ",".join(POWER),
    ]
    for day in range(days):
        when = first + timedelta(days=day)
        stamp = f"{when.year},{when.month},{when.day}" if by_month else f"{when.year},{when:%j}".replace(",0", ",")
        lines.append(stamp + "," + ",".join(str(round(value(day), 4)) for _, value in POWER.values()))
    return "\r\n".join(lines) + "\r\n"


def open_meteo(hours: int = 48, first: datetime = datetime(2022, 6, 1), offset: int = 0) -> dict[str, Any]:
    """An hourly reply; the first value is stamped with `first`, in local time."""
    count = range(hours)
    return {
        "latitude": 52.0,
        "longitude": 5.5,
        "generationtime_ms": 0.5,
        "utc_offset_seconds": offset,
        "timezone": "GMT",
        "elevation": 11.5,
        "hourly_units": {
            "time": "iso8601",
            "temperature_2m": "°C",
            "relative_humidity_2m": "%",
            "dew_point_2m": "°C",
            "wind_speed_10m": "km/h",
            "shortwave_radiation": "W/m²",
            "cloud_cover": "%",
            "surface_pressure": "hPa",
            "precipitation": "mm",
        },
        "hourly": {
            "time": [f"{first + timedelta(hours=hour):%Y-%m-%dT%H:%M}" for hour in count],
            "temperature_2m": [10.0 + hour % 5 for hour in count],
            "relative_humidity_2m": [60 + hour % 30 for hour in count],
            "dew_point_2m": [4.5 for _ in count],
            "wind_speed_10m": [18.0 for _ in count],
            "shortwave_radiation": [float(hour % 24 * 10) for hour in count],
            "cloud_cover": [hour % 101 for hour in count],
            "surface_pressure": [1012.5 for _ in count],
            "precipitation": [0.1 * (hour % 3) for hour in count],
        },
    }


def open_meteo_daily(days: int = 5, first: date = date(2023, 5, 28), offset: int = 7200) -> dict[str, Any]:
    count = range(days)
    return {
        "latitude": 52.0,
        "longitude": 5.5,
        "utc_offset_seconds": offset,
        "elevation": 11.5,
        "daily_units": {
            "time": "iso8601",
            "temperature_2m_max": "°C",
            "temperature_2m_min": "°C",
            "precipitation_sum": "mm",
            "windspeed_10m_max": "km/h",
            "shortwave_radiation_sum": "MJ/m²",
        },
        "daily": {
            "time": [str(first + timedelta(days=day)) for day in count],
            "temperature_2m_max": [21.5 for _ in count],
            "temperature_2m_min": [9.5 for _ in count],
            "precipitation_sum": [0.5 for _ in count],
            "windspeed_10m_max": [14.5 for _ in count],
            "shortwave_radiation_sum": [20.0 + day for day in count],
        },
    }


def epw(years: tuple[int, ...] = (2007,), leap: bool = False, rows: int | None = None, zone: float = 1.0) -> str:
    """A year of hours; the months take the years in turn."""
    head = [
        f"LOCATION,Nowhere,GLD,NLD,Made-up,000000,52.00,5.50,{zone},12.0",
        "DESIGN CONDITIONS,0",
        "TYPICAL/EXTREME PERIODS,0",
        "GROUND TEMPERATURES,0",
        "HOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0",
        "COMMENTS 1,made up",
        "COMMENTS 2,for tests",
        "DATA PERIODS,1,1,Data,Monday, 1/ 1,12/31",
    ]
    start = datetime(2004 if leap else 2005, 1, 1)
    lines = []
    for hour in range(rows or (8784 if leap else 8760)):
        when = start + timedelta(hours=hour)
        fields = [str(years[(when.month - 1) % len(years)]), str(when.month), str(when.day), str(when.hour + 1), "60"]
        fields += ["?9?9?9", f"{8.0 + hour % 24 / 4}", "4.0", "80", "101200", "0", "0", f"{300 + hour % 24}"]
        fields += [f"{max(0, 12 - abs(12 - hour % 24)) * 40}", "0", "0", *["9999"] * 4, "180", "4.1", "5", "5"]
        fields += ["20", "77777", "9", "999999999", "0", "0", "0", "88", "0.2", "0.5", "1"]
        lines.append(",".join(fields))
    return "\n".join([*head, *lines]) + "\n"


def cabo(year: int = 1976, days: int = 366, status: bool = False) -> str:
    lines = [
        "*-------------------------------------------*",
        f"* Station name: Nowhere, made up\n* Year: {year}",
        "* Column  Daily value",
        "* 4       irradiation                   (kJ m-2 d-1)",
        "** WCCFORMAT=2",
        "*-------------------------------------------*",
        "   5.50  52.00    12. -0.18 -0.55",
    ]
    for day in range(1, days + 1):
        if status and day in (3, 5):
            lines.append(f"-999 {year} {day:3d}      1     1     1       {3 if day == 3 else 1}     1     1")
        lines.append(f"   1 {year} {day:3d} {5000 + day:5d}.  {2.0 + day % 5:4.1f}  12.5   0.800   3.5   {day % 4}.1")
    return "\n".join(lines) + "\n"


def glgym(rows: int = 48) -> str:
    lines = ["time,global radiation,wind speed,air temperature,sky temperature,??,CO2 concentration,day number,RH"]
    for row in range(rows):
        time = 300.0 * row
        lines.append(f"{time},{0.5 * row},2.0,{5.0 + 0.01 * row},-4.5,0.0,400.0,{time // 86400},90.0")
    return "\n".join(lines) + "\n"


def shared_hourly(hours: int = 48) -> str:
    """A table in the shorter names, stamped with the end of the hour."""
    names = "time_utc_end,glob_rad_w_m2,air_temp_c,rel_hum_pct,vap_press_pa,wind_m_s,sky_temp_c,soil_temp_1m_c,"
    lines = [names + "co2_ppm,cloud_oktas,rain_mm,dew_point_c,pressure_hpa,filled"]
    start = datetime(2012, 2, 28)
    for hour in range(1, hours + 1):
        when = start + timedelta(hours=hour)
        values = f"{hour % 24},{hour % 9}.5,80,900.5,3.0,-2.5,9.25,400.0,{hour % 10},0.1,4.0,1012.5,0"
        lines.append(f"{when:%Y-%m-%dT%H:%M:%SZ},{values}")
    return "\n".join(lines) + "\n"


# How the table below is to be read
OF_OTHERS: dict[str, Any] = {
    "columns": {
        "time": "Datum+Uhrzeit",
        "outdoor_temperature": "TEMP_F",
        "relative_humidity": "Feuchte [%]",
        "global_radiation": "Global (J/cm2)",
        "wind_speed": "Wind (km/h)",
    },
    "time_format": "%d.%m.%Y %H:%M",
    "site": SITE,
}


def of_others(hours: int = 24) -> str:
    """A table with names, units, separators and times of its own."""
    lines = ["Datum;Uhrzeit;TEMP_F;Feuchte [%];Global (J/cm2);Wind (km/h);Bemerkung"]
    lines += [f"01.03.2010;{hour:02d}:00;50,{hour % 10};80;36;7,2;ok" for hour in range(hours)]
    return "\n".join(lines) + "\n"


def table(interval: int = 3600, rows: int = 48, names: tuple[str, ...] = ()) -> WeatherTable:
    """A table with values that have no short decimal form."""
    random = np.random.default_rng(7)
    daily = interval == 86400
    ranges = {"air_temperature": (-5.0, 20.0), "relative_humidity": (30.0, 100.0), "wind_speed": (0.0, 15.0)}
    ranges |= {"minimum_temperature": (-5.0, 5.0), "maximum_temperature": (6.0, 20.0)} if daily else {}
    ranges |= {"irradiation": (0.0, 3e7)} if daily else {"global_radiation": (0.0, 900.0)}
    ranges |= {"rain": (0.0, 3.0), "cloud_cover": (0.0, 1.0)}
    columns = {name: random.uniform(*limits, rows) for name, limits in ranges.items() if not names or name in names}
    site = Site("Nowhere: \\n, «odd»", 52.1 / 3.0, 5.5, -1.0 / 3.0, (0.18, 0.55))
    provenance = Provenance("made up", "none needed", ("first note", "second: with\nline end and \\ backslash"))
    return weather_table(columns, datetime(2012, 2, 28, tzinfo=UTC), interval, site, provenance)
