#include "proffer/frameworks/policy_registry.hpp"

#include <exception>

#include "proffer/nearest.hpp"

namespace proffer {
namespace {

bool valid_policy_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  return !name.empty() && name.size() <= 64 && kLetters.find(name.front()) != kLetters.npos &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == name.npos;
}

}  // namespace

void PolicyRegistry::add(std::string_view name, std::string_view about, Make maker) {
  if (error_) return;
  if (!valid_policy_name(name)) {
    error_ = Error{ErrorCode::invalid, "'" + std::string(name) +
                                           "' is no name for a policy: up to 64 of a-z 0-9 and -, "
                                           "beginning with a letter"};
    return;
  }
  const auto [at, is_new] = entries_.try_emplace(std::string(name), Entry{std::string(about), "", maker});
  if (!is_new) error_ = exists(name, at->second);
}

Result<> PolicyRegistry::take(const PolicyRegistry& plugin, const std::string& origin) {
  if (plugin.error_) return *plugin.error_;
  for (const auto& [name, entry] : plugin.entries_) {
    if (const auto at = entries_.find(name); at != entries_.end()) return exists(name, at->second);
  }
  for (auto [name, entry] : plugin.entries_) {
    entry.origin = origin;
    entries_.emplace(name, std::move(entry));
  }
  return {};
}

Result<std::unique_ptr<Policy>> PolicyRegistry::make(const PolicySpec& spec, Duration heartbeat) const {
  const auto at = entries_.find(spec.name);
  if (at == entries_.end()) return not_found(spec.name);
  Settings settings(spec, heartbeat);
  std::unique_ptr<Policy> policy;
  try {
    policy = at->second.maker(settings);
  } catch (const std::exception& thrown) {           // only constructors of plug-ins throw
    if (settings.error()) return *settings.error();  // most likely why it threw, and better to read
    return Error{ErrorCode::invalid, "policy " + spec.name + " cannot be made: " + thrown.what()};
  }
  if (auto wrong = settings.error()) return *wrong;
  return policy;
}

std::vector<std::string> PolicyRegistry::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

Result<PolicyInfo> PolicyRegistry::describe(std::string_view name) const {
  const auto at = entries_.find(name);
  if (at == entries_.end()) return not_found(name);
  const PolicySpec spec{at->first, {}};
  Settings settings(spec, std::chrono::seconds(1));
  try {
    at->second.maker(settings);
  } catch (const std::exception&) {  // the settings that were read until then are told
  }
  return PolicyInfo{at->first, at->second.about, at->second.origin, settings.known()};
}

Error PolicyRegistry::exists(std::string_view name, const Entry& entry) const {
  const auto origin = entry.origin.empty() ? std::string() : ", from " + entry.origin;
  return {ErrorCode::exists, "there is a policy '" + std::string(name) + "' already" + origin};
}

Error PolicyRegistry::not_found(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const auto& [known, entry] : entries_) names.push_back(known);
  const auto nearest = nearest_word(name, names);
  const auto hint =
      nearest ? "did you mean '" + std::string(*nearest) + "'?" : "there are " + join_names(names);
  return {ErrorCode::not_found, "there is no policy '" + std::string(name) + "'; " + hint};
}

}  // namespace proffer
