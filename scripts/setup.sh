#!/usr/bin/env bash
# Makes .venv with the locked dependencies and the package itself. Stops with one line on what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "setup: $*" >&2; exit 1; }

# In a list of folders a colon ends one; the scripts in .venv/bin are found by a shell, to which the others mean more.
case $PWD in
    *[:\"\`\$\\]* | *$'\n'*) fail "the path of this clone has one of : \" \` \$ \\ or a new line, which Python's environments cannot have: $PWD; move the clone." ;;
esac

python=$(command -v "${PYTHON:-python3}") || fail "Python 3.10 or newer was not found; install it, or set PYTHON."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
    || fail "$("$python" --version) is too old; install Python 3.10 or newer, or set PYTHON."
"$python" python_loaders/dbt_sync_logs/java.py || exit 1

# One that was cut off, or that belonged to a Python which is gone, is of no use.
if ! .venv/bin/python -m pip --version > /dev/null 2>&1; then
    rm -rf .venv
    "$python" -m venv .venv > /dev/null 2>&1 || {
        rm -rf .venv
        fail "$python could not make the environment .venv; on Debian and Ubuntu install python3-venv, or set PYTHON to another Python."
    }
fi
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
