# jasshaus: `make` lists what there is.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the last release promised; `make lint` compares the contracts with it.
RELEASED := $(lastword $(shell ls -d tests/upgrade/released/* | sort --version-sort))
PROTOS := $(shell find proto -name '*.proto')
ARGS ?=
# Tests wait more than they compute: twice as many workers as processors. Which tests stay together: tests/tiers.py.
WORKERS ?= $(shell expr 2 '*' "$$(nproc)")
SPREAD = -n $(WORKERS) --dist loadscope --no-loadscope-reorder
# `make setup COMPILED=1` compiles rules and bots, `make setup` takes that back; other targets keep what they find.
COMPILED ?= $(if $(filter setup,$(MAKECMDGOALS)),,$(wildcard $(VENV)/.compiled))
MODULES := $(shell find services/jasshaus/rules services/jasshaus/bots -name '*.py')
EXTENSIONS := services/*.so services/jasshaus/rules/*.so services/jasshaus/rules/*/*.so services/jasshaus/bots/*.so services/jasshaus/bots/*/*.so

.DEFAULT_GOAL := help
.PHONY: help setup proto lint format test test-fast docs demo run release baseline bench bench-rules bench-bots bench-floods bench-lobby bench-sweep chaos clean $(VENV)/.plain

help: ## print this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  ARGS are handed on: make demo ARGS=\"--seed 7 --target 500 --stake 200\", make test ARGS=\"tests/wallet\""

setup: $(VENV)/.stamp proto $(VENV)/$(if $(filter-out 0,$(COMPILED)),.compiled,.plain) ## virtual environment, pinned dependencies, generated code (COMPILED=1: rules and bots compiled)

$(VENV)/.stamp: pyproject.toml setup.py constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("jasshaus needs Python 3.11 or newer, this is %s" % sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@echo "Setting up (once, about a minute) ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt setuptools
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --constraint constraints.txt --editable '.[embedded,dev]'
	@touch $@

$(VENV)/.compiled: $(VENV)/.stamp $(MODULES)
	@echo "Compiling rules and bots (about a minute) ..." >&2
	@rm -f $@ $(EXTENSIONS) && mkdir -p build
	@JASSHAUS_COMPILED=1 $(BIN)/python setup.py build_ext --inplace >build/compile.log 2>&1 || { cat build/compile.log; exit 1; }
	@touch $@

# An extension would be taken before the source beside it, however old it is.
$(VENV)/.plain:
	@rm -f $(VENV)/.compiled $(EXTENSIONS)

proto: services/jasshaus/api/.stamp ## generate code from the contracts (never committed)

services/jasshaus/api/.stamp: $(PROTOS) $(VENV)/.stamp
	@rm -rf build/proto && mkdir -p build/proto
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m grpc_tools.protoc --proto_path=proto \
		--python_out=build/proto --grpc_python_out=build/proto \
		--mypy_out=quiet:build/proto --mypy_grpc_out=quiet:build/proto $(PROTOS)
	@find build/proto/jasshaus/api -type d -exec touch {}/__init__.py \;
	@touch build/proto/jasshaus/api/py.typed build/proto/jasshaus/api/.stamp
	@rm -rf services/jasshaus/api && mv build/proto/jasshaus/api services/jasshaus/api
	@rm -rf build/proto && { rmdir build 2>/dev/null || true; }

lint: setup ## style, types, import contracts, protobuf contracts, format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m jasshaus.platform.migrations jasshaus.wallet jasshaus.matchmaking
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code
	$(BIN)/buf breaking --against $(RELEASED)/records/contracts.binpb

format: setup ## write the format that lint checks
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/buf format --write

test: setup ## all tests; servers start by themselves (ARGS="-n 0 tests/wallet": those, one after the other)
	$(BIN)/python -m pytest $(SPREAD) $(ARGS)

test-fast: setup ## what needs no server, and one match over real ones: a minute and a half
	JASSHAUS_TEST_SCALE=$${JASSHAUS_TEST_SCALE:-2} $(BIN)/python -m pytest $(SPREAD) -m fast $(ARGS)

docs: setup ## the documentation as a site, with the API reference: dist/site/index.html
	@$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --doctree-dir dist/.doctrees -b html docs dist/site

demo: setup ## one staked match from an open game to the payout (ARGS="--seed 7 --target 500 --stake 200")
	@$(BIN)/jasshaus demo $(ARGS)

run: setup ## the stack, until Ctrl-C; prints endpoints and tokens
	@exec $(BIN)/jasshaus up $(ARGS)

release: setup ## checks, stamps, freezes and builds a release; commits nothing: VERSION=0.3.0
	@$(BIN)/python deploy/release.py $(VERSION)

baseline: setup ## what a release leaves behind, for tests/upgrade: VERSION=0.3.0; run by a release only
	@$(BIN)/python tests/upgrade/baseline.py tests/upgrade/released/$(VERSION)

bench: setup ## what a move costs, beside the bare round trip to Redis (ARGS="--idle 10000")
	@$(BIN)/python bench/moves.py $(ARGS)

bench-rules: setup ## how fast the rules run, in plain Python and compiled (ARGS="--check")
	@$(BIN)/python bench/rules.py $(ARGS)

bench-floods: setup ## what floods cost a replica and a neighbour (ARGS="half-open": those with that word)
	@$(BIN)/python bench/floods.py $(ARGS)

bench-bots: setup ## how well the bots play; a twentieth of the samples unless ARGS="--check"
	@$(BIN)/python bench/bots.py $(ARGS)

bench-lobby: setup ## what a page of open games costs the service, at 360 and 5,000 (ARGS="--check")
	@$(BIN)/python bench/lobby.py $(ARGS)

bench-sweep: setup ## how long stakes wait after a failover of PostgreSQL, by kept results (ARGS="--check")
	@$(BIN)/python bench/sweep.py $(ARGS)

chaos: setup ## storms of kills, stops and lost writes over a whole stack at play (ARGS="--seed 3 --minutes 5")
	@exec $(BIN)/python bench/chaos.py $(ARGS)

clean: ## remove what setup made and the embedded stack's data
	rm -rf $(VENV) services/jasshaus/api build dist *.egg-info services/*.egg-info .jasshaus
	rm -f $(EXTENSIONS)
