#!/usr/bin/env bash
# Builds and installs the programs and headers below PREFIX; DESTDIR is put in front, as packagers expect.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/packages.sh
scripts/build.sh release
cmake --install build/release --prefix "${PREFIX:-/usr/local}"
