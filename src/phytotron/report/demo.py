"""The page of `phytotron demo`."""

from __future__ import annotations

import math
import time
from datetime import date, timedelta
from pathlib import Path

import jax
import jax.numpy as jnp

from phytotron import __version__
from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.fields import unstack
from phytotron.environments.greenhouse_reward import RewardParameters
from phytotron.environments.greenhouse_start import fruiting_crop
from phytotron.evaluation.season import simulate, summarise
from phytotron.models.greenlight import GreenLight, Weather, load_parameters
from phytotron.models.greenlight.rules import load_rule_settings, rule_based
from phytotron.report.figures import season_figure
from phytotron.report.page import page, table, write_text
from phytotron.weather.calendar import day_of_year
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.greenhouse_weather import greenhouse_weather

PARAMETER_SET = "greenlight_gym_1p4ha_led"
START = date(2010, 3, 1)


def write_demo(folder: Path, days: float) -> tuple[Path, list[tuple[str, str, str]]]:
    """Simulate, draw, write; the path of the page and the rows of its summary."""
    measured = embedded_weather("schiphol").window(START, START + timedelta(days=math.ceil(days)))
    series = greenhouse_weather(measured)
    model = GreenLight(interval=float(series.interval))
    steps = round(days * SECONDS_PER_DAY / series.interval)
    weather = unstack(Weather, jnp.asarray(series.values[:steps]))
    parameters, settings = load_parameters(PARAMETER_SET), load_rule_settings(PARAMETER_SET)
    first = jax.tree.map(lambda column: column[0], weather)
    start = fruiting_crop(first, jnp.asarray(day_of_year(START)))

    began = time.perf_counter()
    season = simulate(model, lambda state, now: rule_based(state, now, settings), start, weather, parameters)
    jax.block_until_ready(season)
    elapsed = time.perf_counter() - began
    summary = summarise(season, model, parameters, RewardParameters())
    rows = [
        ("harvest of fresh tomatoes", f"{summary.harvest_kg:.3f}", "kg per m²"),
        ("gas", f"{summary.gas_m3:.3f}", "m³ per m²"),
        ("CO₂", f"{summary.co2_kg:.3f}", "kg per m²"),
        ("electricity of the lamps", f"{summary.electricity_kwh:.2f}", "kWh per m²"),
        ("fruit less gas and CO₂", f"{summary.profit_eur:.3f}", "€ per m²"),
        ("time with temperature in [10, 35] °C", f"{100 * summary.temperature_in_bounds:.1f}", "%"),
        ("time with CO₂ in [0, 1000] ppm", f"{100 * summary.co2_in_bounds:.1f}", "%"),
        ("time with humidity in [60, 90] %", f"{100 * summary.humidity_in_bounds:.1f}", "%"),
    ]
    title = f"{days:g} days of a rule-based tomato greenhouse"
    figure = season_figure(season, f"{title}, from {START:%d %B %Y}")
    notes = (
        f"<p>The 1.4 ha greenhouse of GreenLight-Gym under its rule-based grower, {steps} control intervals of "
        f"{series.interval} s, weather of Schiphol. Compiled and run in {elapsed:.1f} s.</p>"
    )
    text = page(
        title,
        [("What it came to", notes + table(rows)), ("Climate, crop, actuators", figure)],
        f"Phytotron {__version__}. Weather: KNMI, station 240 Schiphol, open data.",
    )
    path = folder / "index.html"
    write_text(path, text)
    return path, rows
