#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# retention_oracle.sh TOOL FOLDER: runs the comparison where the oracle's Python is installed.
python="${MOORING_DEPS:-$HOME/.cache/mooring}/oracle-1/bin/python"
if [ ! -x "$python" ]; then
    echo "skipped: the oracle's Python is not installed ($python)"
    exit 77
fi
exec "$python" "$(dirname "$0")/retention_oracle.py" "$@"
