#!/usr/bin/env bash
# demo.sh [ARGUMENT...]: installs what is missing, builds the programs and runs the demo.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/packages.sh
scripts/build.sh release
exec build/release/bin/proffer-demo "$@"
