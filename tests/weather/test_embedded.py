"""The weather that comes with the package."""

from __future__ import annotations

from datetime import UTC, date, datetime
from importlib import resources

import numpy as np
import pytest

from phytotron.core.errors import UnknownNameError
from phytotron.weather.embedded import EMBEDDED, FILES, embedded_weather


def test_both_files_together_stay_below_one_and_a_half_megabytes() -> None:
    folder = resources.files("phytotron.weather").joinpath("data")
    assert sum(len(folder.joinpath(name).read_bytes()) for name in FILES.values()) < 1_500_000


@pytest.mark.parametrize("name", EMBEDDED)
def test_source_and_licence_are_named(name: str) -> None:
    provenance = embedded_weather(name).provenance
    assert ("KNMI" if name == "schiphol" else "Wageningen") in provenance.source
    assert ("gl-gym" if name == "schiphol" else "pcse") in provenance.source
    assert provenance.licence


def test_schiphol_is_five_years_of_hours_as_measured() -> None:
    table = embedded_weather("schiphol")
    assert (table.start, table.end) == (datetime(2008, 1, 1, tzinfo=UTC), datetime(2013, 1, 1, tzinfo=UTC))
    # KNMI, 1 March 2010, hours 1, 8 and 9: 0, 24 and 82 J cm-2; 4.2, 4.2 and 5.2 °C; 10, 6 and 7 m s-1.
    morning = table.window(date(2010, 3, 1), date(2010, 3, 2))
    assert morning["global_radiation"][[0, 7, 8]] == pytest.approx(np.array([0, 24, 82]) * 1e4 / 3600)
    assert morning["air_temperature"][[0, 7, 8]].tolist() == [4.2, 4.2, 5.2]
    assert morning["wind_speed"][[0, 7, 8]].tolist() == [10.0, 6.0, 7.0]


def test_wageningen_is_twenty_four_years_of_days_with_marks_where_the_station_missed_one() -> None:
    table = embedded_weather("wageningen")
    assert (table.start, table.end) == (datetime(1976, 1, 1, tzinfo=UTC), datetime(2000, 1, 1, tzinfo=UTC))
    # Haarweg, 2 January 1976
    day = {name: float(table[name][1]) for name in table.names}
    assert (day["irradiation"], day["minimum_temperature"], day["maximum_temperature"]) == (1.0e6, 1.9, 10.3)
    assert (day["vapour_pressure"], day["wind_speed_2m"], day["rain"]) == (860.0, 6.3, 8.6)
    filled = table["filled"] > 0
    assert 0 < filled.sum() < 200
    autumn = table.window(date(1991, 9, 1), date(1992, 1, 1))
    assert np.all(autumn["filled"] == 1)
    assert not table.window(date(1992, 1, 1), date(2000, 1, 1))["filled"].any()


def test_a_year_is_as_warm_bright_and_wet_as_the_netherlands() -> None:
    days = embedded_weather("wageningen")
    assert days["air_temperature"].mean() == pytest.approx(9.4, abs=0.3)
    assert days["irradiation"].mean() / 1e6 == pytest.approx(9.4, abs=0.3)
    hours = embedded_weather("schiphol")
    assert hours["global_radiation"].mean() * 0.0864 == pytest.approx(10.5, abs=0.5)
    assert hours["air_temperature"].mean() == pytest.approx(10.4, abs=0.6)


def test_nobody_can_change_what_all_share() -> None:
    with pytest.raises(ValueError, match="read-only"):
        embedded_weather("schiphol")["air_temperature"][0] = 99.0


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'schiphol'"):
        embedded_weather("schipol")
