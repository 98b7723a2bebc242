"""Weather of fields: seasons from tables, splits and files."""

from __future__ import annotations

import dataclasses
from datetime import date
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from field_files import power_table

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import names
from phytotron.environments.field.seasons import choose_seasons
from phytotron.models.lintul3 import Weather
from phytotron.weather.daily import with_evaporation
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.field_weather import INPUTS, concatenated, field_weather, named_field_weather
from phytotron.weather.sources import write_weather
from phytotron.weather.splits import find_split
from phytotron.weather.table import WeatherError


def test_inputs_are_named_as_the_model_names_them() -> None:
    assert names(Weather) == INPUTS


def test_seasons_start_on_1_january_and_hold_the_columns_of_the_table() -> None:
    table = with_evaporation(embedded_weather("wageningen"))
    held = field_weather(table)
    assert held.year.tolist() == list(range(1976, 2000)) and held.days == 366
    assert held.length.tolist() == [366 if year % 4 == 0 else 365 for year in range(1976, 2000)]
    assert held.leap.tolist() == [year % 4 == 0 for year in range(1976, 2000)]
    row = table.row(date(1983, 3, 5))
    for name in INPUTS:
        assert held.series(name)[7, 31 + 28 + 4] == table[name][row]
    assert held.label(7) == "Wageningen (Haarweg) 1983"
    assert np.array_equal(field_weather(embedded_weather("wageningen")).values, held.values)
    with pytest.raises(UnknownNameError, match="rain"):
        held.series("rains")


def test_vapour_pressure_is_kept_in_hectopascal_beside_the_inputs() -> None:
    table = embedded_weather("wageningen")
    held = field_weather(table, (1977, 1980))
    row = table.row(date(1980, 3, 5))
    assert held.vapour_pressure.shape == (2, 366)
    assert held.vapour_pressure[1, 31 + 29 + 4] == pytest.approx(0.01 * table["vapour_pressure"][row])
    assert held.vapour_pressure[0, 365] == held.vapour_pressure[0, 364]
    device = concatenated([held, held.of([0])]).resized(250).on_device("float32")
    window = jax.jit(lambda season, day: device.vapour_pressure_window(season, day, 7))(jnp.asarray(2), jnp.asarray(9))
    assert np.asarray(window) == pytest.approx(held.vapour_pressure[0, 9:16], rel=1e-6)
    unknown = dataclasses.replace(held, vapour_pressure=None)
    assert concatenated([held, unknown]).resized(400).of([0]).on_device("float32").vapour_pressure is None


def test_parts_of_splits_have_their_years() -> None:
    for part in ("train", "validation", "test"):
        starts = find_split("embedded_wheat").part(part)[0].starts
        assert named_field_weather(f"embedded_wheat:{part}").year.tolist() == [start.year for start in starts]


def test_windows_and_sizes_of_seasons() -> None:
    held = field_weather(embedded_weather("wageningen"), (1977, 1980))
    device = held.resized(250).on_device("float32")
    window = jax.jit(lambda season, day: device.window(season, day, 7))(jnp.asarray(1), jnp.asarray(100))
    assert np.asarray(window) == pytest.approx(held.values[1, 100:107], rel=1e-6)
    assert str(device.values.dtype) == "float32" and device.length.tolist() == [250, 250]
    longer = held.resized(400)
    assert longer.length.tolist() == [365, 366] and np.array_equal(longer.values[0, 399], held.values[0, 364])


def test_padded_weather_begins_as_it_was_and_repeats_its_last_season_and_days() -> None:
    held = field_weather(embedded_weather("wageningen"), (1977, 1980)).resized(250)
    padded = held.padded()
    assert padded.values.shape == (16, 256, 7) and padded.vapour_pressure.shape == (16, 256)
    assert np.array_equal(padded.values[:2, :250], jnp.asarray(held.values))
    assert np.array_equal(padded.values[15, 255], padded.values[1, 249])
    assert padded.year[15] == 1980 and padded.length[15] == 250
    assert jax.tree.structure(padded) == jax.tree.structure(named_field_weather("generated:schiphol").padded())


def test_sites_are_put_side_by_side() -> None:
    wageningen = field_weather(embedded_weather("wageningen"), 1980)
    generated = named_field_weather("generated:schiphol").of([0, 1, 2])
    both = concatenated([generated, wageningen, generated])
    assert both.seasons == 7 and both.sites == ("Schiphol", "Wageningen (Haarweg)")
    assert [both.label(number)[:9] for number in (0, 3, 6)] == ["Schiphol ", "Wageninge", "Schiphol "]
    with pytest.raises(WeatherError, match="no field weather"):
        concatenated([])


def test_hours_are_made_into_days() -> None:
    held = field_weather(
        embedded_weather("schiphol").with_columns({"rain": np.zeros(embedded_weather("schiphol").size)})
    )
    assert held.year.tolist() == [2008, 2009, 2010, 2011, 2012]


def test_years_that_are_not_there_are_refused() -> None:
    table = embedded_weather("wageningen").window(date(1980, 1, 2), date(1982, 8, 1))
    assert field_weather(table).year.tolist() == [1981]
    assert field_weather(table, (1981, 1982)).length.tolist() == [365, 212]
    with pytest.raises(ValueRangeError, match=r"1981, 1982 \(1980-01-02 to 1982-07-31\)"):
        field_weather(table, 1980)
    with pytest.raises(WeatherError, match=r"1982-01-01 to 1982-07-31.* holds no season"):
        field_weather(table.window(date(1982, 1, 1), date(1982, 8, 1)))


def test_a_stretch_without_a_whole_season_is_left_out_and_its_years_can_be_named(tmp_path: Path) -> None:
    whole = embedded_weather("wageningen")
    stretches = [whole.window(date(1981, 1, 1), date(1982, 8, 1)), whole.window(date(1983, 1, 1), date(1983, 5, 1))]
    assert field_weather(stretches).year.tolist() == [1981]
    named = field_weather(stretches, (1983, 1982))
    assert named.year.tolist() == [1982, 1983] and named.length.tolist() == [212, 120]
    with pytest.raises(ValueRangeError, match="1981, 1982, 1983"):
        field_weather(stretches, 1984)
    with pytest.raises(WeatherError, match="name its years"):
        field_weather(stretches[1:])
    write_weather(stretches[0], tmp_path / "farm.csv")
    for weather in (stretches, str(tmp_path / "farm.csv")):
        assert choose_seasons(weather, None, None).year.tolist() == [1981]
        assert choose_seasons(weather, (1981, 1982), None).length.tolist() == [365, 212]


def test_recorded_weather_keeps_the_evaporation_that_it_has() -> None:
    held = field_weather(power_table("lat51.5_lon5", 1992))
    assert held.days == 366
    assert held.series("reference_evapotranspiration").max() < 10.0  # mm
