#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures and builds build/PRESET. JOBS bounds the compilers at work at once.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift

# Lets ccache serve a second clone of the same sources from the first one's results.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR=1

cmake --preset "$preset" --log-level=WARNING
targets=()
[ $# -gt 0 ] && targets=(--target "$@")
cmake --build --preset "$preset" --parallel "${JOBS:-$(nproc)}" "${targets[@]}"
