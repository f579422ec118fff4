#!/usr/bin/env bash
# packages.sh [python]: makes sure that the Debian packages proffer is built from (python: that its Python package is
# tested with) are there. Says nothing, and needs no network, when they are. As root it installs what is missing; else
# it prints the one line that does, and fails.
set -euo pipefail

packages=(
  g++ cmake ninja-build make git pkg-config ccache lld
  libzmq3-dev cppzmq-dev libmsgpack-cxx-dev libboost-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev
  libspdlog-dev libfmt-dev libsqlite3-dev zlib1g-dev libgtest-dev libgmock-dev libmimalloc-dev liblemon-dev
  libglpk-dev libcpp-httplib-dev prometheus-cpp-dev python3
)
if [ "${1:-}" = python ]; then
  packages=(
    python3-venv python3-setuptools python3-wheel python3-zmq python3-msgpack python3-pytest python3-cloudpickle
    python3-pandas python3-matplotlib
  )
fi

if ! command -v dpkg-query >/dev/null; then
  echo "note: this is not Debian, so packages are not looked after; needed: ${packages[*]}" >&2
  exit 0
fi

installed() {
  dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "Some Debian packages are missing. This installs them:" >&2
  echo "  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends ${missing[*]}'" >&2
  exit 1
fi

echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends "${missing[@]}"
