# `make test` is what CI runs; `make demo` shows the product. Both work on a bare clone.
PYTHON ?= python3
EXTRAS ?= dev,docs,lsp,verify
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test lint types unit long harm accuracy format new-rule docs build clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[$(EXTRAS)]'
	@touch $@

COPY := build/demo/train.py

# $(call show,COMMAND,STATUS) prints a command, runs it, and insists on its exit status.
define show
	@printf '\n\033[1m$$ %s\033[0m\n' '$(1)'
	@PATH="$(CURDIR)/$(BIN):$$PATH"; set +e; $(1); test $$? -eq $(2)
endef

demo: $(STAMP)  ## check, trace, repair and run the shipped fixtures
	$(call show,gradlint check fixtures/clip-after-step/buggy.py,1)
	$(call show,gradlint trace fixtures/unscaled-accumulation-loss/buggy.py,0)
	$(call show,gradlint fix fixtures/clip-after-step/buggy.py,1)
	@mkdir -p $(dir $(COPY)) && cp fixtures/clip-after-step/buggy.py $(COPY)
	$(call show,gradlint fix --apply $(COPY),0)
	$(call show,gradlint check $(COPY),0)
	$(call show,gradlint verify --device cpu fixtures/clip-after-step/buggy.py,1)
	$(call show,gradlint verify --device cpu $(COPY),0)
	$(call show,gradlint explain clip-scaled-gradients,0)
	$(call show,gradlint check fixtures/sound,0)
	$(call show,gradlint check --statistics fixtures,1)

test: lint types unit  ## everything CI checks

lint: $(STAMP)  ## ruff: lint and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)  ## mypy --strict
	$(BIN)/mypy

unit: $(STAMP)  ## pytest
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal

long: $(STAMP)  ## the long fuzzing, of which `make test` runs a bounded part
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal -m long

harm: $(STAMP)  ## run every loop of tests/harm as written, as meant and as repaired
	cd tests && ../$(BIN)/python -m harm && ../$(BIN)/python -m harm.tempts

accuracy: $(STAMP)  ## score gradlint and its peers on benchmarks/loops, write docs/accuracy.md
	$(BIN)/python benchmarks/accuracy.py run --write

format: $(STAMP)  ## rewrite the code in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

new-rule:  ## begin a rule: NAME=my-rule [CATEGORY=hygiene] [SEVERITY=warning] [REPAIR=safe|unsafe|none] [OFF=1]
	@$(PYTHON) docs/new_rule.py $(NAME) $(if $(CATEGORY),--category $(CATEGORY)) $(if $(SEVERITY),--severity $(SEVERITY)) $(if $(REPAIR),--repair $(REPAIR)) $(if $(OFF),--off)

docs: $(STAMP)  ## the site in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "build/site/index.html"

build: $(STAMP)  ## sdist and wheel in dist/
	$(BIN)/python -m build --no-isolation

clean:  ## remove everything that the other targets made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .gradlint_cache
