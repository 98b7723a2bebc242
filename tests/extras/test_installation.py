"""Every extra can be installed by itself, and with it works what it is for; without it, that says which to install."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Of each extra, what it is for.
PURPOSES = {
    "agents": "from phytotron.cli.options import check_agents_extra; check_agents_extra()\n"
    "import phytotron.agents.ppo, phytotron.agents.policy_files, phytotron.planning.mpc",
    "report": "import gymnasium, phytotron\n"
    "env = gymnasium.make('phytotron/Lettuce-v0', render_mode='rgb_array', episode_days=1)\n"
    "env.reset(seed=0); assert env.render().ndim == 3",
    "crops": "from pathlib import Path\nfrom phytotron.crop_files.wofost_yaml import read_yaml\n"
    'text = \'CropParameters:\\n  Varieties:\\n    one:\\n      TSUM1: [1000., "sum", ["C.d"]]\\n\'\n'
    "assert read_yaml(Path('crop.yaml'), text)",
    "data": "import phytotron\nfound = phytotron.run('phytotron/Lettuce-v0', 'off', episode_days=0.25)\n"
    "assert len(found.to_frame()) == found.to_xarray().sizes['time'] == 12\nfound.write_parquet('run.parquet')",
    "weather": "from phytotron.weather.embedded import embedded_weather\n"
    "from phytotron.weather.sources import read_weather, write_weather\n"
    "write_weather(embedded_weather('schiphol'), 'hours.parquet'); read_weather('hours.parquet')\n"
    "import phytotron.weather.fetching.http, urllib3",
    "pettingzoo": "from phytotron.adapters.pettingzoo import make_parallel\n"
    "assert len(make_parallel().possible_agents) == 2",
    "tensorboard": "from pathlib import Path\nfrom phytotron.training.listeners import TensorBoard\n"
    "TensorBoard(Path('curves'), (0,))\nimport tensorboard",
}
OWN_TARGETS = {"sb3", "pcse", "rllib", "docs"}  # large: `make test-extras`, `test-ray` and `docs` install and test them


def test_every_extra_is_installed_and_tried_by_make_test_all() -> None:
    assert set(PURPOSES) | OWN_TARGETS | {"dev"} == set(PROJECT["optional-dependencies"])
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert '".[dev,sb3,pcse,pettingzoo]"' in makefile and '".[rllib]"' in makefile
    assert '".[docs]"' in makefile
    assert "test-all: setup test-extras test-ray docs\n" in makefile


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    make = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*make, "--wheel-dir", str(folder), str(ROOT)], check=True, timeout=300)
    (made,) = folder.glob("*.whl")
    return made


def installed(folder: Path, requirement: str) -> Path:
    """The Python of a new virtual environment in which something is installed."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=120)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
    subprocess.run(pip, check=True, timeout=600)
    return python


def tried(python: Path, code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    return subprocess.run(
        [str(python), "-c", code], cwd=folder, env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("extra", PURPOSES)
def test_an_extra_installed_alone_does_what_it_is_for(extra: str, wheel: Path, tmp_path: Path) -> None:
    python = installed(tmp_path / "venv", f"{wheel}[{extra}]")
    done = tried(python, PURPOSES[extra], tmp_path / "work")
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.slow
def test_without_extras_everything_says_what_to_install_and_episodes_are_run(wheel: Path, tmp_path: Path) -> None:
    python = installed(tmp_path / "venv", str(wheel))
    for extra, code in PURPOSES.items():
        done = tried(python, code, tmp_path / extra)
        assert done.returncode and f"phytotron[{extra}]" in done.stderr, (extra, done.stderr[-600:])
    plain = "from phytotron.cli import app\napp(['run', 'phytotron/Lettuce-v0', '--days', '1', '--csv', 'run.csv'])"
    done = tried(python, plain, tmp_path / "plain")
    assert done.returncode == 0 and (tmp_path / "plain" / "run" / "index.html").exists(), done.stderr[-600:]
