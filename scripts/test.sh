#!/usr/bin/env bash
# test.sh PRESET [CTEST-ARGUMENT...]: installs what is missing, builds and runs the tests of a preset.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
scripts/packages.sh
scripts/build.sh "$preset"
ctest --preset "$preset" "$@"
