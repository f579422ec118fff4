#!/usr/bin/env bash
# What the dashboard costs the allocator: its processor time for a run of tasks, without a dashboard, with one at which
# nobody looks, and with one of which a client asks everything four times a second.
#   scripts/dashboard-cost.sh [TASKS [NODES [ROUNDS]]]
set -euo pipefail
cd "$(dirname "$0")/.."
tasks=${1:-5000} nodes=${2:-20} rounds=${3:-3}
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
pid=$(pgrep -f "$1/allocator/allocator.toml" | head -1)
if [ "$2" = polled ]; then
  python3 "$3/poll.py" "$(proffer ui)" &
  poll=$!
fi
before="$(ticks /proc/$pid/task/$pid/stat) $(ticks /proc/$pid/task/*/stat)"
began=$(date +%s.%N)
proffer run --name cost -n "$4" -- true >/dev/null 2>&1
took=$(echo "$(date +%s.%N) $began" | awk '{ print $1 - $2 }')
after="$(ticks /proc/$pid/task/$pid/stat) $(ticks /proc/$pid/task/*/stat)"
[ "$2" = polled ] && kill $poll
echo "$before $after $took" | awk -v mode="$2" -v hz="$(getconf CLK_TCK)" \
  '{ printf "%-8s %8.2f %12.2f %12.2f\n", mode, $5, ($3 - $1) / hz, ($4 - $2) / hz }'
WORK

echo "$tasks tasks on $nodes agents; seconds"
echo "mode         run    its loop  all threads"
for _ in $(seq "$rounds"); do
  for mode in off idle polled; do
    http=127.0.0.1:0
    [ "$mode" = off ] && http=off
    proffer dev --port 0 --nodes "$nodes" --racks 4 --slots map=4 --http "$http" --dir "$folder/$mode" -- \
      bash "$folder/work.sh" "$folder/$mode" "$mode" "$folder" "$tasks" 2>/dev/null
    rm -rf "${folder:?}/$mode"
  done
done
