# make demo  : set up, train agents for some minutes, compare them with growers, name the pages to open
# make test  : set up, run the tests
# make test-all : run all tests, slow ones and those of optional extras included, and build the documentation site
# make test-extras : run the tests of Stable-Baselines3, PCSE and PettingZoo, in an environment of their own
# make test-versions : run telling tests with the lowest and the newest versions of what the package depends on
# make docs  : build the documentation site, docs/_build/html, in an environment of its own
# make docs-preview : build it and show it at http://127.0.0.1:8000
# make test-ray : run the tests of RLlib and of sweeps, in an environment of their own, as Ray pins versions

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS_VENV := .venv-extras
RAY_VENV := .venv-ray
DOCS_VENV := .venv-docs
LOWEST_VENV := .venv-lowest
NEWEST_VENV := .venv-newest
TORCH ?= torch==2.13.0
IN_PARALLEL := $(BIN)/python -m pytest -n 2 --dist loadfile

# A test that needs an extra is skipped where it is missing; here its absence is an error.
EXTRAS_TESTS := tests/adapters tests/environments/intercrop/test_adapters.py tests/simulators \
	tests/training/backends/test_sb3.py
RAY_TESTS := tests/adapters/test_copies.py tests/training/backends/test_rllib.py tests/training/sweep/test_run.py

# What depends most on the versions of others.
VERSIONS_TESTS := tests/core tests/episodes tests/agents tests/environments/lettuce tests/weather \
	tests/adapters/test_gymnasium.py tests/cli/test_describe.py tests/cli/test_main.py tests/cli/test_train.py \
	tests/robustness/test_rollouts.py tests/robustness/test_fuzz.py

.PHONY: setup demo test test-all test-extras test-ray test-versions test-lowest test-newest docs docs-preview lint clean

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

demo: setup
	$(BIN)/phytotron demo --output demo

# `make test-all` has XLA compile as users have it.
test: setup
	XLA_FLAGS="$$($(BIN)/python tests/xla_flags.py)" $(IN_PARALLEL) -m "not slow"

# What the tests of robustness tried becomes the table in docs/robustness.md.
test-all: export PHYTOTRON_ROBUSTNESS := $(CURDIR)/.pytest_cache/robustness
test-all: setup test-extras test-ray docs
	rm -rf $(PHYTOTRON_ROBUSTNESS)
	$(IN_PARALLEL)
	$(BIN)/python tests/robustness_table.py $(PHYTOTRON_ROBUSTNESS)

test-extras: $(EXTRAS_VENV)/.installed
	$(EXTRAS_VENV)/bin/python -c "import stable_baselines3, pcse, pettingzoo"
	$(EXTRAS_VENV)/bin/python -m pytest $(EXTRAS_TESTS)
	$(EXTRAS_VENV)/bin/python -m pytest tests/docs -k "intercrop_field or pcse or sb3"

test-ray: $(RAY_VENV)/.installed
	$(RAY_VENV)/bin/python -c "import ray.rllib, ray.tune, torch"
	$(RAY_VENV)/bin/python -m pytest $(RAY_TESTS)
	$(RAY_VENV)/bin/python -m pytest tests/docs -k rllib

test-versions: test-lowest test-newest

test-lowest: $(LOWEST_VENV)/.installed
	$(LOWEST_VENV)/bin/python -m pytest -n 2 --dist loadfile -m "not slow" $(VERSIONS_TESTS)

test-newest: $(NEWEST_VENV)/.installed
	$(NEWEST_VENV)/bin/python -m pytest -n 2 --dist loadfile -m "not slow" $(VERSIONS_TESTS)

$(LOWEST_VENV)/.installed: RESOLUTION := lowest-direct
$(NEWEST_VENV)/.installed: RESOLUTION := highest
$(LOWEST_VENV)/.installed $(NEWEST_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet "uv>=0.5,<1"
	VIRTUAL_ENV=$(@D) $(@D)/bin/uv pip install --quiet --resolution $(RESOLUTION) --editable ".[dev]"
	touch $@

# PyTorch first, in the release named above: the extras would take any.
$(EXTRAS_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(EXTRAS_VENV)
	$(EXTRAS_VENV)/bin/python -m pip install --quiet --upgrade pip
	$(EXTRAS_VENV)/bin/python -m pip install --quiet $(TORCH)
	$(EXTRAS_VENV)/bin/python -m pip install --quiet --editable ".[dev,sb3,pcse,pettingzoo]" $(TORCH)
	touch $@

$(RAY_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(RAY_VENV)
	$(RAY_VENV)/bin/python -m pip install --quiet --upgrade pip
	$(RAY_VENV)/bin/python -m pip install --quiet $(TORCH)
	$(RAY_VENV)/bin/python -m pip install --quiet --editable ".[rllib]" "pytest>=8.3,<10" "hypothesis>=6.100,<7" $(TORCH)
	touch $@

# A warning is an error. Tutorials run one after the other, and again only when they have changed.
docs: $(DOCS_VENV)/.installed
	$(DOCS_VENV)/bin/python -m sphinx -W --keep-going -b html docs docs/_build/html

docs-preview: docs
	$(DOCS_VENV)/bin/python -m http.server --bind 127.0.0.1 --directory docs/_build/html 8000

$(DOCS_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(DOCS_VENV)
	$(DOCS_VENV)/bin/python -m pip install --quiet --upgrade pip
	$(DOCS_VENV)/bin/python -m pip install --quiet --editable ".[docs]"
	touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) $(EXTRAS_VENV) $(RAY_VENV) $(DOCS_VENV) $(LOWEST_VENV) $(NEWEST_VENV) demo docs/_build docs/_static/*.svg \
		docs/_static/environments docs/environments docs/reference .pytest_cache .mypy_cache .ruff_cache .hypothesis
