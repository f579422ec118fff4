#!/usr/bin/env bash
# planted.sh [NAME...]: plants the bugs of tests/planted/, one at a time, in a copy of the tree, and looks which is the first
# seed of `proffer sim storm` that finds each. Without names: all of them, and the tree as it is before, in which no seed may
# fail. SEEDS bounds the seeds (by default 1000), JOBS the compilers and storms at work at once. Progress goes to stderr;
# at the end there is a table, as docs/FAILURES.md has it, and build/planted/found.tsv, with a line for each bug:
# name, first seed, the invariant that saw it, what the bug does. The exit code is 1 when a bug was not found, or a seed
# fails without one; 2 when a bug could not be planted, or the patched tree not be built.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
source=$PWD
work=$source/build/planted
tree=$work/tree
seeds=${SEEDS:-1000}
jobs=${JOBS:-$(nproc)}
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$source}" CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}"
# The copy is no repository; git must not take it for a part of the one around it, and skip what is ignored there.
export GIT_CEILING_DIRECTORIES=$work

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "error: $*"
  exit 2
}

# Brings the copy up to date. Only what differs is written, so that only that is compiled again; what an interrupted run
# has left patched differs as well.
copy() {
  mkdir -p "$tree"
  local list=$work/list
  git -C "$source" ls-files -z --cached --others --exclude-standard | sort -zu >"$list"
  local file
  while IFS= read -r -d '' file; do
    [ -f "$source/$file" ] || continue
    cmp -s "$source/$file" "$tree/$file" && continue
    mkdir -p "$tree/$(dirname "$file")"
    cp "$source/$file" "$tree/$file"
  done <"$list"
  (cd "$tree" && find . -type f -print0) | sed -z 's|^\./||' | sort -z | comm -z -23 - "$list" |
    (cd "$tree" && xargs -0 -r rm --)
}

# Source by source, so that a bug costs the sources that it changes.
configure() {
  cmake -S "$tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DBUILD_TESTING=OFF \
    -DPROFFER_WERROR=OFF --log-level=WARNING >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2 && return 1; }
}
build() {
  cmake --build "$work/build" --parallel "$jobs" --target proffer >"$work/build.log" 2>&1 ||
    { tail -n 40 "$work/build.log" >&2 && return 1; }
}

# Prints SEED and INVARIANT of the first seed that fails, with a tab between; nothing when none does.
storm() {
  local code=0
  "$work/build/bin/proffer" sim storm --seeds "1..$seeds" --stop-at-first --quiet --jobs "$jobs" \
    >"$work/storm.log" 2>&1 || code=$?
  [ "$code" -eq 0 ] && return
  [ "$code" -eq 5 ] || { tail -n 20 "$work/storm.log" >&2 && return 1; }
  sed -nE 's/^seed ([0-9]+): (.*): at [0-9.]+ s, .*/\1\t\2/p' "$work/storm.log" | head -n 1
}

apply() { git -C "$tree" apply --whitespace=nowarn "$@"; }
unplant() { [ -z "${planted:-}" ] || apply -R "$planted"; }

median() { sort -n | awk '{ of[NR] = $1 } END { if (NR) print (of[int((NR + 1) / 2)] + of[int(NR / 2) + 1]) / 2 }'; }

names=("$@")
if [ $# -eq 0 ]; then
  mapfile -t names < <(cd tests/planted && ls -- *.patch | sed 's/\.patch$//')
fi
for name in "${names[@]}"; do
  [ -f "tests/planted/$name.patch" ] || fail "tests/planted/ has no bug '$name'"
done

copy
configure || fail "the tree cannot be configured"
build || fail "the tree does not build as it is; see $work/build.log"
missed=0
if [ $# -eq 0 ]; then
  found=$(storm) || fail "the storm ends by itself; see $work/storm.log"
  if [ -z "$found" ]; then
    say "no bug planted: no seed of 1..$seeds fails"
  else
    say "no bug planted: seed ${found/$'\t'/ fails: }"
    missed=1
  fi
fi

planted=""
trap unplant EXIT
results=$work/found.tsv
: >"$results"
number=0
for name in "${names[@]}"; do
  number=$((number + 1))
  patch=$source/tests/planted/$name.patch
  apply "$patch" || fail "$name: the patch does not apply any more"
  planted=$patch
  build || fail "$name: the patched tree does not build"
  found=$(storm) || fail "$name: the storm ends by itself; see $work/storm.log"
  unplant
  planted=""
  IFS=$'\t' read -r seed invariant <<<"${found:-$'\t'}"
  printf '%s\t%s\t%s\t%s\n' "$name" "$seed" "$invariant" "$(sed -n '1s/^Plants: //p' "$patch")" >>"$results"
  if [ -n "$seed" ]; then
    say "[$number/${#names[@]}] $name: seed $seed, $invariant"
  else
    say "[$number/${#names[@]}] $name: not found in 1..$seeds"
    missed=1
  fi
done

awk -F'\t' '{ printf "| `%s` | %s | %s | %s |\n", $1, $4, $2 == "" ? "nothing" : $3, $2 == "" ? "none" : $2 }' "$results"
printf '%s of %s found within %s seeds; the median of the first seeds is %s\n' "$(cut -f2 "$results" | grep -c .)" \
  "${#names[@]}" "$seeds" "$(cut -f2 "$results" | grep . | median)"
exit "$missed"
