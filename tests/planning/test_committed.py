"""Plans that come with the package are found by the tasks that they were made for, and stay found."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from phytotron.browser.rivals import PREDICTIVE, RECORDED
from phytotron.browser.settings import SETTINGS
from phytotron.core import registry
from phytotron.core.compilation import CACHE_VARIABLE
from phytotron.core.environment import Environment
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.wheat import WheatNitrogen
from phytotron.models.greenlight import Equations
from phytotron.papers.greenlight_gym.experiments.attainable import CONSTRAINED
from phytotron.papers.greenlight_gym.experiments.recipes import REWARDS, windows_task
from phytotron.papers.greenlight_gym.experiments.windows import TEST, windows_at_hand
from phytotron.papers.intercropgym.experiments import recipes as two_crops
from phytotron.planning.fingerprints import as_text, fingerprint
from phytotron.planning.plans import COMMITTED, load_plans, plans_at_hand, plans_path
from phytotron.weather.splits import find_split

GREENHOUSES = ("Greenhouse-v0", "GreenLightGym-v0", "GreenhouseSetpoint-v0")
FIELDS = ("WheatNitrogen-v0", "Intercrop-v0", "IntercropField-v0", "IntercropField-v1")
TEST_WEATHER = {
    "phytotron/Lettuce-v0": "benchmark",
    **{f"phytotron/{name}": "embedded:test" for name in GREENHOUSES},
    **{f"phytotron/{name}": "embedded_wheat:test" for name in FIELDS},
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))


def of_table_11(reward: str) -> Environment[Any, Any]:
    windows = windows_at_hand(None, quick=False)
    return windows_task(None, windows.starts[TEST], windows.series, reward=reward)


# By name those of the papers, by id those of the live pages with the windows that they show, and test weather.
TASKS: Mapping[str, Callable[[], Environment[Any, Any]]] = {
    **{f"table 11, {reward}": partial(of_table_11, reward) for reward in REWARDS},
    "wheat": partial(WheatNitrogen, weather="embedded_wheat:test"),
    **{
        f"two crops, {name}": partial(two_crops.environment, beta, two_crops.TEST)
        for name, beta in two_crops.TASKS.items()
    },
    **{id: partial(registry.make, settings.task or id, **settings.options) for id, settings in SETTINGS.items()},
    **{f"{id}, test": partial(registry.make, id, weather=weather) for id, weather in TEST_WEATHER.items()},
}


@cache
def task(name: str) -> Environment[Any, Any]:
    return TASKS[name]()


@pytest.mark.slow
@pytest.mark.parametrize("folder", [COMMITTED, RECORDED], ids=lambda folder: folder.name)
def test_every_file_of_plans_is_that_of_a_task_and_has_plans_for_its_windows(folder: Path) -> None:
    files = sorted(folder.glob("*.npz"))
    aims = [PREDICTIVE] if folder == RECORDED else ["", CONSTRAINED]
    finders = [(plans_path(env, aim, folder), env) for env in map(task, TASKS) for aim in aims]
    assert files
    for path in files:
        found = [env for finder, env in finders if finder == path]
        assert found, path.name
        labels = {key.rpartition(" ")[0] for key in load_plans(path, found[0].action_space)}
        assert labels & {label for env in found for label in env.starts().labels}, path.name


@pytest.mark.parametrize("reward", REWARDS)
def test_every_test_window_of_table_11_has_a_plan(reward: str) -> None:
    env = task(f"table 11, {reward}")
    dates = {str(start) for windows in find_split("schiphol").part("test") for start in windows.starts}
    for aim in ("", CONSTRAINED) if reward == "additive" else ("",):
        held = load_plans(plans_path(env, aim, COMMITTED), env.action_space)
        assert dates <= {key.partition(" ")[0] for key in held}  # their weather itself does not come with the package


@pytest.mark.parametrize("name", ["wheat", "two crops, price", "two crops, paper"])
def test_tasks_of_papers_have_a_plan_for_every_window(name: str) -> None:
    env = task(name)
    assert list(plans_at_hand(env)) == list(env.starts().labels)


def test_all_ids_are_looked_at() -> None:
    assert set(TEST_WEATHER) == set(registry.registered())


@pytest.mark.parametrize("id", TEST_WEATHER)
def test_every_window_of_the_test_weather_has_a_plan(id: str) -> None:
    env = task(f"{id}, test")
    assert list(plans_at_hand(env)) == list(env.starts().labels)


@pytest.mark.slow
@pytest.mark.parametrize("id", [id for id, settings in SETTINGS.items() if settings.windows])
def test_pages_have_a_plan_for_every_window_that_they_show(id: str) -> None:
    env, settings = task(id), SETTINGS[id]
    labels = plans_at_hand(env)
    assert all(any(wanted in label for label in labels) for wanted in settings.windows)


def test_a_new_option_changes_nothing_for_tasks_that_do_not_use_it() -> None:
    @dataclasses.dataclass(frozen=True)
    class MoreEquations(Equations):
        new: bool = False

    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class Later(Greenhouse):
        new: float = 0.0

    MoreEquations.__qualname__ = Equations.__qualname__
    before, after, used = (
        Greenhouse(equations=Equations(screens_in_series=True)),
        Later(equations=MoreEquations(screens_in_series=True)),
        Later(equations=MoreEquations(screens_in_series=True), new=1.0),
    )
    assert fingerprint(before) == fingerprint(after) != fingerprint(used)
    assert fingerprint(before) != fingerprint(Greenhouse())
    assert as_text(Equations(screens_in_series=False)) == as_text(Equations()) == "Equations()"
