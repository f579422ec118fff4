// Policies as people write them on one line.
#include "proffer/frameworks/policy_spec.hpp"

namespace proffer {
namespace {

constexpr std::string_view kProcess = "process";  // the policy whose text ends in a command
constexpr const char* kCommand = "command";

std::string_view next_part(std::string_view& rest) {
  const auto comma = rest.find(',');
  const auto part = rest.substr(0, comma);
  rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  return part;
}

Error bad(std::string message) { return {ErrorCode::invalid, std::move(message)}; }

}  // namespace

Result<PolicySpec> parse_policy(std::string_view text) {
  PolicySpec spec;
  auto rest = text;
  spec.name = next_part(rest);
  if (spec.name.empty()) return bad("a policy begins with its name, as in wait,node_wait=5s");
  if (spec.name == kProcess) {
    if (rest.empty()) return bad("the policy process needs a command, as in process,python3 my_policy.py");
    spec.settings[kCommand] = rest;
    return spec;
  }
  if (text.ends_with(',')) return bad("policy '" + std::string(text) + "' ends in a comma");
  while (!rest.empty()) {
    const auto part = next_part(rest);
    const auto equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return bad("'" + std::string(part) + "' in policy '" + std::string(text) + "' is not a setting=value");
    }
    const std::string name(part.substr(0, equals));
    if (!spec.settings.emplace(name, part.substr(equals + 1)).second) {
      return bad("setting " + name + " is given twice in policy '" + std::string(text) + "'");
    }
  }
  return spec;
}

std::string to_string(const PolicySpec& spec) {
  auto text = spec.name;
  if (const auto command = spec.settings.find(kCommand);
      spec.name == kProcess && command != spec.settings.end()) {
    return text + "," + command->second;
  }
  for (const auto& [name, value] : spec.settings) text.append(",").append(name).append("=").append(value);
  return text;
}

}  // namespace proffer
