# make demo  : set up, train agents for some minutes, compare them with growers, name the pages to open
# make test  : set up, run the tests
# make test-all : run all tests, slow ones and those of optional extras included, and build the documentation site
# make test-extras : run the tests of Stable-Baselines3, PCSE and PettingZoo, in an environment of their own
# make test-versions : run telling tests with the lowest and the newest versions of what the package depends on
# make audit : look up known vulnerabilities of everything that `make setup` installs; needs a network
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
AUDIT_VENV := .venv-audit
TORCH ?= torch==2.13.0
IN_PARALLEL := -n 2 --dist loadfile --no-loadscope-reorder
OR_NONE := || [ $$? -eq 5 ] # what pytest returns where it has no test to run

# A test that needs an extra is skipped where it is missing; here its absence is an error.
EXTRAS_TESTS := tests/adapters/test_copies.py tests/adapters/test_pettingzoo.py tests/adapters/test_sb3.py \
	tests/environments/intercrop/test_adapters.py tests/simulators tests/training/backends/test_sb3.py
RAY_TESTS := tests/adapters/test_copies.py tests/examples/test_rllib_script.py tests/training/backends/test_rllib.py \
	tests/training/sweep/test_run.py

# What depends most on the versions of others.
VERSIONS_TESTS := tests/core tests/episodes tests/agents/test_dqn.py tests/agents/test_policy_files.py \
	tests/agents/test_ppo.py tests/environments/lettuce tests/weather/sources tests/weather/test_daily.py \
	tests/weather/test_table.py tests/adapters/test_gymnasium.py tests/adapters/test_vector_env.py \
	tests/cli/test_describe.py tests/cli/test_main.py tests/cli/test_train.py tests/robustness/test_rollouts.py

# Numbers to the digit.
RECORDED_TESTS := tests/robustness/test_rollouts.py tests/verification

.PHONY: setup demo test test-all test-extras test-ray test-versions test-lowest test-newest docs docs-preview audit lint clean

setup: $(VENV)/.installed

# What is installed into each environment. PyTorch in the release named above: the extras would take any.
$(VENV)/.installed: PACKAGES := --editable ".[dev]"
$(DOCS_VENV)/.installed: PACKAGES := --editable ".[docs]" $(TORCH)
$(AUDIT_VENV)/.installed: PACKAGES := "pip-audit>=2.7,<3"
$(EXTRAS_VENV)/.installed: PACKAGES := --editable ".[dev,sb3,pcse,pettingzoo]" $(TORCH)
$(RAY_VENV)/.installed: PACKAGES := --editable ".[rllib]" "pytest>=8.3,<10" "hypothesis>=6.100,<7" $(TORCH)

%/.installed: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --upgrade pip
	$(@D)/bin/python -m pip install --quiet $(PACKAGES)
	touch $@

demo: setup
	$(BIN)/phytotron demo --output demo

# XLA compiles quickly rather than well. The slow tests, and those of recorded numbers once more, have it compile as users
# have it. Compilers free much memory that they ask for again at once: the C library keeps up to 4 GB of it.
KEEP_MEMORY := MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TOP_PAD_=67108864
QUICK_XLA = $(KEEP_MEMORY) XLA_FLAGS="$$($(1)/bin/python tests/xla_flags.py)" $(1)/bin/python

test: setup
	$(call QUICK_XLA,$(VENV)) -m pytest $(IN_PARALLEL) -m "not slow"

# What the tests of robustness tried becomes the table in docs/robustness.md.
test-all: export PHYTOTRON_ROBUSTNESS := $(CURDIR)/.pytest_cache/robustness
test-all: setup test-extras test-ray docs
	rm -rf $(PHYTOTRON_ROBUSTNESS)
	$(call QUICK_XLA,$(VENV)) -m pytest $(IN_PARALLEL) -m "not slow"
	$(BIN)/python -m pytest $(IN_PARALLEL) -m slow
	$(BIN)/python -m pytest -m "not slow" $(RECORDED_TESTS)
	$(BIN)/python tests/robustness_table.py $(PHYTOTRON_ROBUSTNESS)

test-extras: $(EXTRAS_VENV)/.installed
	$(EXTRAS_VENV)/bin/python -c "import stable_baselines3, pcse, pettingzoo"
	$(call QUICK_XLA,$(EXTRAS_VENV)) -m pytest $(IN_PARALLEL) -m "not slow" $(EXTRAS_TESTS)
	$(EXTRAS_VENV)/bin/python -m pytest $(IN_PARALLEL) -m slow $(EXTRAS_TESTS) $(OR_NONE)
	$(EXTRAS_VENV)/bin/python -m pytest tests/docs -k "intercrop_field or pcse or sb3"

test-ray: $(RAY_VENV)/.installed
	$(RAY_VENV)/bin/python -c "import ray.rllib, ray.tune, torch"
	$(call QUICK_XLA,$(RAY_VENV)) -m pytest -m "not slow" $(RAY_TESTS)
	$(RAY_VENV)/bin/python -m pytest -m slow $(RAY_TESTS) $(OR_NONE)
	$(RAY_VENV)/bin/python -m pytest tests/docs -k rllib

test-versions: test-lowest test-newest

test-lowest test-newest: test-%: .venv-%/.installed
	$(call QUICK_XLA,.venv-$*) -m pytest $(IN_PARALLEL) -m "not slow" $(VERSIONS_TESTS)

$(LOWEST_VENV)/.installed: RESOLUTION := lowest-direct
$(NEWEST_VENV)/.installed: RESOLUTION := highest
$(LOWEST_VENV)/.installed $(NEWEST_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet "uv>=0.5,<1"
	VIRTUAL_ENV=$(@D) $(@D)/bin/uv pip install --quiet --resolution $(RESOLUTION) --editable ".[dev]"
	touch $@

# A warning is an error. Tutorials run one after the other, and again only when they have changed.
docs: $(DOCS_VENV)/.installed
	$(DOCS_VENV)/bin/python -m sphinx -W --keep-going -b html docs docs/_build/html

docs-preview: docs
	$(DOCS_VENV)/bin/python -m http.server --bind 127.0.0.1 --directory docs/_build/html 8000

audit: setup $(AUDIT_VENV)/.installed
	$(BIN)/python -m pip freeze --exclude-editable > $(AUDIT_VENV)/installed.txt
	$(AUDIT_VENV)/bin/pip-audit --progress-spinner off --strict --no-deps --disable-pip -r $(AUDIT_VENV)/installed.txt

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) $(EXTRAS_VENV) $(RAY_VENV) $(DOCS_VENV) $(LOWEST_VENV) $(NEWEST_VENV) $(AUDIT_VENV) demo docs/_build \
		docs/_static/*.svg docs/_static/environments docs/_static/gallery docs/gallery.md docs/environments docs/reference \
		.pytest_cache .mypy_cache .ruff_cache .hypothesis
