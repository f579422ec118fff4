# The front door. What is done stands in scripts/; `make` alone says what there is.
PREFIX ?= /usr/local
DEMO_ARGS ?=
TEST_ARGS ?=
BENCH ?=
EXPERIMENTS ?=
export PREFIX

.PHONY: help demo reproduce build test test-asan test-tsan test-python check bench install deb clean

help:
	@echo "proffer - several isolated frameworks share one cluster by offers"
	@echo
	@echo "  make demo        four MapReduce frameworks on a local cluster: 2 minutes after the build (DEMO_ARGS=...)"
	@echo "  make reproduce   the papers' experiments in the simulator: 45 minutes on 2 cores"
	@echo "                   (EXPERIMENTS='a8-several-hadoops ...' chooses some)"
	@echo "  make build       the programs, in build/release/bin"
	@echo "  make test        builds and runs all tests (TEST_ARGS='-R scenario' chooses some)"
	@echo "  make test-asan   the same under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "  make test-tsan   the tests with threads under ThreadSanitizer"
	@echo "  make test-python the Python package by its own tests, on build/dev's or build/release's programs"
	@echo "  make check       format, tidy test, clang-tidy on what changed (ALL=1: on everything)"
	@echo "  make bench       measurements (BENCH='name ...' chooses some)"
	@echo "  make install     into PREFIX ($(PREFIX))"
	@echo "  make deb         Debian packages, in build/deb (TRY=1: also install and use them in a clean chroot)"
	@echo "  make clean       removes build/, demo-out/ and reproduction/"
	@echo
	@echo "Missing Debian packages are installed when you are root; else the line to run is printed."

demo:
	@scripts/demo.sh $(DEMO_ARGS)

reproduce:
	@scripts/reproduce.sh $(EXPERIMENTS)

build:
	@scripts/packages.sh
	@scripts/build.sh release

test:
	@scripts/test.sh dev $(TEST_ARGS)

test-asan:
	@scripts/test.sh asan $(TEST_ARGS)

test-tsan:
	@scripts/test.sh tsan $(TEST_ARGS)

test-python:
	@scripts/packages.sh
	@scripts/test_python.sh

check:
	@scripts/check.sh

bench:
	@scripts/bench.sh $(BENCH)

install:
	@scripts/install.sh

deb:
	@scripts/deb.sh

clean:
	rm -rf build demo-out reproduction
