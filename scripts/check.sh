#!/usr/bin/env bash
# Style: the format, how comments begin (scripts/comments.sh), the tidy test (floors, banned calls, sizes),
# and clang-tidy on what changed since CHECK_BASE (by default the last commit but one); ALL=1 looks at every
# source. Tools that are not installed are named and skipped, except in CI=1.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/packages.sh

have() {
  command -v "$1" >/dev/null && return
  echo "skipped: $1 is not installed (apt-get install ${1%%-16}-16)" >&2
  [ -z "${CI:-}" ] || exit 1
  return 1
}

mapfile -t all < <(git ls-files '*.cpp' '*.hpp')

if have clang-format-16; then
  clang-format-16 --dry-run --Werror "${all[@]}"
  echo "format: ${#all[@]} files as they should be"
fi

scripts/comments.sh

scripts/build.sh edit test_tidy
build/edit/bin/test_tidy --gtest_brief=1

if have clang-tidy-16; then
  if [ -n "${ALL:-}" ]; then
    sources=("${all[@]}")
  else
    base=${CHECK_BASE:-$(git rev-parse --verify --quiet HEAD~1 || git rev-parse HEAD)}
    mapfile -t sources < <(git diff --name-only --diff-filter=d "$base" -- '*.cpp')
  fi
  mapfile -t sources < <(printf '%s\n' "${sources[@]}" | grep '\.cpp$' || true)
  if [ ${#sources[@]} -gt 0 ]; then
    # It counts the warnings of system headers that it does not show.
    printf '%s\0' "${sources[@]}" |
      xargs -0 -n 1 -P "${JOBS:-$(nproc)}" clang-tidy-16 --quiet -p build/edit 2> >(grep -v 'warnings generated' >&2)
  fi
  echo "clang-tidy: ${#sources[@]} sources"
fi
