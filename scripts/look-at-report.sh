#!/usr/bin/env bash
# Opens a report in headless Chromium without a network and leaves pictures of it, light.png and dark.png, in a
# folder. Fails when the page says a word in its console, or does not draw every figure.
#   scripts/look-at-report.sh REPORT.html [FOLDER]
set -euo pipefail

page=$(realpath "${1:?which report?}")
folder=${2:-.}
height=${HEIGHT:-7000}
command -v chromium >/dev/null || { echo "chromium is not installed (apt-get install chromium)" >&2; exit 1; }
mkdir -p "$folder"
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

# All addresses lead to a port where nobody listens.
look() {
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
    --user-data-dir="$profile" --proxy-server=127.0.0.1:9 --enable-logging=stderr \
    --window-size="1200,$height" --virtual-time-budget=30000 "$@" "file://$page" 2>"$profile/said"
  if grep CONSOLE "$profile/said"; then exit 1; fi
}

look --screenshot="$folder/light.png"
look --screenshot="$folder/dark.png" --blink-settings=preferredColorScheme=0
drawn=$(look --dump-dom | grep -o 'data-drawn="[0-9/]*"' | tr -dc '0-9/')
echo "$drawn figures drawn; $folder/light.png, $folder/dark.png"
[ "${drawn%/*}" = "${drawn#*/}" ] && [ -n "$drawn" ]
