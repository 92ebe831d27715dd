# Two commands are enough on a fresh machine with Python 3.11+ and make:
#
#     make demo     solve a puzzle          make test     check everything
#
# Both make .venv by themselves; a stamp in it tells when pyproject.toml asks for more. pip is
# run as you have configured it. To use another Python: make PYTHON=python3.12 test

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PUZZLE ?= pentominoes_10x6
SECONDS ?= 300
BOUNDS ?= tests/backends tests/search/test_solve_each.py tests/problem/filters tests/trust/proofs

MADE := $(VENV)/.made
INSTALLED := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev
INSTALLED_BENCH := $(VENV)/.installed-bench

# Without bytecode files, each command that a test starts would compile the sources of the package.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## say what there is to make
	@awk 'BEGIN { FS = ":.*## " } /^[a-z][a-z-]*:.*## / { printf "  make %-13s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: demo
demo: $(INSTALLED) ## install, show a solution of a pentomino box, count all (9,356) and unique (2,339)
	$(BIN)/exactcover solve $(PUZZLE) --first
	$(BIN)/exactcover count $(PUZZLE) --counted all
	$(BIN)/exactcover count $(PUZZLE)

# The checks of types take half a minute on one core, so the tests run beside them.
.PHONY: test
test: $(INSTALLED_DEV) ## all checks and the quick tests, in four minutes on two free cores
	$(MAKE) --no-print-directory -j2 lint test-quick

.PHONY: test-quick
test-quick: $(INSTALLED_DEV) ## the quick tests alone
	$(BIN)/pytest -n 2 --dist loadfile

.PHONY: test-slow
test-slow: $(INSTALLED_DEV) ## every test, the slow ones too, with many new random examples
	$(BIN)/pytest -n 2 --dist loadfile -m "not browser" --hypothesis-profile=many
	$(BIN)/pytest -m "browser and slow" tests/browser

.PHONY: test-pages
test-pages: $(INSTALLED_DEV) ## run every command and every example of the documentation
	$(BIN)/pytest -n 2 -m "not browser" -k "not slow_commands and not all_pictures" \
		tests/docs/test_pages.py tests/docs/test_gallery.py

.PHONY: test-browser
test-browser: $(INSTALLED_DEV) ## use the pages in the Chromium of the system; skipped where there is none
	$(BIN)/pytest -n 3 --dist worksteal -m "browser and not slow" tests/browser

# Bounds are checked in code that is compiled for it, so it has a cache of its own.
.PHONY: test-bounds
test-bounds: $(INSTALLED_DEV) ## the tests of engines and filters, with the bounds of arrays checked
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.numba-bounds $(BIN)/pytest -n 2 \
		-m "slow or not slow" $(BOUNDS)

.PHONY: faults
faults: $(INSTALLED_DEV) ## put in faults, one at a time, that the quick tests must notice
	$(BIN)/python -m tests.faults

.PHONY: fuzz
fuzz: $(INSTALLED_DEV) ## broken and odd files for every reader: make fuzz SECONDS=600
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

.PHONY: verify
verify: $(INSTALLED_DEV) ## compare independent engines on some shipped puzzles of each lattice
	$(BIN)/exactcover verify --time-limit 2 $$(cat tests/trust/verification/sample.txt) || [ $$? = 4 ]

# A puzzle of which no two engines come to an end in time ends it with status 4, a difference with 3.
.PHONY: verify-all
verify-all: $(INSTALLED_DEV) ## the same on every shipped puzzle
	$(BIN)/exactcover verify --time-limit 0.5 $$($(BIN)/python -c \
		"from exactcover.formats.shipped import paths; print(*paths())") || [ $$? = 4 ]

# It skips what build/counts.jsonl has: remove that file to count everything again.
.PHONY: counts
counts: $(INSTALLED_DEV) ## count every known puzzle by two engines, and write the pages of counts
	$(BIN)/python -m counts
	$(BIN)/python -m counts counts/new.csv --limits 600
	$(BIN)/python -m counts.growth
	$(BIN)/python -m counts.pages

