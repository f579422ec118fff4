# Everything comes from the distribution; nothing is downloaded. See docs/ARCHITECTURE.md for why each.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(cppzmq REQUIRED)  # also finds libzmq; ZeroMQ CONFIG alone fails on Debian
find_package(msgpack-cxx CONFIG QUIET)
if(NOT msgpack-cxx_FOUND)
  find_package(msgpack CONFIG REQUIRED)  # bookworm's name for it
  add_library(msgpack-cxx ALIAS msgpackc-cxx)
endif()
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(GTest REQUIRED)
find_path(PROFFER_LEMON lemon/network_simplex.h REQUIRED)  # headers only: its library is not linked
find_package(mimalloc QUIET)  # optional: a faster malloc for the programs
# Debian ships no CMake package of cpp-httplib, and its library was compiled with options that change the layout of its
# classes: whoever includes the header without the same options crashes. pkg-config knows them.
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
pkg_check_modules(PROMETHEUS REQUIRED IMPORTED_TARGET prometheus-cpp-core)  # its CMake package wants CURL as well
