#!/usr/bin/env bash
# reproduce.sh [NAME...]: runs the experiments in examples/experiments (all of them by default), a report for each,
# and puts the papers' figures beside ours into reproduction/summary.json, after each. Runs that are done are not done
# again. By name, the papers' experiments come first and comparisons of schedulers last.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/packages.sh
scripts/build.sh release
proffer=build/release/bin/proffer
out=reproduction

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for file in examples/experiments/*.toml; do names+=("$(basename "$file" .toml)"); done
fi

failed=0
done_folders=()
for name in "${names[@]}"; do
  file=examples/experiments/$name.toml
  trace=$(sed -n 's/^trace = "[a-z]*:\(.*\)"$/\1/p' "$file")
  if [ -n "$trace" ] && [ ! -e "examples/experiments/$trace" ]; then
    echo "== $name: skipped, its trace is not here ($trace)"
    continue
  fi
  echo "== $name"
  code=0
  "$proffer" experiment run "$file" -d "$out/$name" -j "${JOBS:-$(nproc)}" || code=$?
  # 5: a check of the experiment failed, which the figures show; anything else is an error.
  [ "$code" -eq 0 ] || failed=1
  if [ "$code" -ne 0 ] && [ "$code" -ne 5 ]; then exit "$code"; fi
  "$proffer" report "$out/$name"
  done_folders+=("$out/$name")
  for summary in summary.json summary.md; do "$proffer" experiment collect "${done_folders[@]}" --out "$out/$summary"; done
done
if [ ${#done_folders[@]} -eq 0 ]; then
  echo "nothing was run: docs/REPRODUCTION.md says where the traces come from" >&2
  exit 1
fi
echo "papers' figures beside ours: $out/summary.json, $out/summary.md"
exit "$failed"
