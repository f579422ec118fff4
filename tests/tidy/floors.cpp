#include "tests/tidy/floors.hpp"

#include <algorithm>
#include <array>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

/// Within frameworks/: policies see tasks through an interface, and the kinds of framework do not know each
/// other.
constexpr std::array<std::string_view, 3> kBlindParts{"policies", "mapreduce", "batch"};

std::string_view first_component(std::string_view path) { return path.substr(0, path.find('/')); }

/// "x" of "include/proffer/x/y.hpp", "proffer/x/y.hpp" or "x/y.cpp"; vocabulary for what is in no subfolder.
std::string_view folder_of(std::string_view path) {
  if (path.starts_with("include/")) path.remove_prefix(8);
  if (path.starts_with("core/sharing/")) return "sharing";
  if (path.starts_with("core/flow/")) return "flow";
  if (path.starts_with("core/")) return "vocabulary";
  if (!path.starts_with("proffer/")) return first_component(path);
  path.remove_prefix(8);
  if (path.find('/') == std::string_view::npos || path.starts_with("messages/")) return "vocabulary";
  return first_component(path);
}

std::string why_not(const Room& from, const Room& to) {
  const auto name = [](const Room& room) {
    return std::string(room.name) + " (floor " + std::to_string(room.floor) + ")";
  };
  if (to.floor > from.floor) {
    return name(from) + " includes upwards from " + name(to) + "; an include only ever points down";
  }
  if (to.floor == from.floor) {
    return name(from) + " and " + name(to) + " are blind to each other; share messages or vocabulary instead";
  }
  return name(from) + " does not see " + name(to) +
         "; an arrow that is really meant is one word in floors.cpp";
}

bool is_public(std::string_view include) { return include.starts_with("proffer/"); }

/// Empty when the include is as it should be.
std::string verdict(const Source& source, const Room& from, const Include& include) {
  if (include.path.find("../") != std::string::npos) {
    return "\"" + include.path + "\" climbs; name the header from the root of the repository";
  }
  const auto* to = room_of_include(include.path);
  if (to == nullptr) return {};
  if (source.path().starts_with("include/") && !is_public(include.path)) {
    return "a public header includes \"" + include.path + "\", which is private and not installed";
  }
  if (to != &from) {
    if (std::find(from.sees.begin(), from.sees.end(), to->name) == from.sees.end()) return why_not(from, *to);
    if (!is_public(include.path) && from.name != "tests") {
      return "\"" + include.path + "\" is private to " + std::string(to->name) +
             "; use its headers in include/proffer/";
    }
  }
  const auto mine = part_of(source.path());
  const auto theirs = part_of(include.path);
  if (!mine.empty() && !theirs.empty() && mine != theirs) {
    return "frameworks/" + std::string(mine) + " and frameworks/" + std::string(theirs) +
           " are blind to each other";
  }
  return {};
}

}  // namespace

const std::vector<Room>& rooms() {
  static const std::vector<Room> house{
      {"vocabulary", 0, {}},  // include/proffer/*.hpp, include/proffer/messages/, core/
      {"sharing", 0, {"vocabulary"}},
      {"flow", 0, {"vocabulary"}},
      {"allocator", 1, {"vocabulary", "sharing"}},
      {"agent", 1, {"vocabulary"}},
      {"frameworks", 1, {"vocabulary", "sharing", "flow"}},
      {"storage", 1, {"vocabulary"}},
      {"formats", 2, {"vocabulary", "sharing", "allocator", "agent", "frameworks", "storage"}},
      {"plugins", 2, {"vocabulary", "sharing", "frameworks"}},
      {"study",
       3,
       {"vocabulary", "sharing", "allocator", "agent", "frameworks", "storage", "formats", "plugins"}},
      {"live",
       4,
       {"vocabulary", "sharing", "allocator", "agent", "frameworks", "storage", "formats", "study"}},
      {"sim",
       4,
       {"vocabulary", "sharing", "allocator", "agent", "frameworks", "storage", "formats", "study"}},
      {"cli",
       5,
       {"vocabulary", "sharing", "allocator", "agent", "frameworks", "storage", "formats", "plugins", "study",
        "live", "sim"}},
      {"examples",
       5,
       {"vocabulary", "sharing", "allocator", "agent", "frameworks", "storage", "formats", "plugins", "study",
        "live", "sim"}},
      {"bench",
       5,
       {"vocabulary", "sharing", "flow", "allocator", "agent", "frameworks", "storage", "formats", "plugins",
        "study", "live", "sim"}},
      {"tests",
       5,
       {"vocabulary", "sharing", "flow", "allocator", "agent", "frameworks", "storage", "formats", "plugins",
        "study", "live", "sim", "cli", "examples", "bench"}},
  };
  return house;
}

const Room* find_room(std::string_view name) {
  const auto found =
      std::find_if(rooms().begin(), rooms().end(), [&](const Room& room) { return room.name == name; });
  return found == rooms().end() ? nullptr : &*found;
}

const Room* room_of_file(std::string_view path) { return find_room(folder_of(path)); }

const Room* room_of_include(std::string_view path) {
  return path.find('/') == std::string_view::npos ? nullptr : find_room(folder_of(path));
}

std::string_view part_of(std::string_view path) {
  for (const std::string_view prefix :
       {"include/proffer/frameworks/", "proffer/frameworks/", "frameworks/"}) {
    if (!path.starts_with(prefix)) continue;
    const auto rest = path.substr(prefix.size());
    const auto name = rest.substr(0, rest.find_first_of("/."));
    const auto found = std::find(kBlindParts.begin(), kBlindParts.end(), name);
    return found == kBlindParts.end() ? std::string_view{} : *found;
  }
  return {};
}

Findings check_floors(const Tree& tree) {
  Findings findings;
  for (const auto& source : tree) {
    const auto* from = room_of_file(source.path());
    if (from == nullptr) continue;
    for (const auto& include : source.includes()) {
      if (include.angled) continue;
      if (auto message = verdict(source, *from, include); !message.empty()) {
        findings.push_back({source.path(), include.line, std::move(message)});
      }
    }
  }
  return findings;
}

}  // namespace proffer::tidy
