# Two commands do everything: `make run` and `make test`. Both build .venv when it is missing or out of date.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run lab test quick coverage soak check lint format reference proofs lock bench clean

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# --no-deps: the locks name everything, and pip would otherwise look for newer releases of what they pin.
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps

# lab_ratios runs exact_edges, simulated_rounds and counted_states in one table.
FIGURES := settle_round conclusive_after_every_card table_rounds lab_ratios gpu_rounds bare_append durable_bets \
           auto_tables three_processes live_streams watched_pages player_pages memory_over_events verify_house \
           opening_house command_start

# Few cores have a worker and a half each: workers wait for pages, disks and processes half of their time.
CORES   := $(shell $(PYTHON) -c 'import os; print(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())')
WORKERS ?= $(shell echo $$(( $(CORES) > 4 ? $(CORES) : ($(CORES) * 3 + 1) / 2 )))
TESTS    = $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal
# Whatever one worker, or a process that a test starts, compiles is there for all the others.
export PYTHONDONTWRITEBYTECODE :=

# What most changes break first, in under a minute on two cores.
QUICK := $(addprefix src/lammer/,rulebook game table draw wording) tests/test_rooms.py tests/rulebook tests/game tests/table \
         tests/paragraphs tests/scenarios tests/draw tests/wording tests/floor/tables/test_house.py \
         tests/floor/views/test_finding.py

help:
	@echo "make run    open a house of tables and print its address (sets itself up the first time)"
	@echo "make lab    what simulating, counting and charts need besides"
	@echo "make test   everything CI runs: make check and the tests"
	@echo "make quick  the tests most changes break first, in under a minute"
	@echo "make coverage  the tests once more, and which lines and branches none of them reached"
	@echo "make check  ruff, mypy --strict, import-linter"
	@echo "make soak   random walks, kills and simulations, many times longer"
	@echo "make bench  the figures in benchmarks/"
	@echo "make proofs  every theorem of every rulebook proved anew, and the certificates written"
	@echo "make reference / make lock / make format / make clean: see CONTRIBUTING.md"

run: $(VENV)/ready-run
	@$(BIN)/lammer serve --test-players 3

lab: $(VENV)/ready-dev

test: lint
	@echo "tests on every core, and mypy --strict beside them"
	@said=$$(mktemp); $(BIN)/mypy > $$said 2>&1 & types=$$!; trap "kill $$types" INT TERM; \
	  $(TESTS); tests=$$?; wait $$types; types=$$?; cat $$said; rm $$said; exit $$((tests || types))

quick: $(VENV)/ready-dev
	@$(BIN)/ruff check -q . && $(BIN)/lint-imports --no-logo > /dev/null
	@$(TESTS) -m "not slow" $(QUICK)

coverage: $(VENV)/ready-dev
	@LAMMER_KILL_CYCLES=4 $(TESTS) -m "not exhaustive" --cov --cov-report=term-missing:skip-covered

soak: $(VENV)/ready-dev
	@echo "random walks of a table, two million steps"
	@LAMMER_WALK_STEPS=2000000 $(BIN)/python -m pytest -n auto -q tests/properties/test_table_walks.py
	@echo "the table and the plain table, two million steps"
	@LAMMER_WALK_STEPS=2000000 $(BIN)/python -m pytest -n auto -q --timeout 0 tests/properties/test_second_table.py
	@echo "the house in the simulator, an hour"
	@LAMMER_SIMULATOR_MINUTES=60 $(BIN)/python -m pytest -q -s --timeout 0 tests/simulator -k hour
	@echo "every reader over a disk that hangs, fails and refuses, ten thousand steps"
	@LAMMER_READER_STEPS=10000 $(BIN)/python -m pytest -q --timeout 0 tests/floor/views/test_durable_readers.py -k walk
	@echo "kill -9 at random moments, 200 times on each store"
	@LAMMER_KILL_CYCLES=200 $(BIN)/python -m pytest -n auto -q tests/floor -k kill
	@echo "a hundred thousand training items against brute force and the plain table"
	@LAMMER_ACADEMY_ITEMS=100000 $(BIN)/python -m pytest -n auto -q tests/academy/test_items_graded.py
	@echo "every theorem of every rulebook, every single change of a document, every seeded fault"
	@LAMMER_PROOFS=1 $(BIN)/python -m pytest -n auto -q --timeout 0 tests/proof
	@echo "every bet of every rulebook over a hundred million rounds"
	@LAMMER_SIM_ROUNDS=1e8 $(BIN)/python -m pytest -q tests/lab/test_simulate.py -k within_four

check: lint
	@echo "mypy --strict" && $(BIN)/mypy

lint: $(VENV)/ready-dev
	@echo "ruff"          && $(BIN)/ruff check . && $(BIN)/ruff format --check --quiet .
	@echo "import-linter" && $(BIN)/lint-imports --no-logo

bench: $(VENV)/ready-dev
	@for name in $(FIGURES); do echo "$$name"; $(BIN)/python benchmarks/$$name.py || exit 1; done

format: $(VENV)/ready-dev
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

reference: $(VENV)/ready-dev
	@$(BIN)/python tools/reference.py

proofs: $(VENV)/ready-dev
	@$(BIN)/python tools/proofs.py

# Needs `uv` on the path. The lock names versions and hashes, never where they are fetched from.
lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --extra build --extra floor pyproject.toml -o requirements/run.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --extra build --extra dev --extra lab --extra cluster --extra parquet --extra proof --extra floor pyproject.toml -o requirements/dev.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist

$(VENV)/python-ready:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Lammer needs Python 3.11 or later; \"$(PYTHON)\" is `$(PYTHON) --version 2>&1`. Try: make PYTHON=python3.12"; exit 1; }
	@echo "making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "Python's venv module is missing; on Debian: apt install python3-venv"; rm -rf $(VENV); exit 1; }
	@touch $@

$(VENV)/ready-run: requirements/run.txt pyproject.toml | $(VENV)/python-ready
	@echo "installing what Lammer runs on (pinned and hashed in $<)"
	@$(PIP) -r $<
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/ready-dev: requirements/dev.txt $(VENV)/ready-run
	@echo "installing what the tests run on (pinned and hashed in $<)"
	@$(PIP) -r $<
	@touch $@
