#!/usr/bin/env bash
# Apache Superset on the tables of a running `make serve`: a dataset and a chart for each headline table.
# It runs on http://127.0.0.1:8088/ (admin, admin) until Ctrl-C; with `--once` it ends once the charts exist.
set -euo pipefail
cd "$(dirname "$0")/../.."
export SUPERSET_HOME=${SUPERSET_HOME:-$PWD/.superset}
export SUPERSET_CONFIG_PATH=$PWD/scripts/bi/superset_config.py FLASK_APP='superset.app:create_app()'
mkdir -p "$SUPERSET_HOME"
# key for the sessions on this machine; each start creates a new one
SUPERSET_SECRET_KEY=$(.venv/bin/python -c 'import secrets; print(secrets.token_hex(32))')
export SUPERSET_SECRET_KEY
BIN=${SUPERSET_VENV:-$SUPERSET_HOME/venv}/bin
if [ ! -x "$BIN/superset" ]; then
    echo "superset: installing it into $SUPERSET_HOME/venv (once, 808 MB) ..."
    python3 -m venv "$SUPERSET_HOME/venv"
    "$BIN/pip" --disable-pip-version-check --quiet install --requirement scripts/bi/requirements.txt
fi
rm -f "$SUPERSET_HOME/superset.db"
log=$SUPERSET_HOME/superset.log
echo "superset: starting; its log is $log ..."
{
    "$BIN/superset" db upgrade
    "$BIN/superset" fab create-admin --username admin --password admin --firstname A --lastname A --email admin@localhost
    "$BIN/superset" init
} > "$log" 2>&1
"$BIN/gunicorn" --workers 1 --threads 8 --timeout 300 --bind 127.0.0.1:8088 'superset.app:create_app()' >> "$log" 2>&1 &
trap 'kill %1' EXIT
.venv/bin/python -m scripts.bi.superset
if [ "${1:-}" != --once ]; then
    echo "superset: http://127.0.0.1:8088/ (admin, admin). Ctrl-C stops it."
    wait %1
fi
