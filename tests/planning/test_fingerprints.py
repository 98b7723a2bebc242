"""What plans are told apart by, and that every process agrees on it."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from datetime import date

import jax
import numpy as np

from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.greenhouse.actions import ControlProcessing
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.wheat import WheatNitrogen
from phytotron.papers.greenlight_gym.experiments.recipes import windows_task
from phytotron.planning.fingerprints import as_text, fingerprint, own_places, window_keys
from phytotron.weather.field_weather import named_field_weather

ELSEWHERE = """
from datetime import date
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.wheat import WheatNitrogen
from phytotron.papers.greenlight_gym.experiments.recipes import windows_task
from phytotron.planning.fingerprints import fingerprint, window_keys
import jax
assert not jax.config.jax_enable_x64
greenhouse = windows_task(None, [date(2009, 3, 1), date(2012, 8, 1)], "schiphol", reward="additive")
for env in (greenhouse, WheatNitrogen(weather="embedded_wheat:test"), Lettuce(weather=[40, 60])):
    print(fingerprint(env), *window_keys(env).values(), sep="; ")
"""


def test_another_process_in_single_precision_finds_the_same() -> None:
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=True, timeout=120)
    assert jax.config.values["jax_enable_x64"]
    greenhouse = windows_task(None, [date(2009, 3, 1), date(2012, 8, 1)], "schiphol", reward="additive")
    environments = (greenhouse, WheatNitrogen(weather="embedded_wheat:test"), Lettuce(weather=[40, 60]))
    here = ["; ".join((fingerprint(env), *window_keys(env).values())) for env in environments]
    assert done.stdout.splitlines() == here


def test_options_that_matter_are_told_apart() -> None:
    half, tenth = (Greenhouse(actuators=ControlProcessing(mode="rate", max_change=share)) for share in (0.5, 0.1))
    assert fingerprint(half) != fingerprint(tenth)
    rewards = [Lettuce(reward=lambda outcome: outcome.profit), Lettuce(reward=lambda outcome: outcome.growth)]
    assert fingerprint(rewards[0]) != fingerprint(rewards[1])
    assert fingerprint(Lettuce(prices={"co2": 0.2})) != fingerprint(Lettuce(prices={"co2": 0.3}))
    assert fingerprint(WheatNitrogen(doses=(0, 20, 40))) == fingerprint(WheatNitrogen(doses=[0.0, 20.0, 40.0]))


def test_what_is_observed_and_which_starts_there_are_does_not_matter() -> None:
    assert fingerprint(Lettuce(forecast=12, weather=[50])) == fingerprint(Lettuce())
    some, more = WheatNitrogen(weather="wageningen", years=1984), WheatNitrogen(observation="raw", weather="wageningen")
    assert fingerprint(some) == fingerprint(more)
    (label,) = window_keys(some)
    assert window_keys(some)[label] == window_keys(more)[label]


def test_windows_are_told_apart_by_their_own_weather() -> None:
    dates = [date(2009, 3, 1), date(2009, 4, 1)]
    code, text = (windows_task(None, dates, "schiphol", code=each) for each in (True, False))
    assert all(window_keys(code)[label] != key for label, key in window_keys(text).items())  # 1.5 °C warmer
    alone = windows_task(None, dates[:1], "schiphol")
    (first,) = window_keys(alone).values()
    assert first == window_keys(code)["2009-03-01"] and first.startswith("2009-03-01 ")
    season = WheatNitrogen(weather="wageningen", years=1984)
    rounded = dataclasses.replace(season.seasons, values=np.asarray(season.seasons.values) * (1.0 + 1e-12))
    assert window_keys(WheatNitrogen(weather=rounded)) == window_keys(season)  # as another machine may compute it


def test_parameters_that_are_not_there_are_not_counted() -> None:
    seasons = named_field_weather("wageningen")
    for vapour in (seasons.vapour_pressure, None):
        starts = WheatNitrogen(weather=dataclasses.replace(seasons, vapour_pressure=vapour)).starts()
        (place,) = own_places(starts)
        assert jax.tree.leaves(starts.params)[place] is starts.params.seasons


def scaled(by: float) -> Callable[[float], float]:
    return lambda value: sum(by * each for each in (value, value))


def test_functions_go_by_code_and_by_what_they_enclose() -> None:
    assert as_text(scaled(2.0)) == as_text(scaled(2.0)) != as_text(scaled(3.0))
    assert "0x" not in as_text(scaled(2.0))
    assert as_text({"a": 1, "b": (2.0,)}) == as_text({"b": [2], "a": 1.0})
    assert as_text(np.arange(5000.0)) != as_text(np.arange(5000.0)[::-1])
    assert as_text(np.float32(0.5)) == as_text(0.5) and as_text(True) == "True"
