#!/usr/bin/env bash
# Creates .venv with the locked dependencies and the package itself. If something is missing, stops with one line.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "setup: $*" >&2; exit 1; }

# A colon ends an entry in PATH. A shell runs the scripts in .venv/bin, and the other characters are special to it.
case $PWD in
    *[:\"\`\$\\]* | *$'\n'*) fail "the path of this clone has one of : \" \` \$ \\ or a new line, which virtual environments do not support: $PWD; move the clone." ;;
esac

python=$(command -v "${PYTHON:-python3}") || fail "Python was not found; install Python 3.10 to 3.13, or set PYTHON."
"$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' \
    || fail "$("$python" --version) is not supported; install Python 3.10 to 3.13, or set PYTHON."
"$python" dbt_sync_logs/java.py || exit 1

# An incomplete environment, or one whose Python no longer exists, is useless.
if ! .venv/bin/python -m pip --version > /dev/null 2>&1; then
    rm -rf .venv
    "$python" -m venv .venv > /dev/null 2>&1 || {
        rm -rf .venv
        fail "$python could not create the environment .venv; on Debian and Ubuntu install python3-venv, or set PYTHON to another Python."
    }
fi
echo "setup: installing the locked dependencies into .venv (once; Spark alone is 430 MB) ..."
pip() { .venv/bin/python -m pip --disable-pip-version-check --quiet "$@"; }
pip install --requirement requirements.lock \
    || fail "the dependencies could not be installed; see the lines above."
rm -rf build
pip install --no-deps --no-build-isolation --force-reinstall --editable . \
    || fail "the package could not be installed; see the lines above."
rm -rf build ./*.egg-info
# dbt looks for plugins in the folders that Python searches, which an editable install does not add
.venv/bin/python - << 'END'
import pathlib, sysconfig
folders = [str(pathlib.Path.cwd() / name) for name in ("", "python_loaders", "viewer")]
# Python reads the file in the locale's encoding
line = f"import sys; sys.path += {ascii(folders)}\n"
pathlib.Path(sysconfig.get_path("purelib"), "sync_logs.pth").write_text(line, encoding="ascii")
END
# it belongs to the previously installed Spark; the next demo writes a new one
rm -f .venv/spark-classes.jsa
touch .venv/.ready
echo "setup: .venv is ready."