.PHONY: lint
lint: $(INSTALLED_DEV) ## style, format, types, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-logo

.PHONY: format
format: $(INSTALLED_DEV) ## mend what ruff can mend
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: docs
docs: $(INSTALLED_DEV) ## build the documentation; a warning is an error
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

.PHONY: pages
pages: $(INSTALLED_DEV) ## rewrite what the pages show of what the program prints
	$(BIN)/python -m tests.docs --update

.PHONY: gallery
gallery: $(INSTALLED_DEV) ## draw the pictures of the pages and the gallery again
	$(BIN)/python docs/pictures/make.py
	$(BIN)/python -m docs.pictures.shelf_list

.PHONY: vendor
vendor: ## bundle three.js for the pages again; needs npm and the network
	tools/three/make.sh

.PHONY: films
films: $(INSTALLED_DEV) ## make the films of the pages again
	$(BIN)/python docs/pictures/films.py

.PHONY: bench
bench: $(INSTALLED_BENCH) ## measure beside other packages, and write docs/speed.md: an hour
	$(BIN)/python benchmarks/bench_peers.py --page docs/speed.md

# It skips what build/sweep.jsonl has: remove that file to measure everything again.
.PHONY: sweep
sweep: $(INSTALLED_DEV) ## compare the defaults with named strategies on every shipped puzzle
	$(BIN)/python -m benchmarks.sweep
	$(BIN)/python -m benchmarks.sweep_table

# Built by way of the sdist, then run from a folder where no checkout can help: so both archives
# are known to hold the puzzle definitions.
.PHONY: wheel
wheel: $(INSTALLED_DEV) ## build sdist and wheel, and try the wheel in an empty environment, then without OR-Tools
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	@set -eu; away=$$(mktemp -d); trap 'rm -rf "$$away"' EXIT; \
	wheel=$$(ls "$$PWD"/dist/*.whl); \
	echo "trying $$wheel in $$away"; \
	$(PYTHON) -m venv "$$away/venv"; \
	"$$away/venv/bin/python" -m pip install --quiet "$$wheel"; \
	cd "$$away"; \
	"$$away/venv/bin/python" -c 'from importlib.resources import files; defs = files("exactcover") / "defs"; assert defs.is_dir(), "the wheel ships no defs"; assert (files("exactcover") / "py.typed").is_file(), "the wheel ships no py.typed"'; \
	"$$away/venv/bin/exactcover" solve $(PUZZLE) --first; \
	"$$away/venv/bin/python" -m exactcover count $(PUZZLE); \
	"$$away/venv/bin/python" -m pip uninstall --quiet --yes ortools pandas; \
	"$$away/venv/bin/exactcover" verify queens_8; \
	if "$$away/venv/bin/exactcover" best assignment; then exit 1; fi

.PHONY: clean
clean: ## remove .venv and all that was built
	rm -rf $(VENV) build dist docs/_build .numba-bounds fuzz-found .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# -- the environment ------------------------------------------------------------------------------

$(MADE):
	@command -v $(PYTHON) >/dev/null || { echo "make: there is no $(PYTHON). exactcover needs Python 3.11 or newer: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is $$($(PYTHON) -V 2>&1). exactcover needs Python 3.11 or newer: make PYTHON=/path/to/python3"; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	@touch $@

# Most of what is installed is never imported, and Python compiles what is: pip need not.
$(INSTALLED): $(MADE) pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable .
	@touch $@

# What the dev extra installs includes what the demo needs.
$(INSTALLED_DEV): $(MADE) pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev,picture,plot,make,cluster,serve]'
	@touch $(INSTALLED) $@

$(INSTALLED_BENCH): $(INSTALLED_DEV)
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[bench]'
	@touch $@
