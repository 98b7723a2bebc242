"""Making environments: what is none, and options that are wrong, are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from registering import registered
from toy_environments import Countdown

import phytotron
from phytotron.core import registry
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.making import is_whole, put_on

NUMBER, YEARS = 3, {"train": 2001.0, "test": 2002.0}


class Tray(Countdown):
    """Parameters and steps follow from its options when they are asked for."""

    parts = ("train", "test")

    def __init__(
        self, days: int = 3, weather: str = "train", house: Mapping[str, float] | None = None, light: float = 1.0
    ) -> None:
        super().__init__()
        self.days, self.weather, self.house, self.light = days, weather, house or {}, light

    @property
    def episode_steps(self) -> int:  # type: ignore[override]
        return self.days

    @property
    def default_params(self) -> float:  # type: ignore[override]
        if self.weather == "here":
            raise NotImplementedError("weather of the place itself")
        return YEARS[self.weather] / self.light + float({"loss": 0.0, **self.house}["loss"])

    @property
    def weather_name(self) -> str:
        return self.weather

    def on(self, weather: str) -> Tray:
        return Tray(self.days, weather)


class Unfinished(Environment[Any, Any]):
    """Lacks members."""

    episode_steps = 1
    fields: Mapping[str, Any] = {}


class Demanding(Tray):
    """Has options without a default."""

    def __init__(self, size: int, *, colour: str, days: int = 3) -> None:
        super().__init__(days)


class AsMethod(Tray):
    """Has a method where a number belongs."""

    def episode_steps(self) -> int:  # type: ignore[override]
        return self.days


class ParametersAsMethod(Tray):
    """Has a method where parameters belong."""

    def default_params(self) -> float:  # type: ignore[override]
        return 1.0


def nothing(days: int = 3) -> None:
    return None


def made(name: str, **options: Any) -> Any:
    return registry.make(f"{__name__}:{name}", **options)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("NUMBER", {}, r"NUMBER' is an object of the type int; expected a subclass of phytotron\.core\.environment"),
        ("YEARS", {}, "is an object of the type dict; expected a subclass"),
        ("Mapping", {}, "is the class Mapping; expected a subclass"),
        ("nothing", {}, "made an object of the type NoneType; expected an environment"),
        ("nothing", {"days": 4}, r"^[\w.]*test_making:nothing made an object"),
        ("AsMethod", {}, "episode_steps of .*:AsMethod is a method; make it a property, with @property above its"),
        ("ParametersAsMethod", {"days": 4}, "^default_params of .* is a method; make it a property, with @property"),
        ("Unfinished", {}, "lacks members .*; define default_params, initial, transition in its class"),
        ("Demanding", {}, "cannot be made without the options size, colour; give each a value"),
        ("Demanding", {"size": 1}, "cannot be made without the option colour"),
        ("Tray", {"days": 0}, "option days: episode_steps of .* is 0; expected a whole number of at least 1"),
        ("Tray", {"light": 2.0, "days": 0}, "^option days: "),
        ("Tray", {"days": 1.5}, "option days of .* is 1.5; expected a whole number"),
        ("Tray", {"days": 7.0}, "expected a whole number"),
        ("Tray", {"days": True}, "expected a whole number"),
        ("Tray", {"house": 3}, "cannot be made with house=3 .TypeError: "),
        ("Tray", {"house": {"loss": "x"}}, "cannot be made with house=.* .ValueError: could not convert"),
        ("Tray", {"weather": "moon"}, "cannot be made with weather='moon' .KeyError: 'moon'"),
        ("Tray", {"weather": "here"}, "cannot be made with weather='here' .NotImplementedError: weather of the place"),
        ("Tray", {"light": 0.0}, "cannot be made with light=0.0 .ZeroDivisionError: .*; give values of the right kind"),
        ("sized", {"path": "other.csv"}, "cannot be made with path='other.csv' .FileNotFoundError: other.csv"),
        ("Tray", {"hous": {}}, "has no option 'hous'; its options are days, weather, house"),
    ],
)
def test_what_is_no_environment_and_wrong_options_are_named(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(PhytotronError, match=message):
        made(name, **options)


class Faulty(Tray):
    """Fails whatever its options are."""

    @property
    def default_params(self) -> float:  # type: ignore[override]
        raise KeyError("missing")


def only_by_place(days: int, /, light: float = 1.0) -> Tray:
    """Return a tray of some days, which cannot be given by name."""
    return Tray(days, light=light)


@pytest.mark.parametrize("options", [{}, {"light": 2.0}])
def test_an_error_of_the_task_itself_is_not_blamed_on_options(options: dict[str, Any]) -> None:
    id = "test/Faulty-v0"
    with registered(id, f"{__name__}:Faulty", days=4), pytest.raises(KeyError, match="missing"):
        registry.make(id, **options)


def sized(path: str = "missing.csv", depth: int = 1) -> Tray:
    """Return a tray of a depth, which needs a file."""
    if depth < 0:
        raise ValueRangeError("depth", depth, "0 or more")
    if path.endswith(".csv"):
        raise FileNotFoundError(path)
    return Tray(depth)


def test_an_error_of_options_is_kept_although_the_task_fails_otherwise_without_them() -> None:
    with pytest.raises(ValueRangeError, match="depth is -1; expected 0 or more"):
        made("sized", path="x.csv", depth=-1)


def test_a_file_that_the_task_lacks_anyway_is_not_blamed_on_options() -> None:
    with pytest.raises(FileNotFoundError, match=r"missing\.csv"):
        made("sized", depth=2)


def test_what_cannot_be_given_by_name_is_no_option() -> None:
    with pytest.raises(PhytotronError, match="has no option 'days'; its options are light"):
        made("only_by_place", days=3)


def test_whole_numbers_of_array_libraries_are_whole_numbers() -> None:
    assert made("Tray", days=np.int64(4)).episode_steps == 4
    assert all(map(is_whole, (3, np.int32(3), np.uint8(3), jnp.int32(3), np.asarray(3))))
    assert not any(map(is_whole, (3.0, True, np.bool_(True), np.float32(3), np.asarray([3]), "3", None)))


def test_a_wrong_registered_option_is_not_blamed_on_a_right_one() -> None:
    id, target = "test/Tray-v0", f"{__name__}:Tray"
    misspelled = f"{id} is registered with an option that it does not have: 'dayss'; its options are days"
    with registered(id, target, dayss=1), pytest.raises(PhytotronError, match=misspelled):
        registry.make(id, light=2.0)
    wrong = f"option days of {id} is 'x'; expected a whole number"
    with registered(id, target, days="x"), pytest.raises(PhytotronError, match=wrong):
        registry.make(id, light=2.0)


def test_an_environment_is_put_on_a_part_of_its_weather_and_nothing_else() -> None:
    tray = made("Tray")
    assert put_on(tray, "test").weather_name == "test"
    with pytest.raises(
        PhytotronError, match=r"cannot be put on weather 'moon' \(KeyError: 'moon'\); its parts are train"
    ):
        put_on(tray, "moon")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: registry.make(Tray), "make takes an id or 'module:attribute', not the class Tray; call a class"),
        (lambda: phytotron.run(Tray, "off"), "run takes an id or an environment, not the class Tray"),
        (lambda: phytotron.run(Tray(), object()), "an object of the type object is no controller, which has `start`"),
    ],
)
def test_what_is_neither_an_id_nor_an_environment_nor_a_controller_is_named(call: Any, words: str) -> None:
    with pytest.raises(PhytotronError, match=words):
        call()
