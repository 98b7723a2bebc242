"""Environments by id: found, made with options, and not imported before."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

import phytotron
from phytotron.core import registry
from phytotron.core.errors import PhytotronError, UnknownNameError

GREENHOUSE = "phytotron/Greenhouse-v0"


class Pot:
    """Stands for an environment."""

    def __init__(self, *, size: int = 1, colour: str = "red") -> None:
        self.size, self.colour = size, colour


@pytest.fixture
def pot(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    registry.register("test/Pot-v0", f"{__name__}:Pot", size=3)
    return "test/Pot-v0"


def run_python(code: str) -> float:
    """Run code in a fresh interpreter; return the seconds it took."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return time.perf_counter() - start


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
    with pytest.raises(PhytotronError, match=r"'rewards'.*reward.*control_interval"):
        phytotron.make(GREENHOUSE, rewards="additive")


def test_an_id_is_registered_once(pot: str) -> None:
    with pytest.raises(PhytotronError, match="already registered"):
        registry.register(pot, "somewhere:Pot")


@pytest.mark.parametrize("entry_point", ["", "module", "module:", ":attribute"])
def test_an_entry_point_names_module_and_attribute(entry_point: str) -> None:
    with pytest.raises(PhytotronError, match="module:attribute"):
        registry.register("test/Nowhere-v0", entry_point)


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
