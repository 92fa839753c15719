# Everything runs in .venv, made from the lock; the only things needed beforehand are make and Python >= 3.11 with venv.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first interpreter that is new enough; PYTHON=... on the command line or in the environment overrides it.
new_enough := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,$(shell $(name) -c '$(new_enough)' 2>/dev/null && echo $(name))))

check_python = @"$(PYTHON)" -c '$(new_enough)' 2>/dev/null || { \
	echo "faregate needs Python 3.11 or newer with venv; name one with: make PYTHON=/path/to/python3" >&2; exit 1; }
install = $(@D)/bin/python -m pip install --quiet --disable-pip-version-check

.PHONY: help
help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---------------------------------------------------------------- environments

.PHONY: setup
setup: .venv/package  ## make .venv from the lock, with faregate installed in it (nothing to do if up to date)

.venv/requirements: requirements/dev.txt
	$(check_python)
	$(PYTHON) -m venv --clear $(@D)
	$(install) --require-hashes -r $<
	touch $@

.venv/package: .venv/requirements pyproject.toml
	$(install) --no-deps --no-build-isolation -e .
	touch $@

# pandas 2 and Spark, which `make test` leaves out.
.venv-engines/requirements: requirements/engines.txt
	$(check_python)
	$(PYTHON) -m venv --clear $(@D)
	$(install) --require-hashes -r $<
	touch $@

# What only `make bench-compare` needs.
.venv-peers/requirements: requirements/peers.txt
	$(check_python)
	$(PYTHON) -m venv --clear $(@D)
	$(install) --require-hashes -r $<
	touch $@

.venv-peers/package: .venv-peers/requirements pyproject.toml
	$(install) --no-deps --no-build-isolation -e .
	touch $@

# Without npm the comparison leaves the peers in JavaScript out, and says so.
node := benchmarks/comparison/node
.venv-peers/node: $(node)/package-lock.json .venv-peers/requirements
	npm ci --prefix $(node) --loglevel=error && touch $@ || echo "no npm: peers in JavaScript are left out" >&2

# pytest and hypothesis only: what passes here needs neither numpy nor pydantic.
.venv-bare/requirements: requirements/bare.txt
	$(check_python)
	$(PYTHON) -m venv --clear $(@D)
	$(install) --require-hashes -r $<
	touch $@

# ---------------------------------------------------------------- use

.PHONY: run
run: setup  ## price the example basket, then serve the demo resort on port 8000, for this machine only
	.venv/bin/faregate price examples/basket.json
	.venv/bin/faregate serve --dev

.PHONY: test
test: setup  ## run all tests and doctests
	.venv/bin/pytest --numprocesses=auto

.PHONY: faults
faults: setup  ## kill the service 200 times under load, and look for what was lost
	FAREGATE_KILLS=200 .venv/bin/pytest -o faulthandler_timeout=0 tests/http/test_crashes.py

.PHONY: engines
engines: .venv-engines/requirements  ## run the tests of data frames with pandas 2 and PySpark (Java: tools/debian-packages.sh)
	PYTHONPATH=src .venv-engines/bin/python -m pytest tests/frames

.PHONY: browser
browser: setup  ## run the tests in a real browser (Chromium: tools/debian-packages.sh)
	FAREGATE_BROWSER=required .venv/bin/pytest tests/browser

.PHONY: bench
bench: setup  ## measure, and compare with peers
	.venv/bin/pytest benchmarks --benchmark-only --benchmark-warmup=on --benchmark-disable-gc \
		--benchmark-sort=name --benchmark-group-by=group --benchmark-columns=min,median,iqr,rounds

.PHONY: bench-compare
bench-compare: .venv-peers/package .venv-peers/node  ## measure beside what one would use instead (fifteen minutes)
	.venv-peers/bin/python -m benchmarks.comparison --output build/comparison.md

# ---------------------------------------------------------------- checks

core_tests := tests/unit tests/laws tests/golden

.PHONY: check lint types contracts docstrings coverage bare
check: lint types contracts docstrings coverage bare  ## lint, types, import contracts, docstrings, core coverage, bare core

lint: setup
	.venv/bin/ruff check
	.venv/bin/ruff format --check

types: setup
	.venv/bin/mypy

contracts: setup
	.venv/bin/lint-imports

docstrings: setup
	.venv/bin/interrogate src

coverage: setup
	.venv/bin/pytest --quiet --numprocesses=auto --hypothesis-profile=dev --cov=faregate --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100 \
		tests/unit tests/golden tests/batch tests/frames tests/plot tests/architecture/test_public_names.py

bare: .venv-bare/requirements
	PYTHONPATH=src .venv-bare/bin/python -m pytest --quiet --hypothesis-profile=brief $(core_tests)

# ---------------------------------------------------------------- upkeep

compile = .venv-lock/bin/uv pip compile --no-config --upgrade --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header

.PHONY: lock
lock:  ## renew requirements/*.txt to the newest versions
	$(check_python)
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(compile) --extra all pyproject.toml requirements/dev.in --output-file requirements/dev.txt
	$(compile) --constraints requirements/dev.txt requirements/bare.in --output-file requirements/bare.txt
	$(compile) requirements/engines.in --output-file requirements/engines.txt
	$(compile) --constraints requirements/dev.txt requirements/peers.in --output-file requirements/peers.txt
	rm -rf .venv-lock

.PHONY: clean
clean:  ## remove environments, caches and build results
	rm -rf .venv .venv-bare .venv-engines .venv-lock .venv-peers dist build .coverage .benchmarks .hypothesis \
		.import_linter_cache .mypy_cache .pytest_cache .ruff_cache $(node)/node_modules
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
