#!/usr/bin/env bash
# Makes .venv with the locked dependencies and the package itself. Stops with one line on what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "setup: $*" >&2; exit 1; }

python=$(command -v "${PYTHON:-python3}") || fail "Python 3.10 or newer was not found; install it, or set PYTHON."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
    || fail "$("$python" --version) is too old; install Python 3.10 or newer, or set PYTHON."

"$python" python_loaders/dbt_sync_logs/java.py || exit 1

[ -x .venv/bin/python ] || "$python" -m venv .venv || fail "the environment .venv could not be made; on Debian install python3-venv."
echo "setup: installing the locked dependencies into .venv (once; Spark alone is 430 MB) ..."
pip() { .venv/bin/python -m pip --disable-pip-version-check --quiet "$@"; }
pip install --requirement requirements.lock \
    || fail "the dependencies could not be installed; see the lines above."
rm -rf build
pip install --no-deps --no-build-isolation --force-reinstall . || fail "the package could not be installed; see the lines above."
rm -rf build ./*.egg-info
# of the Spark that was installed before; the next demo leaves a new one
rm -f .venv/spark-classes.jsa
touch .venv/.ready
echo "setup: .venv is ready."
