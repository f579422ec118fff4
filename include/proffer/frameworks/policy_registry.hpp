// The policies that there are, by name: the built-in ones, and those of plug-ins (docs/POLICIES.md).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/frameworks/policy.hpp"
#include "proffer/frameworks/settings.hpp"

namespace proffer {

/// A policy as people are told of it.
struct PolicyInfo {
  std::string name;
  std::string about;   ///< what it does, in one line
  std::string origin;  ///< the file of its plug-in; empty: built-in
  std::vector<SettingInfo> settings;
};

class PolicyRegistry {
 public:
  /// A fresh policy, of settings that need not be good: whoever asks looks at settings.error() behind it.
  using Make = std::unique_ptr<Policy> (*)(Settings& settings);

  /// `name`: up to 64 of a-z 0-9 and -, beginning with a letter. A wrong name, or one that is there already,
  /// changes nothing but error().
  void add(std::string_view name, std::string_view about, Make maker);
  /// A class with a constructor from Settings&.
  template <class P>
  void add(std::string_view name, std::string_view about) {
    add(name, about,
        [](Settings& settings) -> std::unique_ptr<Policy> { return std::make_unique<P>(settings); });
  }
  /// What went wrong first in add(): `invalid` for a name, `exists`.
  const std::optional<Error>& error() const { return error_; }

  /// All policies of a plug-in, or none. `exists`, with the name and where that one is from; error() of them.
  Result<> take(const PolicyRegistry& plugin, const std::string& origin);

  /// As make_policy and policy_names. What a constructor throws is `invalid`, with its text.
  Result<std::unique_ptr<Policy>> make(const PolicySpec& spec, Duration heartbeat) const;
  std::vector<std::string> names() const;
  /// `not_found`.
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

/// Those that make_policy knows. There is one for the whole program, since policies are named wherever
/// something is configured; it may be added to until the first machine or thread is made, and not later.
PolicyRegistry& policies();

}  // namespace proffer
