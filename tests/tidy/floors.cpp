#include "tests/tidy/floors.hpp"

#include <algorithm>
#include <array>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

/// Within frameworks/: policies see tasks through an interface, and the kinds of framework do not know each
/// other.
constexpr std::array<std::string_view, 5> kBlindParts{"policies", "mapreduce", "batch", "drivers", "session"};

/// The conversations of a MapReduce framework, highest first: frameworks/mapreduce/turn.hpp says what each is
/// about. All other files of the folder stand below them.
constexpr std::array<std::string_view, 16> kConversations{
    "mapreduce", "queue",  "operating",  "resuming",    "statuses", "feeding",  "offers",     "phases",
    "adopting",  "cached", "hot_blocks", "speculating", "pending",  "planning", "publishing", "next_step"};

/// The folders within a room, highest layer first. An include points to a lower layer or stays in its folder;
/// those on one layer are blind to each other. "" is the room's root: the door.
struct Inside {
  std::string_view room;
  std::vector<std::vector<std::string_view>> layers;
};

const std::vector<Inside>& insides() {
  static const std::vector<Inside> all{
      {"allocator", {{""}, {"peers"}, {"pools"}, {"offers"}, {"tasks"}, {"state"}, {"tables"}}},
      {"catalog", {{""}, {"names", "agents"}, {"demand"}, {"state"}, {"tables"}}},
      {"sim", {{""}, {"storm"}}},
      {"live",
       {{"plan", "chaos"},
        {"cluster"},
        {"host"},
        {"worker", "http", "policies"},
        {"run"},
        {"store"},
        {"transport"},
        {"os"}}},
      {"frameworks", {{"mapreduce", "policies", "batch", "drivers"}, {"session", "pool"}}},
  };
  return all;
}

std::string_view first_component(std::string_view path) { return path.substr(0, path.find('/')); }

/// "x" of "include/proffer/x/y.hpp", "proffer/x/y.hpp" or "x/y.cpp"; vocabulary for what is in no subfolder.
std::string_view folder_of(std::string_view path) {
  if (path.starts_with("include/")) path.remove_prefix(8);
  if (path.starts_with("core/sharing/")) return "sharing";
  if (path.starts_with("core/flow/")) return "flow";
  if (path.starts_with("core/session/")) return "session";
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

/// The folder of a private file within its room: "tables" for "catalog/tables/paths.hpp", "" for the room's
/// root.
std::string_view inner_folder(std::string_view path) {
  path.remove_prefix(path.find('/') + 1);
  const auto slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::size_t layer_of(const Inside& inside, std::string_view folder) {
  const auto has = [&](const auto& layer) {
    return std::find(layer.begin(), layer.end(), folder) != layer.end();
  };
  const auto found = std::find_if(inside.layers.begin(), inside.layers.end(), has);
  return static_cast<std::size_t>(found - inside.layers.begin());
}

/// Empty when an include of a private header within one room is as it should be.
std::string why_not_inside(std::string_view room, std::string_view from, std::string_view to) {
  const auto inside = std::find_if(insides().begin(), insides().end(),
                                   [&](const Inside& known) { return known.room == room; });
  const auto from_folder = inner_folder(from);
  const auto to_folder = inner_folder(to);
  if (inside == insides().end() || from_folder == to_folder) return {};
  const auto name = [&](std::string_view folder) { return std::string(room) + "/" + std::string(folder); };
  for (const auto folder : {from_folder, to_folder}) {
    if (layer_of(*inside, folder) == inside->layers.size()) {
      return name(folder) + " has no place in the order of " + std::string(room) +
             "; give it one in floors.cpp";
    }
  }
  if (layer_of(*inside, to_folder) > layer_of(*inside, from_folder)) return {};
  return name(from_folder) + " does not see " + name(to_folder) + "; an include points down the layers of " +
         std::string(room) + " in floors.cpp";
}

/// Empty when an include within frameworks/mapreduce is as it should be, or none.
std::string why_not_among_conversations(std::string_view from, std::string_view to) {
  constexpr std::string_view kFolder = "frameworks/mapreduce/";
  if (!from.starts_with(kFolder) || !to.starts_with(kFolder)) return {};
  const auto name = [&](std::string_view path) {
    path.remove_prefix(kFolder.size());
    return path.substr(0, path.find('.'));
  };
  const auto place = [&](std::string_view path) {
    return std::find(kConversations.begin(), kConversations.end(), name(path));
  };
  const bool is_below = place(to) == kConversations.end() || place(to) > place(from);
  if (is_below || name(from) == name(to)) return {};
  return std::string(name(from)) + " does not see " + std::string(name(to)) +
         "; an include points down the conversations of a MapReduce framework in floors.cpp";
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
  if (auto why = why_not_among_conversations(source.path(), include.path); !why.empty()) return why;
  if (to == &from && !is_public(include.path) && !source.path().starts_with("include/")) {
    if (auto why = why_not_inside(from.name, source.path(), include.path); !why.empty()) return why;
  }
  return {};
}

}  // namespace

const std::vector<Room>& rooms() {
  static const std::vector<Room> house{
      {"vocabulary", 0, {}},  // include/proffer/*.hpp, include/proffer/messages/, core/
      {"sharing", 0, {"vocabulary"}},
      {"flow", 0, {"vocabulary"}},
      {"session", 0, {"vocabulary"}},
      {"allocator", 1, {"vocabulary", "sharing", "session"}},
      {"agent", 1, {"vocabulary", "session"}},
      {"frameworks", 1, {"vocabulary", "sharing", "flow", "session"}},
      {"catalog", 1, {"vocabulary", "session"}},
      {"formats", 2, {"vocabulary", "sharing", "allocator", "agent", "frameworks", "catalog"}},
      {"plugins", 2, {"vocabulary", "sharing", "frameworks"}},
      {"study",
       3,
       {"vocabulary", "sharing", "allocator", "agent", "frameworks", "catalog", "formats", "plugins"}},
      {"live",
       4,
       {"vocabulary", "sharing", "session", "allocator", "agent", "frameworks", "catalog", "formats",
        "study"}},
      {"sim",
       4,
       {"vocabulary", "sharing", "session", "allocator", "agent", "frameworks", "catalog", "formats",
        "study"}},
      {"cli",
       5,
       {"vocabulary", "sharing", "allocator", "agent", "frameworks", "catalog", "formats", "plugins", "study",
        "live", "sim"}},
      {"examples",
       5,
       {"vocabulary", "sharing", "allocator", "agent", "frameworks", "catalog", "formats", "plugins", "study",
        "live", "sim"}},
      {"bench",
       5,
       {"vocabulary", "sharing", "flow", "allocator", "agent", "frameworks", "catalog", "formats", "plugins",
        "study", "live", "sim"}},
      {"tests",
       5,
       {"vocabulary", "sharing", "flow", "session", "allocator", "agent", "frameworks", "catalog", "formats",
        "plugins", "study", "live", "sim", "cli", "examples", "bench"}},
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
