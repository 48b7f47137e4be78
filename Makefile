# Every command of the project. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := .venv/bin
READY := .venv/.ready dbt_packages/.ready

export SYNC_LOGS_HOME ?= $(CURDIR)/.sync_logs
export DBT_PROFILES_DIR := $(CURDIR)/profiles

.PHONY: help setup demo check test first-day test-browser test-engines test-faults test-long test-matrix lint docs hub-checklist notices screenshots bench bench-scale serve cluster watch jars report clean

help: ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY) ## Set up only the environment: .venv with locked dependencies, and the dbt packages

.venv/.ready: requirements.lock pyproject.toml scripts/setup.sh
	@scripts/setup.sh

dbt_packages/.ready: packages.yml $(shell find scripts/stand_ins scripts/install_packages.py) | .venv/.ready
	@$(BIN)/python scripts/install_packages.py

demo: $(READY) ## Set up, write the demo lake, build it and print the headline answers
	@$(BIN)/python -m sync_logs_demo.walkthrough

lint: $(READY) ## Check style and types: sqlfluff, ruff, mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@# hides warnings about leaked semaphores when its processes end
	@PYTHONWARNINGS=ignore::UserWarning:multiprocessing.resource_tracker \
		$(BIN)/sqlfluff lint --processes 0 models tests analyses integration_tests/models integration_tests/tests
	@# these queries have Spark's parameter markers instead of macros
	@cd viewer/sync_logs_viewer/questions && "$(CURDIR)/$(BIN)/sqlfluff" lint .

check: $(READY) ## Check in minutes: lint, the oracle, unit tests of the models that differ from SINCE=HEAD
	@$(BIN)/python -m scripts.check --since $(or $(SINCE),HEAD)

# lint belongs to the job `rest`
test: $(READY) $(if $(filter builds vendors,$(JOB)),,lint) ## Set up, then run everything that CI runs: JOB=builds, vendors or rest for a part
	@$(BIN)/python -m scripts.test $(JOB)

docs: $(READY) ## Write the generated pages of docs/, with outputs of a demo build
	@$(BIN)/python -m scripts.pages

hub-checklist: $(READY) ## Check what dbt's package hub demands of a package
	@$(BIN)/python -m scripts.hub_checklist

notices: $(READY) ## Write THIRD_PARTY_NOTICES.md from the lock and the installed packages
	@$(BIN)/python -m scripts.notices

serve: $(READY) ## Serve the pages, on one warm Spark for builds (target `connect`) and BI tools (Thrift)
	@$(BIN)/python -m scripts.serve

cluster: $(READY) ## Like serve, with tasks on a Spark cluster of this machine: a master and two workers
	@$(BIN)/python -m scripts.serve --cluster

watch: $(READY) ## Like serve, and build automatically when the lake has new files
	@SYNC_LOGS_WATCH=1 $(BIN)/python -m scripts.serve

jars: $(READY) ## Download the jars of an engine: FORMAT=delta, iceberg, s3 or postgresql
	@$(BIN)/python -m scripts.jars $(FORMAT)

report: $(READY) ## Write one HTML file with charts: sync_logs_report.html
	@$(BIN)/sync-logs report

bench: $(READY) ## Compare the build with its peers: RECORDS=1000000, KEEP=1 appends to bench_reports.md
	@$(BIN)/python -m scripts.bench --records $(or $(RECORDS),1000000) $(if $(KEEP),--keep)

bench-scale: $(READY) ## Measure files, bytes and shuffle of builds: RECORDS=1000000 SYNCS=4 RUNS=10, CLUSTER=1 on two workers
	@$(BIN)/python -m scripts.bench.scale --records $(or $(RECORDS),1000000) --syncs $(or $(SYNCS),4) --runs $(or $(RUNS),10) $(if $(CLUSTER),--cluster)

screenshots: $(READY) ## Take the screenshots of the docs, while `make serve` runs
	@$(BIN)/python -m scripts.screenshots

test-browser: $(READY) ## Test the pages in Chromium, which must be installed; adds Playwright to .venv
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install --requirement requirements-browser.lock
	@$(BIN)/python -m pytest tests/long/test_browser.py

test-engines: $(READY) ## Test Delta, Iceberg, S3, Thrift, ANSI mode, a cluster; compile for Databricks: hours
	@$(BIN)/python -m scripts.test_engines

test-matrix: $(READY) ## Test other releases of Spark, dbt-core and Python: ONLY=spark3.5 for some
	@$(BIN)/python -m scripts.test_matrix $(ONLY)

first-day: $(READY) ## A new user's first day in a fresh clone, from `make demo` to an upgrade, as a transcript
	@$(BIN)/python -m pytest -s tests/long/test_first_day.py

test-long: $(READY) ## Test crash safety, full disks, more histories, copied warehouses, 20,000 files: hours
	@SYNC_LOGS_CATALOG=hive $(BIN)/python -m pytest tests/long

test-faults: $(READY) ## Put small wrong edits into a copy: do the tests see each? ONLY=viewer for some, SOUND=1: hours
	@PYTHONPATH=tests:integration_tests $(BIN)/python -m faults $(if $(SOUND),--sound) "$(ONLY)"

clean: ## Remove what builds leave behind (the environment stays)
	@rm -rf .sync_logs target logs
