#!/usr/bin/env bash
# What the dashboard costs the allocator: its processor time while frameworks run tasks, without a dashboard, with one at
# which nobody looks, with its overview open in a browser, and with a client that asks for everything four times a second.
# The last column is the most memory that the allocator had.
#   scripts/dashboard-cost.sh [TASKS [AGENTS [FRAMEWORKS [ROUNDS]]]]
set -euo pipefail
cd "$(dirname "$0")/.."
tasks=${1:-10000} agents=${2:-200} frameworks=${3:-16} rounds=${4:-3}
export PATH="${BIN:-$PWD/build/release/bin}:$PATH"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/poll.py" <<'PYTHON'
import sys, time, urllib.request
paths = ["api/v1/" + name for name in ("cluster", "pools", "frameworks", "agents", "offers", "tasks", "history")]
asked = 0
try:
    while True:
        began = time.monotonic()
        for path in paths + ["metrics"]:
            urllib.request.urlopen(sys.argv[1] + path, timeout=20).read()
            asked += 1
        time.sleep(max(0, 0.25 - (time.monotonic() - began)))
except (OSError, KeyboardInterrupt):
    pass
PYTHON

cat >"$folder/work.sh" <<'WORK'
# Of the main thread alone, then of all threads: in clock ticks.
ticks() { cat "$@" | sed 's/.*) //' | awk '{ sum += $12 + $13 } END { print sum + 0 }'; }
folder=$1 mode=$2 tasks=$3 frameworks=$4
pid=$(pgrep -f "$folder/$mode/allocator/allocator.toml" | head -1)
case $mode in
  page)
    chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$folder/chromium" --remote-debugging-port=0 \
      "$(proffer ui)" >/dev/null 2>&1 &
    ;;
  polled) python3 "$folder/poll.py" "$(proffer ui)" & ;;
esac
reader=${!:-}
before="$(ticks /proc/$pid/task/$pid/stat) $(ticks /proc/$pid/task/*/stat)"
began=$(date +%s.%N)
runs=()
for n in $(seq "$frameworks"); do
  proffer run --name "tenant-$n" -n $((tasks / frameworks)) -- true >/dev/null 2>&1 &
  runs+=($!)
done
wait "${runs[@]}"
took=$(echo "$(date +%s.%N) $began" | awk '{ print $1 - $2 }')
after="$(ticks /proc/$pid/task/$pid/stat) $(ticks /proc/$pid/task/*/stat)"
most=$(awk '/VmHWM/ { print $2 / 1024 }' /proc/$pid/status)
[ -n "$reader" ] && kill "$reader"
echo "$before $after $took $most" | awk -v mode="$mode" -v hz="$(getconf CLK_TCK)" \
  '{ printf "%-8s %8.2f %12.2f %12.2f %8.1f\n", mode, $5, ($3 - $1) / hz, ($4 - $2) / hz, $6 }'
WORK

echo "$tasks tasks of $frameworks frameworks on $agents agents; seconds, MiB"
echo "mode         run    its loop  all threads   memory"
for _ in $(seq "$rounds"); do
  for mode in off idle page polled; do
    if [ "$mode" = page ] && ! command -v chromium >/dev/null; then
      echo "page     left out: there is no chromium"
      continue
    fi
    http=127.0.0.1:0
    [ "$mode" = off ] && http=off
    proffer dev --port 0 --nodes "$agents" --racks 10 --slots map=4 --http "$http" --dir "$folder/$mode" -- \
      bash "$folder/work.sh" "$folder" "$mode" "$tasks" "$frameworks" 2>/dev/null
    rm -rf "${folder:?}/$mode" "$folder/chromium"
  done
done
