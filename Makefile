# Needs Python 3.11 to 3.13 and make; everything else comes from the package registry, in the
# exact versions of requirements/lock.txt. `make help` lists the targets.
#
#   make test PYTHON=python3.12 VENV=.venv-3.12    another interpreter, beside the usual one
#   make test ARGS="-k launch"                     arguments for pytest

VENV ?= .venv
ARGS ?=
JOBS ?= 2
DATA ?= ../shared/bench
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input

# The first interpreter that really runs and can make environments: a name on the PATH may
# be a shim for a version that is not installed.
FIT = import ensurepip, sqlite3, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3 python; do \
	$$python -c '$(FIT)' >/dev/null 2>&1 && { echo $$python; break; }; done)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check deep bench bench-turn bench-paraphrases eval-retrieval build lock test-lowest clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | \
	while IFS='|' read -r name text; do printf '  make %-17s %s\n' "$$name" "$$text"; done

demo: $(VENV)/.ready ## show the main job, every answer checked
	@$(BIN)/langgraph-memory demo

test: $(VENV)/.ready ## the test suite
	@$(PY) -m pytest -n $(JOBS) $(ARGS)

check: $(VENV)/.ready ## style, types, layers
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(BIN)/lint-imports --no-logo

deep: $(VENV)/.local-model ## the tests that take minutes
	@$(PY) -m pytest -m deep $(ARGS)

bench: $(VENV)/.bench ## the stores side by side; ARGS="--sizes 1000" for a short run
	@$(PY) -m benchmarks.store $(ARGS)

bench-turn: $(VENV)/.ready ## what memory adds to a turn
	@$(PY) -m benchmarks.turn $(ARGS)

bench-paraphrases: $(VENV)/.ready ## how surely a fact is known again in other words
	@$(PY) -m benchmarks.paraphrases $(ARGS)

eval-retrieval: $(VENV)/.ready ## what retrieval finds; DATA=folder of evaluation sets
	@$(PY) -m langgraph_memory.evaluation.retrieval --data $(DATA) $(ARGS)

# The dependency group of one target alone, read by hand: older pips know no groups. Where its
# packages cannot be had, the target says what it leaves out.
$(VENV)/.bench $(VENV)/.local-model: $(VENV)/.%: $(VENV)/.ready
	@$(PY) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["$*"], sep="\n")' \
		| $(PIP) install -qq --no-deps -r /dev/stdin || true
	@touch $@

# --- Environments -------------------------------------------------------------------------
# Two stamps: a changed lock makes the environment anew (nothing of the old one may linger), a
# changed pyproject.toml only installs the project again.

$(VENV)/.ready: $(VENV)/.locked pyproject.toml
	@$(PIP) install -qq --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.locked: requirements/lock.txt
	$(call environment,$(VENV),$<)

# $(1) the folder, $(2) the file of exact versions
define environment
@test -n "$(PYTHON)" && $(PYTHON) -c '$(FIT)' || { \
	echo "Python 3.11, 3.12 or 3.13 with venv is needed; name it: make PYTHON=/path/to/python" >&2; \
	echo "(on Debian and Ubuntu, venv is the package python3-venv)" >&2; exit 1; }
@echo "Installing $(2) into $(1): a minute or two, once"
@rm -rf $(1)
@$(PYTHON) -m venv $(1)
@$(1)/bin/python -m pip --disable-pip-version-check --no-input \
	install -qq --no-deps --require-hashes -r $(2)
@touch $(1)/.locked
endef

# --- Versions -----------------------------------------------------------------------------

TOOLS := .venv-tools
COMPILE := $(TOOLS)/bin/uv pip compile pyproject.toml --quiet --no-config --upgrade --universal \
	--python-version 3.11 --extra agents --extra dev-server --group dev \
	--generate-hashes --no-annotate --custom-compile-command "make lock"

lock: $(TOOLS)/.locked ## newest and lowest versions that the ranges of pyproject.toml allow
	$(COMPILE) --output-file requirements/lock.txt >/dev/null
	$(COMPILE) --resolution lowest-direct --output-file requirements/lowest.txt >/dev/null

test-lowest: .venv-lowest/.ready ## the test suite on the lowest versions
	@.venv-lowest/bin/python -m pytest -n $(JOBS) $(ARGS)

.venv-lowest/.ready: .venv-lowest/.locked pyproject.toml
	@.venv-lowest/bin/python -m pip --disable-pip-version-check --no-input \
		install -qq --no-deps --no-build-isolation --editable .
	@touch $@

.venv-lowest/.locked: requirements/lowest.txt
	$(call environment,.venv-lowest,$<)

$(TOOLS)/.locked: requirements/tools.txt
	$(call environment,$(TOOLS),$<)

# --- Packages -----------------------------------------------------------------------------

build: $(VENV)/.ready ## wheel and source archive, looked into
	@rm -rf dist
	@$(PY) -m build --no-isolation --outdir dist .
	@$(PY) requirements/look_into.py dist

clean: ## remove environments, caches and packages
	rm -rf .venv .venv-* build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
