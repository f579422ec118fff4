#!/usr/bin/env bash
# reproduce.sh [NAME...]: runs the experiments in examples/experiments (all of them by default), a report for each,
# and puts the papers' figures beside ours into reproduction/summary.json, after each. Runs that are done are not done
# again. By name, the papers' experiments come first and comparisons of schedulers last; then, of all, what is no
# experiment: `calibration` (of the simulator to this machine, live) and `flow` (how long Quincy takes to plan).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/packages.sh
scripts/build.sh release all bench-flow
proffer=build/release/bin/proffer
out=reproduction

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for file in examples/experiments/*.toml; do names+=("$(basename "$file" .toml)"); done
  names+=(calibration flow)
fi

failed=0
results=()
collect() {
  for summary in summary.json summary.md; do "$proffer" experiment collect "${results[@]}" --out "$out/$summary"; done
}
# 5: a check failed, which the figures show; anything else is an error.
judge() {
  [ "$1" -eq 0 ] || failed=1
  if [ "$1" -ne 0 ] && [ "$1" -ne 5 ]; then exit "$1"; fi
}
# measure NAME COMMAND...: rows that a command prints.
measure() {
  local rows=$out/$1.json code=0
  shift
  mkdir -p "$out"
  "$@" >"$rows.tmp" || code=$?
  judge "$code"
  mv "$rows.tmp" "$rows"
  results+=("$rows")
  collect
}
for name in "${names[@]}"; do
  case $name in
    calibration)
      echo "== $name"
      measure "$name" "$proffer" study calibrate examples/calibration.toml --rows
      continue ;;
    flow)
      echo "== $name"
      measure "$name" build/release/bin/bench-flow --rows
      continue ;;
  esac
  file=examples/experiments/$name.toml
  trace=$(sed -n 's/^trace = "[a-z]*:\(.*\)"$/\1/p' "$file")
  if [ -n "$trace" ] && [ ! -e "examples/experiments/$trace" ]; then
    echo "== $name: skipped, its trace is not here ($trace)"
    continue
  fi
  echo "== $name"
  code=0
  "$proffer" experiment run "$file" -d "$out/$name" -j "${JOBS:-$(nproc)}" || code=$?
  judge "$code"
  "$proffer" report "$out/$name"
  results+=("$out/$name")
  collect
done
if [ ${#results[@]} -eq 0 ]; then
  echo "nothing was run: docs/REPRODUCTION.md says where the traces come from" >&2
  exit 1
fi
echo "papers' figures beside ours: $out/summary.json, $out/summary.md"
exit "$failed"
