# make demo  : set up, train agents for some minutes, compare them with growers, name the page to open
# make test  : set up, run the tests
# make test-ray : run the tests of RLlib and of sweeps, in an environment of their own, as Ray pins versions

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RAY_VENV := .venv-ray
TORCH ?= torch==2.13.0

.PHONY: setup demo test test-all test-ray lint clean

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

demo: setup
	$(BIN)/phytotron demo --output demo

test: setup
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow"

test-all: setup test-ray
	$(BIN)/python -m pytest

test-ray: $(RAY_VENV)/.installed
	$(RAY_VENV)/bin/python -m pytest tests/training/backends/test_rllib.py tests/training/sweep/test_run.py

$(RAY_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(RAY_VENV)
	$(RAY_VENV)/bin/python -m pip install --quiet --upgrade pip
	$(RAY_VENV)/bin/python -m pip install --quiet --editable ".[rllib]" "pytest>=8.3,<10" "hypothesis>=6.100,<7" $(TORCH)
	touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) $(RAY_VENV) demo .pytest_cache .mypy_cache .ruff_cache .hypothesis
