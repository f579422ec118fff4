// The registry of policies, by name: the built-in ones, and those of plug-ins (docs/POLICIES.md).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/frameworks/policy_spec.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer {

/// A policy as people are told of it.
struct PolicyInfo {
  std::string name;
  std::string about;   ///< one line about what the policy does
  std::string origin;  ///< the file of its plug-in; empty: built-in
  std::vector<SettingInfo> settings;
};

class PolicyRegistry {
 public:
  /// Makes a fresh policy from settings that may be bad: the caller looks at settings.error() afterwards.
  using Make = std::unique_ptr<Policy> (*)(Settings& settings);

  /// Adds a policy. `name`: up to 64 of a-z 0-9 and -, beginning with a letter. A wrong name, or one that is
  /// taken, changes nothing but error().
  void add(std::string_view name, std::string_view about, Make maker);
  /// Adds a class with a constructor from Settings&.
  template <class P>
  void add(std::string_view name, std::string_view about) {
    add(name, about,
        [](Settings& settings) -> std::unique_ptr<Policy> { return std::make_unique<P>(settings); });
  }
  /// The first error of add(): `invalid` for a name, `exists`.
  const std::optional<Error>& error() const { return error_; }

  /// Takes over all policies of a plug-in, or none. `exists` for a taken name, with where that policy is
  /// from; the error of `plugin` if it has one.
  Result<> take(const PolicyRegistry& plugin, const std::string& origin);

  /// Makes a policy, as make_policy does. An exception of a constructor becomes `invalid`, with its text.
  Result<std::unique_ptr<Policy>> make(const PolicySpec& spec, Duration heartbeat) const;
  std::vector<std::string> names() const;
  /// Returns what there is to tell of a policy, or `not_found`.
  Result<PolicyInfo> describe(std::string_view name) const;

 private:
  struct Entry {
    std::string about;
    std::string origin;
    Make maker;
  };
  Error exists(std::string_view name, const Entry& entry) const;
  Error not_found(std::string_view name) const;

  std::map<std::string, Entry, std::less<>> entries_;
  std::optional<Error> error_;
};

/// The registry that make_policy uses. There is one for the whole program, since policies are named wherever
/// something is configured; policies may be added until the first machine or thread is made, and not later.
PolicyRegistry& policy_registry();

}  // namespace proffer
