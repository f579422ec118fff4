#!/usr/bin/env bash
# Fetches the chart libraries that reports carry (study/report) into third_party/js, with the licences of all
# that is bundled in them and their checksums. For whoever raises a version below; no build needs npm.
set -euo pipefail
cd "$(dirname "$0")/.."

vega=6.4.0
vega_lite=6.4.3
vega_embed=7.3.0

root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "vega@$vega" "vega-lite@$vega_lite" "vega-embed@$vega_embed" >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund ./*.tgz >/dev/null

cp node_modules/vega/build/vega.min.js node_modules/vega-lite/build/vega-lite.min.js \
  node_modules/vega-embed/build/vega-embed.min.js .

# Reports hold them inline: none may end, or nest, a script element.
if grep -q -i -e '</script' -e '<!--' ./*.min.js; then
  echo "a bundle holds '</script' or '<!--' and cannot be put into a page as it is" >&2
  exit 1
fi

# The bundles hold these packages; the others in node_modules belong to command-line tools. Equal texts once.
declare -A users
(cd node_modules && printf '%s\n' vega vega-* d3-* delaunator fast-json-patch internmap \
  json-stringify-pretty-compact robust-predicates semver topojson-client tslib) | sort >names
while read -r name; do
  [ "$name" = vega-typings ] && continue
  text=$(find "node_modules/$name" -maxdepth 1 -iname 'licen[sc]e*' | sort | head -n 1)
  [ -n "$text" ] || { echo "$name has no licence text" >&2; exit 1; }
  sum=$(sha256sum <"$text" | cut -d ' ' -f 1)
  users[$sum]+="$name $(node -p "require('./node_modules/$name/package.json').version")"$'\n'
  cp "$text" "licence-$sum"
done <names
{
  echo "vega.min.js, vega-lite.min.js and vega-embed.min.js are the files that the packages vega $vega,"
  echo "vega-lite $vega_lite and vega-embed $vega_embed publish. What is bundled in them, and under which terms:"
  for sum in $(for s in "${!users[@]}"; do echo "$(head -n 1 <<<"${users[$s]}") $s"; done | sort | awk '{print $NF}'); do
    printf '\n%s\n\n' "------------------------------------------------------------------------"
    printf '%s' "${users[$sum]}" | paste -s -d ',' | sed 's/,/, /g' | fold -s -w 100
    echo
    tr -d '\r' <"licence-$sum" | sed 's/[[:space:]]*$//'
  done
} >LICENSES.txt

mkdir -p "$root/third_party/js"
cp ./*.min.js LICENSES.txt "$root/third_party/js/"
cd "$root/third_party/js"
sha256sum ./*.min.js LICENSES.txt | sed 's, \./, ,' >SHA256SUMS
cat SHA256SUMS
