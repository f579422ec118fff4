#!/usr/bin/env bash
# test_python.sh [PYTEST-ARGUMENT...]: installs the Python package into an environment below build/ and runs its tests.
# PROFFER_BIN names the program whose clusters are tested; PYTHON another Python, which gets libraries from the registry.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/python
# pip builds in the source's folder, and would take files from there that are gone by now.
rm -rf python/build
trap 'rm -rf python/build' EXIT

# Debian's own Python has the libraries as packages. Who may not install them takes them from the registry.
if [ -z "${PYTHON:-}" ] && [ "$(id -u)" -eq 0 ]; then scripts/packages.sh python; fi
if [ -z "${PYTHON:-}" ] && /usr/bin/python3 -c 'import zmq, msgpack, pytest, setuptools' 2>/dev/null; then
  /usr/bin/python3 -m venv --clear --system-site-packages "$folder"
  "$folder/bin/python" -m pip install -q --no-index --no-build-isolation --no-deps ./python
else
  "${PYTHON:-python3}" -m venv --clear "$folder"
  "$folder/bin/python" -m pip install -q --disable-pip-version-check './python[test]'
fi

PROFFER_SOURCE=$PWD "$folder/bin/python" -m pytest -q -p no:cacheprovider -rs python/tests "$@"
