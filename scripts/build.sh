#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures and builds build/PRESET. JOBS bounds the compilers at work at once.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift

# Lets ccache serve a second clone of the same sources from the first one's results.
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}" CCACHE_NOHASHDIR=1
# Precompiled headers are told apart by what they were made from.
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}"

cmake --preset "$preset" --log-level=WARNING
targets=()
[ $# -gt 0 ] && targets=(--target "$@")
cmake --build --preset "$preset" --parallel "${JOBS:-$(nproc)}" "${targets[@]}"
