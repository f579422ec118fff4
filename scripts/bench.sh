#!/usr/bin/env bash
# bench.sh [NAME...]: builds and runs the measurements of bench/ (all of them by default), one after another.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/packages.sh
scripts/build.sh release all benches
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for program in build/release/bin/bench-*; do names+=("${program##*/bench-}"); done
fi
for name in "${names[@]}"; do
  echo "== $name"
  "build/release/bin/bench-$name"
done
