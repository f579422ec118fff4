#!/usr/bin/env bash
# test.sh PRESET [CTEST-ARGUMENT...]: installs what is missing, builds and runs the tests of a preset.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
scripts/packages.sh

# ThreadSanitizer has nothing to say about machines, which have one thread: only the live tests are built for it, but not
# the documents' commands, which run no code of their own.
targets=()
if [ "$preset" = tsan ]; then
  for folder in tests/live_*/; do
    [ "$folder" = tests/live_docs/ ] || targets+=("test_$(basename "$folder")")
  done
fi

scripts/build.sh "$preset" "${targets[@]}"
ctest --preset "$preset" "$@"

# All of them: arguments choose among ctest's, and then nobody waits for others.
if [ "$preset" = dev ] && [ $# -eq 0 ]; then
  PROFFER_BIN=$PWD/build/dev/bin/proffer scripts/test_python.sh
fi
