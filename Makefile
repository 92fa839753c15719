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
# What is imported is compiled then: most of it never is.
install = $(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile

# Tests start many processes; what they import is compiled once, and kept apart from the sources.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/pycache

.PHONY: help
help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---------------------------------------------------------------- environments

.PHONY: setup
setup: .venv/requirements .venv/package  ## make .venv from the lock, with faregate installed in it (nothing to do if up to date)

# What running needs comes first, so that `make run` waits for no tools of development.
.venv/running: requirements/run.txt
	$(check_python)
	@echo "making .venv: half a minute"
	$(PYTHON) -m venv --clear $(@D)
	$(install) --require-hashes -r $<
	touch $@

.venv/package: .venv/running pyproject.toml
	$(install) --no-deps --no-build-isolation -e .
	touch $@

.venv/requirements: requirements/dev.txt .venv/running
	@echo "adding what tests and checks need: a minute"
	$(install) --require-hashes -r $<
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

# Generators of clients, with what their clients import; those for TypeScript are made by npm.
.venv-clients/requirements: requirements/clients.txt
	$(check_python)
	$(PYTHON) -m venv --clear $(@D)
	$(install) --require-hashes -r $<
	touch $@

clients := tests/system/clients
$(clients)/node_modules/.package-lock.json: $(clients)/package-lock.json
	@command -v npm >/dev/null || { echo "make clients needs Node.js with npm: tools/debian-packages.sh clients" >&2; exit 1; }
	npm ci --prefix $(clients) --loglevel=error
	touch $@

# pytest and hypothesis only: what passes here needs neither numpy nor pydantic.
.venv-bare/requirements: requirements/bare.txt
	$(check_python)
	$(PYTHON) -m venv --clear $(@D)
	$(install) --require-hashes -r $<
	touch $@

# ---------------------------------------------------------------- use

.PHONY: run
run: .venv/package  ## price the example basket, then serve the demo resort on port 8000, for this machine only
	.venv/bin/faregate price examples/basket.json
	@echo "each amount explained: .venv/bin/faregate price examples/basket.json --explain"
	.venv/bin/faregate serve --dev

.PHONY: test
test: setup  ## run all tests and doctests, the laws with few examples; what is slow is run by `make check`
	.venv/bin/pytest --numprocesses=auto --dist=worksteal --hypothesis-profile=brief -m "not slow" \
		--ignore=tests/system/faults --ignore=tests/system/conformance --ignore=$(clients)

# The rooms are those of the sources; in the core, in columns, over HTTP and on the command line they have one name.
houses := $(wildcard $(foreach house,core batch http server cli,tests/$(house)/*/) tests/frames/ tests/files/ tests/plot/)
rooms := $(sort $(filter-out __pycache__,$(notdir $(patsubst %/,%,$(houses)))))

.PHONY: quick
quick: setup  ## run the tests of one room, in seconds: make quick ROOM=discounts
	$(if $(filter $(rooms),$(ROOM)),,$(error ROOM is one of: $(rooms)))
	.venv/bin/pytest --quiet --numprocesses=2 --dist=worksteal --hypothesis-profile=brief -m "not slow" \
		$(filter %/$(ROOM)/,$(houses))

# Three at a time on two cores: these tests, like those of faults, wait nearly as long as they compute.
waiting := --numprocesses=$$(( $$(getconf _NPROCESSORS_ONLN) * 3 / 2 ))

.PHONY: slow
slow: setup  ## run PostgreSQL, processes, installs, notebooks and long pages: what `make test` leaves out
	.venv/bin/pytest --quiet $(waiting) --dist=worksteal --hypothesis-profile=brief \
		-m "slow and not long" --ignore=tests/system --ignore=tests/repository/documentation/test_extras.py

.PHONY: long
long: setup  ## run what `make slow` leaves out: PostgreSQL behind every test over HTTP, 20,000 orders returned, 400 random catalogues, all notebooks
	.venv/bin/pytest --quiet --numprocesses=auto --dist=worksteal --hypothesis-profile=brief -m long --ignore=tests/system

.PHONY: laws
laws: setup  ## run the laws and searches with many examples
	.venv/bin/pytest --quiet --numprocesses=auto --dist=worksteal -m "search or hypothesis" --ignore=tests/system

# Databases of other tests are in memory, where there is some.
on_disk := TMPDIR=$${TMPDIR:-/tmp}

.PHONY: faults
faults: setup  ## kill the service 1,000 times under load, take away disk, database and memory; look for what was lost
	$(on_disk) FAREGATE_KILLS=1000 FAREGATE_OUTAGES=20 FAREGATE_WALKS=100 FAREGATE_LINES=1000 FAREGATE_SLOW_CLIENTS=300 \
		FAREGATE_LARGE_BODIES=1000 FAREGATE_SELL_OUTS=20 .venv/bin/pytest -rP --show-capture=stdout -o faulthandler_timeout=0 --numprocesses=2 \
		tests/system/faults

.PHONY: faults-brief
faults-brief: setup  ## the same for a minute (FAREGATE_SEED repeats a run)
	$(on_disk) .venv/bin/pytest --quiet -o faulthandler_timeout=0 --numprocesses=3 tests/system/faults

.PHONY: conformance
conformance: setup  ## hold the service against its OpenAPI document in 10,000 cases (repeated with FAREGATE_SEED)
	FAREGATE_CASES=10000 .venv/bin/pytest --quiet -rP -o faulthandler_timeout=0 --numprocesses=2 tests/system/conformance

.PHONY: conformance-brief
conformance-brief: setup  ## the same in 1,000 cases
	FAREGATE_CASES=1000 .venv/bin/pytest --quiet -rP -o faulthandler_timeout=0 --numprocesses=2 tests/system/conformance

.PHONY: model
model: setup  ## a million steps of the rule machine against a model on paper (FAREGATE_SEED repeats a walk)
	FAREGATE_STEPS=1000000 .venv/bin/pytest --quiet --capture=no -o faulthandler_timeout=0 --numprocesses=2 \
		tests/system/model/test_valley.py

.PHONY: model-brief
model-brief: setup  ## the same in 5,000 steps
	FAREGATE_STEPS=5000 .venv/bin/pytest --quiet -rP -o faulthandler_timeout=0 --numprocesses=2 tests/system/model/test_valley.py

.PHONY: breaks
breaks: setup  ## break rules of the service on purpose, and see that the rule machine finds each
	.venv/bin/pytest --quiet -o faulthandler_timeout=0 --numprocesses=2 tests/system/model/test_breaks.py

.PHONY: engines
engines: .venv-engines/requirements  ## run the tests of data frames with pandas 2 and PySpark (Java: tools/debian-packages.sh)
	PYTHONPATH=src .venv-engines/bin/python -m pytest tests/frames

.PHONY: extras
extras: setup  ## install the built wheel with each extra in new environments, and run calls, guides and notebooks (needs an index)
	FAREGATE_EXTRAS=installed .venv/bin/pytest -o faulthandler_timeout=0 --numprocesses=2 \
		tests/repository/installs tests/repository/documentation/test_extras.py

.PHONY: clients
clients: setup .venv-clients/requirements $(clients)/node_modules/.package-lock.json  ## generate clients with four generators, and shop with each (Node.js, Java: tools/debian-packages.sh)
	@command -v java >/dev/null || { echo "make clients needs Java 17: tools/debian-packages.sh clients" >&2; exit 1; }
	.venv/bin/pytest --quiet -o faulthandler_timeout=0 --numprocesses=2 $(clients)

.PHONY: clients-brief
clients-brief: setup .venv-clients/requirements  ## the same with the one generator that needs nothing but Python
	.venv/bin/pytest --quiet $(clients)/test_clients.py::test_openapi_python_client

page := tests/system/browser/test_shop_page.py

.PHONY: browser
browser: setup  ## run the tests in a real browser (Chromium: tools/debian-packages.sh)
	FAREGATE_BROWSER=required .venv/bin/pytest tests/system/browser

.PHONY: browser-brief
browser-brief: setup  ## the same with one page, where a browser is installed
	.venv/bin/pytest --quiet $(page)

.PHONY: bench
bench: setup  ## measure, and compare with peers
	.venv/bin/pytest benchmarks --benchmark-only --benchmark-warmup=on --benchmark-disable-gc \
		--benchmark-sort=name --benchmark-group-by=group --benchmark-columns=min,median,iqr,rounds

.PHONY: load
load: setup  ## load the server, beside raw ASGI (wrk: tools/debian-packages.sh load; ten minutes)
	.venv/bin/python -m benchmarks.http_compare --only gate validities read write add

.PHONY: soak
soak: setup  ## serve a mixed load for FAREGATE_MINUTES (30), and see that nothing grows
	.venv/bin/python -m benchmarks.soak

.PHONY: rush
rush: setup  ## let five times as many customers arrive as can be served, and see who gets to pay (a minute)
	.venv/bin/python -m benchmarks.rush

.PHONY: bench-compare
bench-compare: .venv-peers/package .venv-peers/node  ## measure beside what one would use instead (fifteen minutes)
	.venv-peers/bin/python -m benchmarks.comparison --output build/comparison.md

# ---------------------------------------------------------------- checks

# Examples and vectors of the core; its laws reach no line of their own, and some need more than pytest and Hypothesis.
without_laws := --hypothesis-profile=brief -m "not long and not search" --ignore-glob='tests/core/*_laws.py'

.PHONY: check lint types contracts coverage bare
check: setup  ## all checks: lint, types, imports, docs, coverage, bare core, slow tests, and a short run of each long one
	$(MAKE) --jobs=2 --output-sync=target lint types contracts docs bare
	$(MAKE) coverage slow conformance-brief faults-brief
	$(MAKE) --jobs=2 --output-sync=target clients-brief model-brief browser-brief

# What is too long for `make check`; run by hand before a release.
.PHONY: release
release: check long laws conformance clients faults model breaks engines extras browser  ## all checks, and those that are too long for `make check`

lint: setup
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/python tools/plain_english.py

types: setup
	.venv/bin/mypy
	.venv/bin/pyright --project tests/repository/consumer --pythonpath .venv/bin/python

contracts: setup
	.venv/bin/lint-imports

# With CI set, laws of columns and frames draw the same examples in every run, and so reach the same lines.
coverage: setup
	CI=1 .venv/bin/pytest --quiet --numprocesses=auto --dist=worksteal $(without_laws) --cov=faregate --cov-branch \
		--cov-report=term-missing:skip-covered --cov-fail-under=100 \
		tests/core tests/batch tests/frames tests/plot \
		--deselect=tests/plot/test_appearance.py::test_text_is_legible_and_does_not_overlap \
		tests/repository/architecture/test_public_names.py \
		tests/files/test_document_schemas.py tests/files/test_values_in_other_libraries.py \
		tests/files/test_changed_catalogues.py

bare: .venv-bare/requirements
	PYTHONPATH=src .venv-bare/bin/python -m pytest --quiet $(without_laws) tests/core

.PHONY: docs
docs: setup  ## build the documentation, with its references, into build/docs (open build/docs/index.html)
	.venv/bin/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going --conf-dir docs --doctree-dir build/doctrees \
		. build/docs

.PHONY: mutants
mutants: setup  ## break the core in 25,000 places and print the changes that no test notices (an hour and a half)
	.venv/bin/python tools/mutants.py

# ---------------------------------------------------------------- upkeep

# Extras keep their names: older versions of pip look for a pin of `coverage[toml]`, not of `coverage`.
compile = .venv-lock/bin/uv pip compile --no-config --upgrade --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header --no-strip-extras

.PHONY: lock
lock:  ## renew requirements/*.txt to the newest versions
	$(check_python)
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(compile) --extra all pyproject.toml requirements/dev.in --output-file requirements/dev.txt
	$(compile) --constraints requirements/dev.txt --extra all pyproject.toml requirements/run.in --output-file requirements/run.txt
	$(compile) --constraints requirements/dev.txt requirements/bare.in --output-file requirements/bare.txt
	$(compile) requirements/engines.in --output-file requirements/engines.txt
	$(compile) --constraints requirements/dev.txt requirements/peers.in --output-file requirements/peers.txt
	$(compile) requirements/clients.in --output-file requirements/clients.txt
	rm -rf .venv-lock

.PHONY: clean
clean:  ## remove environments, caches and build results
	rm -rf .venv .venv-bare .venv-clients .venv-engines .venv-lock .venv-peers dist build .coverage .benchmarks .hypothesis \
		.import_linter_cache .mypy_cache .pytest_cache .ruff_cache $(node)/node_modules $(clients)/node_modules
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
