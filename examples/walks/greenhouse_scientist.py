"""The walk of a greenhouse scientist and agronomist: own weather, own greenhouse, own schedule, data out.

    python examples/walks/greenhouse_scientist.py FOLDER [DAYS]

It needs `pip install 'phytotron[data]'`. The weather of a station of one's own would be a file; here one is written
first.
"""

from __future__ import annotations

import os
import sys
from datetime import date

import numpy as np
import pandas
from typed import typed, working_folder

from phytotron.models.greenlight import load_parameters, scaled
from phytotron.weather.embedded import embedded_weather

folder, days = working_folder(), float(sys.argv[2]) if len(sys.argv) > 2 else 1.0

# Weather: a file of a station with names and units of its own, here made of the embedded years, kept by a name.
os.environ["PHYTOTRON_WEATHER"] = str(folder / "weather")  # the folder of weather files, of this walk alone
hours = embedded_weather("schiphol").window(date(2010, 3, 1), date(2010, 3, 15))
logged = {
    "when": hours.times,
    "TEMP_C": hours["air_temperature"],
    "Humidity [%]": hours["relative_humidity"],
    "Sun (W/m2)": hours["global_radiation"],
    "WIND": 3.6 * np.asarray(hours["wind_speed"]),
}
pandas.DataFrame(logged).to_csv(folder / "station.csv", index=False, date_format="%Y-%m-%dT%H:%M")
typed(
    "phytotron weather import station.csv --name farm --place 52.3,4.8,-3 --sky humidity --column time=when "
    "--column air_temperature=TEMP_C --column 'relative_humidity=Humidity [%]' "
    "--column 'global_radiation=Sun (W/m2)' --column wind_speed=WIND --unit wind_speed=km/h",
    folder,
)

# A greenhouse of half a hectare with set-points and prices of its own.
(folder / "mine.toml").write_text(
    """
base = "katzin2021_4ha_led"

[parameters]
floor_area = 5000
lamp_power = 100

[rules]
temperature_day = 21

[prices]
electricity = 0.2
""",
    encoding="utf-8",
)
published = load_parameters("katzin2021_4ha_led")
mine = scaled(published, floor_area=5000.0)
print(f"cover per floor: {float(mine.cover_area / mine.floor_area):.3f}, as published", flush=True)

# An episode in it, as a page and as data.
typed(
    "phytotron run phytotron/Greenhouse-v0 --parameters mine.toml --weather farm --start 2010-03-02 "
    f"--days {days} --csv greenhouse.csv --output greenhouse",
    folder,
)
frame = pandas.read_csv(folder / "greenhouse.csv", skiprows=[1], parse_dates=["time"])  # without the line of units
hourly = frame.set_index("time")[["air_temperature", "outdoor_temperature", "lamp"]].resample("1h").mean()
print(hourly.describe().loc[["mean", "min", "max"]])

# In the field: dated doses of nitrogen, against none.
(folder / "doses.csv").write_text("date,nitrogen [kg ha-1]\n02-24,60\n03-26,60\n04-29,40\n", encoding="utf-8")
FIELD = "phytotron run phytotron/WheatNitrogen-v0 --start 1985 --no-figure"
typed(f"{FIELD} --schedule doses.csv --option 'doses=[0, 40, 60]' --csv field.csv", folder)
typed(f"{FIELD} --controller none", folder)
