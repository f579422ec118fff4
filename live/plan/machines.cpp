#include "proffer/live/machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "proffer/formats/settings.hpp"
#include "proffer/live/reach.hpp"

namespace proffer::live {
namespace {

using formats::AsText;
using formats::Complaint;
using formats::error_at;
using formats::setting;
using formats::Setting;
using formats::TomlNode;

struct HostAddress {
  static constexpr std::string_view wants = "must be an address without a port, such as \"10.0.0.1\"";
  static bool holds(std::string_view text) {
    const bool colons = text.find(':') != text.npos;  // of IPv6, which stands in brackets
    if (text == "*" || colons != text.starts_with('[') || colons != text.ends_with(']')) return false;
    return formats::ConnectTo::holds(fmt::format("tcp://{}:1", text));
  }
};

struct ProgramPath {
  static constexpr std::string_view wants = "must be a whole path without blanks, as the machine has it";
  static bool holds(std::string_view text) {
    return text.starts_with('/') && text.find_first_of(" \t\n") == text.npos;
  }
};

/// Words with blanks in between.
struct AsWords {
  static Complaint read(const TomlNode& node, std::vector<std::string>& value) {
    if (node.type != formats::TomlType::string) return "must be a command such as \"ssh m1\"";
    std::istringstream words(node.text);
    value.clear();
    for (std::string word; words >> word;) value.push_back(word);
    return {};
  }
  static std::string print(const std::vector<std::string>&) { return {}; }
};

using AsAgents = formats::AsOptional<formats::AsCount<1>>;

struct Top : MachineList {
  bool insecure = false;
};

std::span<const Setting<Top>> top_keys() {
  static constexpr std::array kKeys{
      setting<Top, AsText<HostAddress>, [](auto& s) -> auto& { return s.address; }>("address"),
      setting<Top, formats::AsSwitch, [](auto& s) -> auto& { return s.insecure; }>("insecure"),
      Setting<Top>{"machine", [](const TomlNode&, Top&) { return Complaint{}; }, nullptr},
  };
  return kKeys;
}

std::span<const Setting<ListedMachine>> machine_keys() {
  using S = ListedMachine;
  static constexpr std::array kKeys{
      setting<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.name; }>("name"),
      setting<S, AsText<HostAddress>, [](auto& s) -> auto& { return s.address; }>("address"),
      setting<S, AsWords, [](auto& s) -> auto& { return s.run; }>("run"),
      setting<S, AsText<ProgramPath>, [](auto& s) -> auto& { return s.program; }>("program"),
      setting<S, AsAgents, [](auto& s) -> auto& { return s.agents; }>("agents"),
  };
  return kKeys;
}

Result<> read_machine(const TomlNode& table, const std::string& file, std::vector<ListedMachine>& machines) {
  ListedMachine machine;
  if (auto read = formats::read_settings(table, machine_keys(), "[[machine]]", file, machine); !read)
    return read;
  if (machine.name.empty() || machine.address.empty()) {
    return error_at(file, table.position,
                    "a [[machine]] needs a name, and the address at which others reach it");
  }
  if (machine.name == kRunsMachine) {
    return error_at(
        file, table.position,
        fmt::format("the machine of the run itself is called {}; choose another name", kRunsMachine));
  }
  const bool twice = std::any_of(machines.begin(), machines.end(),
                                 [&](const ListedMachine& other) { return other.name == machine.name; });
  if (twice)
    return error_at(file, table.position, fmt::format("there are two machines called {}", machine.name));
  machines.push_back(std::move(machine));
  return {};
}

Result<> check_reach(const Top& top) {
  std::vector<std::string> addresses{top.address};
  for (const auto& machine : top.all) addresses.push_back(machine.address);
  for (const auto& address : addresses) {
    if (top.insecure || only_from_here("tcp://" + address + ":0")) continue;
    return error_at(
        top.file, {1, 1},
        fmt::format("the run would listen at {}, beyond one machine, and whoever reaches it could run "
                    "commands as its user: say insecure = true if only people you trust can",
                    address));
  }
  return {};
}

}  // namespace

Result<MachineList> read_machines(const std::string& path) {
  const auto text = formats::read_text_file(path);
  if (!text) return text.error();
  const auto root = formats::parse_toml(*text, path);
  if (!root) return root.error();
  Top top;
  top.file = path;
  auto read = formats::read_settings(*root, top_keys(), "a file of machines", path, top);
  if (!read) return read.error();
  if (top.address.empty()) {
    return error_at(path, {1, 1}, "address is missing: that of this machine, at which the others reach it");
  }
  for (const auto& [key, node] : root->members) {
    if (key.name != "machine") continue;
    if (node.type != formats::TomlType::array) {
      return error_at(path, key.position, "write [[machine]], once for each machine");
    }
    for (const auto& table : node.items) {
      if (auto added = read_machine(table, path, top.all); !added) return added.error();
    }
  }
  if (top.all.empty()) return error_at(path, {1, 1}, "there is no [[machine]] on which agents could run");
  if (auto checked = check_reach(top); !checked) return checked.error();
  return MachineList(std::move(top));
}

Result<std::vector<std::size_t>> deal_nodes(const MachineList& machines, std::size_t nodes) {
  std::size_t named = 0;
  std::size_t open = 0;
  for (const auto& machine : machines.all) {
    named += machine.agents.value_or(0);
    open += machine.agents ? 0 : 1;
  }
  if (named > nodes || (named < nodes && open == 0)) {
    return Error{
        ErrorCode::invalid,
        fmt::format("{}: its machines take {} agents, and the experiment has {} nodes; change `agents` of "
                    "a machine, or leave it out",
                    machines.file, named, nodes)};
  }
  std::size_t rest = nodes - named;
  std::vector<std::size_t> all;
  for (std::size_t m = 0; m < machines.all.size(); ++m) {
    const auto& machine = machines.all[m];
    // Of what is left, each open machine takes an equal part, the first ones what does not divide.
    const auto count = machine.agents ? *machine.agents : (rest + open - 1) / open;
    if (!machine.agents) {
      rest -= count;
      --open;
    }
    if (count > kMostLiveNodes) {
      return Error{ErrorCode::invalid,
                   fmt::format("{}: {} agents are too many for the machine {}; one has up to {}",
                               machines.file, count, machine.name, kMostLiveNodes)};
    }
    all.insert(all.end(), count, m);
  }
  return all;
}

}  // namespace proffer::live
