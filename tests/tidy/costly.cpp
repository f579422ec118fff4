// Headers that cost seconds of every compilation that sees them.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/tidy/floors.hpp"
#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

struct Costly {
  std::string_view library;
  std::vector<std::string_view> prefixes;
  std::vector<std::string_view> rooms;  ///< tests and measurements may, too
  std::size_t sources = 1;              ///< that include it, of one room
};

const std::vector<Costly>& costly() {
  static const std::vector<Costly> table{
      {"msgpack", {"msgpack"}, {"formats"}},
      {"ZeroMQ", {"zmq"}, {"live"}},
      {"SQLite", {"sqlite3"}, {"live"}},
      {"spdlog", {"spdlog/"}, {"live", "cli"}},
      // In cli: the command line does not fit into one file, nor into two.
      {"CLI11", {"CLI/"}, {"cli", "examples"}, 3},
      {"toml++", {"toml"}, {"formats"}},
      {"LEMON", {"lemon/"}, {"flow"}},
      {"Boost.Graph", {"boost/graph/"}, {}},
      // In formats: trees of whole files, lines of the event log, which are read without one, and answers. In
      // live: what policies that are programs are asked.
      {"nlohmann-json", {"nlohmann/"}, {"formats", "study", "live", "cli", "examples"}, 3},
      {"cpp-httplib", {"httplib"}, {"live"}},
      {"prometheus-cpp", {"prometheus/"}, {"live"}, 1},
  };
  return table;
}

const Costly* library_of(const Include& include) {
  for (const auto& row : costly()) {
    const auto starts = [&](auto prefix) { return include.path.starts_with(prefix); };
    if (std::any_of(row.prefixes.begin(), row.prefixes.end(), starts)) return &row;
  }
  return nullptr;
}

/// Rooms, and each folder of tests/ for itself.
std::string unit_of(const Source& source) {
  const auto* room = room_of_file(source.path());
  if (room == nullptr) return {};
  if (room->name != "tests") return std::string(room->name);
  return source.path().substr(0, source.path().rfind('/'));
}

bool allowed_in(const Costly& library, const Room& room) {
  return room.name == "tests" || room.name == "bench" ||
         std::find(library.rooms.begin(), library.rooms.end(), room.name) != library.rooms.end();
}

}  // namespace

Findings check_costly_headers(const Tree& tree) {
  Findings findings;
  std::map<std::pair<std::string, std::string_view>, std::set<std::string>>
      users;  // (unit, library) -> sources
  for (const auto& source : tree) {
    const auto unit = unit_of(source);
    if (unit.empty()) continue;
    for (const auto& include : source.includes()) {
      const auto* library = include.angled ? library_of(include) : nullptr;
      if (library == nullptr) continue;
      const std::string name(library->library);
      const auto add = [&](std::string message) {
        findings.push_back({source.path(), include.line, std::move(message)});
      };
      if (source.is_header()) {
        add(name +
            " in a header is paid for by all who include it; include it in one source, behind an interface");
      } else if (!allowed_in(*library, *room_of_file(source.path()))) {
        add(name + " does not belong in " + unit + "; the rooms that know it are listed in costly.cpp");
      } else if (auto& sources = users[{unit, library->library}]; sources.insert(source.path()).second) {
        if (sources.size() <= library->sources) continue;
        const auto& other = *sources.begin() == source.path() ? *sources.rbegin() : *sources.begin();
        add(name + " is included by " + other + " already; one source a room pays for it");
      }
    }
  }
  return findings;
}

}  // namespace proffer::tidy
