#!/usr/bin/env bash
# digests.sh [--write]: runs the first seed of every cell that docs/REPRODUCTION.md has a digest of, and compares; with
# --write the digests in the page are replaced. PROFFER names the program (by default build/dev/bin/proffer), JOBS how many
# runs there are beside each other. A change of code that is to change no behaviour leaves all of them as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
page=docs/REPRODUCTION.md
export proffer=${PROFFER:-build/dev/bin/proffer}

# A line for each cell: FILE, CELL ("" where the experiment has one only), DIGEST.
cells() {
  awk -F' *[|] *' '$2 ~ /^[A-Z][0-9]+$/ && length($9) == 16 && $9 ~ /^[0-9a-f]+$/ { print $2 "|" $4 "|" $9 }' "$page" | sort -u |
    while IFS='|' read -r id cell digest; do
      # Several files may share an id: the one with figures of it that has such a cell.
      for file in $(grep -l "^id = \"$id\"" examples/experiments/*.toml); do
        trace=$(sed -n 's/^trace = "[a-z]*:\(.*\)"$/\1/p' "$file")
        if [ -n "$trace" ] && [ ! -e "examples/experiments/$trace" ]; then
          echo "$id $cell: skipped, its trace is not here ($trace)" >&2
        elif [ -z "$cell" ] || "$proffer" experiment list "$file" | sed -E 's/ +[0-9]+ +[0-9]+$//' | grep -qxF "$cell"; then
          printf '%s|%s|%s\n' "$file" "$cell" "$digest"
          break
        fi
      done
    done
}

# FILE|CELL|DIGEST -> FILE|CELL|DIGEST|NOW
run() {
  IFS='|' read -r file cell digest <<<"$1"
  args=("$file" --seed 1)
  [ -z "$cell" ] || args+=(--cell "$cell")
  now=$("$proffer" sim "${args[@]}" 2>&1 | sed -n 's/^digest \([0-9a-f]*\) .*/\1/p')
  printf '%s|%s|%s|%s\n' "$file" "$cell" "$digest" "${now:-failed}"
}
export -f run

same=0 changed=0
while IFS='|' read -r file cell digest now; do
  if [ "$digest" = "$now" ]; then
    same=$((same + 1))
    continue
  fi
  changed=$((changed + 1))
  echo "$file ${cell:-(its only cell)}: $digest -> $now"
  [ "${1:-}" != --write ] || [ "$now" = failed ] || sed -i "s/$digest/$now/g" "$page"
done < <(cells | xargs -d '\n' -P "${JOBS:-$(nproc)}" -I{} bash -c 'run "$1"' run {})
echo "$same digests as they were, $changed others"
[ "$changed" -eq 0 ] || [ "${1:-}" = --write ]
