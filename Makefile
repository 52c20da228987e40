# Everything a contributor runs. A fresh machine needs make and Python 3.11 or later; each target
# installs what it needs into .venv and does not install it again until the requirements change.
#
#   make PIP_ARGS="--index-url … " train    extra arguments for pip, for example a CPU-only index of torch
#   make JOBS=4 test                        worker processes of pytest
#   make VENV=/somewhere/else check         another virtual environment

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
PIP_ARGS ?=
JOBS ?= 2
PYTEST_ARGS ?=
BENCH_ARGS ?=

BIN = $(VENV)/bin
PY = $(BIN)/python
PYTEST = $(PY) -m pytest $(PYTEST_ARGS)
CHECKED = $(wildcard five_hundred_env baselines examples)
REQUIREMENTS = pyproject.toml constraints/tested.txt

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL = help
.NOTPARALLEL:
.PHONY: help train test test-full test-pure test-lowest test-integrations check format bench ladder \
        baselines constraints clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# --- installing -------------------------------------------------------------------------------------------

$(PY):
	$(PYTHON) -m venv $(VENV)

# `$(VENV)/.installed-train+arena` says that those extras are installed, from these requirements.
$(VENV)/.installed-%: $(REQUIREMENTS) | $(PY)
	@echo "Installing into $(VENV), once; this takes a minute or two."
	@$(PY) -m pip install --quiet $(PIP_ARGS) --constraint constraints/tested.txt \
	    --editable ".[$(subst +,$(comma),$*)]"
	@touch $@

comma := ,
FOR_CHECKS = $(VENV)/.installed-all
# Where everything is installed already, nothing less has to be.
FOR_TESTS = $(or $(wildcard $(FOR_CHECKS)),$(VENV)/.installed-train+arena+render+test)
FOR_TRAINING = $(or $(wildcard $(FOR_CHECKS)),$(VENV)/.installed-train+arena)

.PRECIOUS: $(VENV)/.installed-%

# --- the two commands to begin with -----------------------------------------------------------------------

train: $(FOR_TRAINING) ## train a small agent, play a tournament, print the table, save the plot
	$(PY) -m baselines.ppo --config configs/quick.yaml

test: $(FOR_TESTS) ## run the test suite without the slow tests
	$(PYTEST) -n $(JOBS) --dist loadfile

# --- more tests -------------------------------------------------------------------------------------------

test-full: $(FOR_TESTS) ## run every test, the slow ones too
	$(PYTEST) -n $(JOBS) --dist loadfile -m "slow or not slow"

PURE_TESTS ?= $(addprefix tests/,agents agreement cli envs golden laws records reference render rules)
test-pure: $(FOR_TESTS) ## run the tests of the rules without the compiler
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(JOBS) --dist loadfile $(wildcard $(PURE_TESTS))

LOWEST_TESTS ?= tests/envs tests/rules
LOWEST = .venv-lowest
test-lowest: $(LOWEST)/.installed ## run the environments on the lowest versions allowed
	$(LOWEST)/bin/python -m pytest $(PYTEST_ARGS) -n $(JOBS) -W default $(wildcard $(LOWEST_TESTS))

$(LOWEST)/.installed: pyproject.toml constraints/lowest.txt
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet $(PIP_ARGS) --constraint constraints/lowest.txt \
	    --editable ".[render,test]"
	@touch $@

# One library a file of constraints/integrations/, each in an environment of its own.
INTEGRATIONS = $(patsubst constraints/integrations/%.txt,%,$(wildcard constraints/integrations/*.txt))
test-integrations: ## learn with each supported library; the last lines say how each went
	@said=""; bad=0; for name in $(INTEGRATIONS); do \
	    echo "--- $$name"; \
	    if ! $(MAKE) --no-print-directory .venv-$$name/.installed; then went="could not be installed"; bad=1; \
	    elif ! $(MAKE) --no-print-directory test-integration-$$name; then went="failed"; bad=1; \
	    else went="passed"; fi; \
	    said="$$said$$(printf '%-12s %s' "$$name" "$$went")\n"; \
	done; printf "\n$$said"; exit $$bad

test-integration-%: .venv-%/.installed ## (a library's name) learn with one library
	.venv-$*/bin/python -m pytest $(PYTEST_ARGS) -W default -m "slow or not slow" \
	    tests/integrations/test_$*.py

.venv-%/.installed: pyproject.toml constraints/integrations/%.txt
	$(PYTHON) -m venv --clear .venv-$*
	.venv-$*/bin/python -m pip install --quiet $(PIP_ARGS) \
	    --requirement constraints/integrations/$*.txt --editable ".[arena,test]"
	@touch $@

.PRECIOUS: .venv-%/.installed

# --- quality ----------------------------------------------------------------------------------------------

check: $(FOR_CHECKS) ## formatting, lint, types, floors and spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(CHECKED)
	$(BIN)/lint-imports --no-logo
	$(BIN)/codespell

format: $(FOR_CHECKS) ## format the sources and mend what can be mended
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# --- figures ----------------------------------------------------------------------------------------------

bench: $(FOR_TRAINING) .venv-bench/.installed ## compare speed with other libraries, write docs/benchmarks.md
	$(PY) -m benchmarks.run --peers .venv-bench/bin/python $(BENCH_ARGS)

# Where one library can not be had, the others are installed all the same; the page says which is missing.
.venv-bench/.installed: constraints/bench.txt
	$(PYTHON) -m venv --clear .venv-bench
	.venv-bench/bin/python -m pip install --quiet $(PIP_ARGS) --requirement $< || \
	    grep -v '^#' $< | xargs -n 1 .venv-bench/bin/python -m pip install --quiet --no-deps $(PIP_ARGS) || true
	@touch $@

ladder: $(FOR_TRAINING) ## play the built-in agents against each other
	$(BIN)/five-hundred tournament --config configs/tournaments/ladder.yaml

# Each step goes on where it was stopped; a step that is done is not done again.
baselines: $(FOR_TRAINING) ## train the shipped agent from nothing (four to five hours)
	$(PY) -m baselines.labels --config configs/labels.yaml
	$(PY) -m baselines.imitation --config configs/learned_imitation.yaml
	$(PY) -m baselines.ppo --config configs/learned.yaml
	$(PY) -m baselines.ppo --config configs/learned_defence.yaml
	$(PY) -m baselines.ppo --config configs/learned_games.yaml
	$(PY) -m baselines.ship $(foreach run,learned learned_defence learned_games,runs/$(run)/policy.safetensors)

# --- housekeeping -----------------------------------------------------------------------------------------

constraints: ## resolve every extra anew and write the tested set
	$(PYTHON) -m venv --clear .venv-constraints
	.venv-constraints/bin/python -m pip install --quiet $(PIP_ARGS) --editable ".[all]" "torch==2.13.0"
	sed -n '/^#/p' constraints/tested.txt > .venv-constraints/tested.txt
	.venv-constraints/bin/python -m pip freeze --exclude-editable | sed 's/+.*//' | sort -f \
	    >> .venv-constraints/tested.txt
	mv .venv-constraints/tested.txt constraints/tested.txt

clean: ## remove environments, caches and builds; keep runs/
	rm -rf .venv .venv-* build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
