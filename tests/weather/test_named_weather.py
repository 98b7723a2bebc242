"""Weather by name, as greenhouses and fields get it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import UnknownNameError
from phytotron.weather.archive import named_weather
from phytotron.weather.field_weather import named_field_weather
from phytotron.weather.greenhouse_weather import named_greenhouse_weather
from phytotron.weather.splits import find_split


def test_an_embedded_series_is_one_table_without_windows() -> None:
    for name, step, interval in (("schiphol", "hourly", 3600), ("wageningen", "daily", SECONDS_PER_DAY)):
        ((windows, (table,)),) = named_weather(name, step)
        assert windows is None and table.interval == interval


def test_a_part_of_a_split_brings_its_windows() -> None:
    ((windows, tables),) = named_weather("embedded:test", "hourly")
    assert windows == find_split("embedded").test[0]
    assert [table.start.year for table in tables] == [2012]


def test_a_greenhouse_starts_where_the_windows_do_and_else_on_any_day() -> None:
    weather, days = named_greenhouse_weather("embedded:test")
    starts = [str(start) for start in find_split("embedded").test[0].starts]
    assert weather.dates[days].astype(str).tolist() == starts
    weather, days = named_greenhouse_weather("schiphol")
    assert np.array_equal(days, np.arange(weather.days))


def test_what_is_generated_has_hours_for_greenhouses_and_more_years_of_days_for_fields() -> None:
    for step, interval, years in (("hourly", 3600, 10), ("daily", SECONDS_PER_DAY, 100)):
        ((windows, (table,)),) = named_weather("generated:schiphol", step)
        assert windows is None and (table.interval, table.end.year - table.start.year) == (interval, years)


@pytest.mark.parametrize("resolve", [named_greenhouse_weather, named_field_weather])
@pytest.mark.parametrize("name", ["moon", "moon:train", "generated:moon"])
def test_an_unknown_name_is_answered_with_known_ones(resolve: Any, name: str) -> None:
    with pytest.raises(UnknownNameError, match=rf"unknown weather '{name}'; (known: .*schiphol|did you mean)"):
        resolve(name)


def test_hours_and_days_are_not_mixed_up() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'embedded:train'"):
        named_greenhouse_weather("embedded_wheat:train")
    with pytest.raises(UnknownNameError, match="did you mean 'embedded_wheat:train'"):
        named_field_weather("embedded:train")
