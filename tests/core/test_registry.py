"""Environments by id: found, made with options, and not imported before."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import warnings
from importlib import metadata
from pathlib import Path

import pytest
from toy_environments import Countdown

import phytotron
from phytotron.core import registry
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.registry import Registry

GREENHOUSE = "phytotron/Greenhouse-v0"


class Pot(Countdown):
    """An environment with options."""

    def __init__(self, *, size: int = 1, colour: str = "red") -> None:
        super().__init__()
        self.size, self.colour = size, colour


ONE, OTHER = Pot(), Pot()


@pytest.fixture
def pot(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(registry.ENVIRONMENTS, "_entries", dict(registry.ENVIRONMENTS._entries))
    registry.register("test/Pot-v0", f"{__name__}:Pot", size=3)
    return "test/Pot-v0"


def installed(monkeypatch: pytest.MonkeyPatch, **points: str) -> Registry:
    """A registry on a machine with packages that have these entry points."""
    found = [metadata.EntryPoint(name, value, "test.pots") for name, value in points.items()]
    monkeypatch.setattr(metadata, "entry_points", lambda group: found if group == "test.pots" else [])
    return Registry("pot", "test.pots", {"clay": Pot, "own": f"{__name__}:Pot"})


def run_python(code: str) -> float:
    """Run code in a fresh interpreter; return the seconds of the processor that it took."""
    before = os.times()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_the_greenhouse_is_registered() -> None:
    assert GREENHOUSE in phytotron.registered()


def test_options_go_over_the_registered_defaults_and_those_over_the_environments_own(pot: str) -> None:
    made = registry.make(pot, colour="blue")
    assert (made.size, made.colour) == (3, "blue")
    assert registry.make(pot, size=5).size == 5


def test_an_unknown_id_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"Greenhuse.*did you mean 'phytotron/Greenhouse-v0'"):
        phytotron.make("phytotron/Greenhuse-v0")


def test_an_unknown_option_is_named_together_with_the_known_ones(pot: str) -> None:
    with pytest.raises(PhytotronError, match=r"'colur'.*size, colour"):
        registry.make(pot, colur="blue")
    with pytest.raises(PhytotronError, match=r"'rewards'.*control_interval.*reward"):
        phytotron.make(GREENHOUSE, rewards="additive")


def test_an_id_is_registered_once(pot: str) -> None:
    with pytest.raises(PhytotronError, match="already registered"):
        registry.register(pot, "somewhere:Pot")


@pytest.mark.parametrize("entry_point", ["", "module", "module:", ":attribute", None])
def test_an_entry_point_names_module_and_attribute(entry_point: str | None) -> None:
    with pytest.raises(PhytotronError, match="module:attribute"):
        registry.register("test/Nowhere-v0", entry_point)


@pytest.mark.parametrize("name", ["", " ", None])
def test_a_name_is_a_text_that_is_not_empty(name: str) -> None:
    with pytest.raises(PhytotronError, match=r"is no name to register; give a text such as owner/Name-v0"):
        registry.register(name, Pot)


def test_installed_packages_add_names_but_take_none_over(monkeypatch: pytest.MonkeyPatch) -> None:
    pots = installed(monkeypatch, glazed=f"{__name__}:Pot", own="nowhere:Pot")
    with pytest.warns(UserWarning, match=r"the pot 'own' exists already.* 'nowhere:Pot'.* is left out"):
        assert list(pots) == ["clay", "glazed", "own"] and len(pots) == 3
    assert pots["glazed"] is pots["own"] is pots["clay"] is Pot


def test_a_name_of_an_installed_package_is_not_registered_for_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    pots = installed(monkeypatch, glazed=f"{__name__}:Pot", own=f"{__name__}:Pot")
    assert "glazed" in pots
    with pytest.raises(PhytotronError, match=r"'glazed' is already '.*:Pot'; choose another name"):
        pots.register("glazed", "elsewhere:Pot")
    pots.register("glazed", Pot)  # the same object


def test_an_object_without_a_module_does_not_stop_the_listing_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    pots = installed(monkeypatch, clay="nowhere:Pot")
    pots._entries["clay"] = registry.Entry({"size": 1})
    with pytest.warns(UserWarning, match="the pot 'clay' exists already"):
        assert list(pots) == ["clay", "own"]


def test_a_class_that_its_package_registers_and_declares_is_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    pots = installed(monkeypatch, clay=f"{__name__}:Pot")
    with warnings.catch_warnings(action="error"):
        assert list(pots) == ["clay", "own"]


def describe_package(folder: Path, package: str, *points: str) -> None:
    """Write what an installed package says about itself, with its entry points in the group of pots."""
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("\n".join(["[test.pots]", *points]))


REGISTER = "from phytotron.core import registry\nregistry.POTS.register('clay', Pot)\n"
PACKAGES = {
    "re-exported": ("class Pot: ...", "from {name}.pots import Pot\n" + REGISTER),
    "registered-where-defined": ("class Pot: ...\n" + REGISTER, "from {name}.pots import Pot"),
    "instance": ("Pot = object()", "from {name}.pots import Pot\n" + REGISTER),
    "by-place": (
        "class Pot: ...",
        REGISTER.replace("Pot)", "'{name}.pots:Pot')") + "from {name}.pots import Pot",
    ),
}


@pytest.mark.parametrize("listed_first", [False, True])
@pytest.mark.parametrize("layout", PACKAGES)
def test_what_a_package_offers_by_another_name_than_where_it_is_defined_may_be_registered_too(
    layout: str, listed_first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = f"{layout.replace('-', '_')}_{listed_first}".lower()
    (tmp_path / package).mkdir()
    for file, text in zip(("pots.py", "__init__.py"), PACKAGES[layout], strict=True):
        (tmp_path / package / file).write_text(text.format(name=package))
    describe_package(tmp_path, package, f"clay = {package}:Pot")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "POTS", pots := Registry("pot", "test.pots"), raising=False)
    if listed_first:
        assert list(pots) == ["clay"]
    with warnings.catch_warnings(action="error"):
        module = importlib.import_module(package)
        assert list(pots) == ["clay"] and pots["clay"] is module.Pot


def test_another_object_of_a_package_that_is_imported_is_not_taken_for_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pots = installed(monkeypatch, glazed=f"{__name__}:ONE")
    assert "glazed" in pots
    with pytest.raises(PhytotronError, match=r"'glazed' is already '.*:ONE'; choose another name"):
        pots.register("glazed", OTHER)
    pots.register("glazed", ONE)


def test_a_name_that_two_packages_add_is_refused_with_both_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {"one": "one_pots:Pot", "other": "other_pots:Pot", "third": f"{__name__}:Pot [glaze]"}
    for package, value in values.items():
        name = "glazed" if package == "third" else "clay"
        describe_package(tmp_path, package, f"{name} = {value}", f"of-{package} = {value}")
    monkeypatch.syspath_prepend(tmp_path)
    pots = Registry("pot", "test.pots")
    assert list(pots) == ["clay", "glazed", "of-one", "of-other", "of-third"]
    with pytest.raises(PhytotronError) as raised:
        _ = pots["clay"]
    for words in (
        "'one_pots:Pot' of the package one",
        "'other_pots:Pot' of the package other",
        "uninstall",
        "name 'mod",
    ):
        assert words in str(raised.value)
    assert pots["glazed"] is pots["of-third"] is Pot
    with pytest.raises(PhytotronError, match=r"one_pots:Pot, which the package one adds: No module"):
        _ = pots["of-one"]


def test_an_installed_entry_point_without_an_attribute_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PhytotronError, match=r"the entry point of 'bare' is 'pots'; expected 'module:attribute'"):
        _ = installed(monkeypatch, bare="pots")["bare"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise ValueError('no licence')", "ValueError: no licence"),
        ("class Pot(", "SyntaxError: '"),
        ("1 / 0", "ZeroDiv"),
    ],
)
def test_whatever_a_module_raises_when_it_is_imported_is_one_error(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cracked_pots.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PhytotronError, match=rf"the pot 'cracked' cannot be imported from cracked_pots:Pot: {message}"):
        _ = installed(monkeypatch, cracked="cracked_pots:Pot")["cracked"]


def test_what_cannot_be_imported_is_named_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    pots = installed(monkeypatch, lost="nowhere:Pot", cracked=f"{__name__}:Pott")
    with pytest.raises(PhytotronError, match=r"the pot 'lost' cannot be imported from nowhere:Pot: No module"):
        _ = pots["lost"]
    with pytest.raises(PhytotronError, match=r"the pot 'cracked' cannot be imported from .*Pott"):
        _ = pots["cracked"]


def test_a_module_and_an_attribute_are_a_name() -> None:
    assert registry.make(f"{__name__}:Pot", size=4).size == 4
    with pytest.raises(UnknownNameError, match="unknown environment"):
        registry.make("a pot: of clay")


def test_listeners_are_told_all_names_and_those_to_come(pot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pots, told = installed(monkeypatch), list[str]()
    pots.listen(told.append)
    pots.register("late", Pot)
    assert told == ["clay", "own", "late"]


@pytest.mark.parametrize("order", ["import gymnasium, phytotron", "import phytotron, gymnasium"])
def test_gymnasium_knows_an_id_at_once_whatever_the_order_of_imports(order: str) -> None:
    run_python(
        f"{order}\n"
        f"assert {GREENHOUSE!r} in gymnasium.registry\n"
        "phytotron.register('owner/Late-v0', 'some.module:Late')\n"
        "assert 'owner/Late-v0' in gymnasium.registry"
    )


def test_importing_the_package_is_quick_and_loads_neither_jax_nor_gymnasium() -> None:
    code = "import sys, phytotron, phytotron.core.registry; phytotron.registered()"
    assert run_python(f"{code}; assert not {{'jax', 'gymnasium', 'numpy'}} & set(sys.modules)") < 1.5


def test_the_functional_environment_works_where_gymnasium_is_not_installed() -> None:
    run_python(
        "import sys; sys.modules['gymnasium'] = None\n"
        "import jax, phytotron\n"
        f"env = phytotron.make('{GREENHOUSE}')\n"
        "observation, state = env.reset(jax.random.key(0))\n"
        "jax.eval_shape(env.step, jax.random.key(1), state, env.action_space.sample(jax.random.key(2)))\n"
    )
