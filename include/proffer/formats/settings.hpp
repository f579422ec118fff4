// Lists of settings: one list a section serves reading, overriding by flags, and printing.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/formats/nearest.hpp"
#include "proffer/formats/rules.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/names.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer::formats {

/// Empty when all is well; else a sentence that goes on after the name of the setting.
using Complaint = std::string;

/// The written form of a value. read() changes `value` only when it returns no complaint; print() gives TOML,
/// or an empty text when there is nothing to say.
struct AsDuration {
  static Complaint read(const TomlNode& node, Duration& value);
  static std::string print(Duration value);
};
struct AsPositiveDuration : AsDuration {
  static Complaint read(const TomlNode& node, Duration& value);
};
struct AsRate {
  static Complaint read(const TomlNode& node, std::optional<std::uint64_t>& value);
  static std::string print(const std::optional<std::uint64_t>& value);
};
struct AsBytes {
  static Complaint read(const TomlNode& node, std::uint64_t& value);
  static std::string print(std::uint64_t value);
};
/// A whole number from 0 (or 1) to 2^32-1.
template <std::uint32_t Least>
struct AsCount {
  static Complaint read(const TomlNode& node, std::uint32_t& value);
  static std::string print(std::uint32_t value) { return std::to_string(value); }
};
/// A whole number from 1 to 100.
struct AsPercent : AsCount<1> {
  static Complaint read(const TomlNode& node, std::uint32_t& value);
};
/// The slots and bulk resources of one agent: { map = 2, cpus = 1.5, memory = "4GiB" }, or "map=2,cpus=1.5".
struct AsSlots {
  static Complaint read(const TomlNode& node, Resources& value);
  static std::string print(const Resources& value);
};
/// The slots of a whole cluster, written as AsSlots.
struct AsQuantities : AsSlots {
  static Complaint read(const TomlNode& node, Resources& value);
};
/// The bulk resources of a task, written as AsSlots.
struct AsNeed : AsSlots {
  static Complaint read(const TomlNode& node, Resources& value);
};
/// true or false; only true is printed.
struct AsSwitch {
  static Complaint read(const TomlNode& node, bool& value);
  static std::string print(bool value) { return value ? "true" : ""; }
};
/// A weight in thousandths: 2.5 is 2500.
struct AsWeight {
  static Complaint read(const TomlNode& node, std::int64_t& value);
  static std::string print(std::int64_t value);
};
/// A part in thousandths: 0.5 is 500; above 0, up to 1.
struct AsPart : AsWeight {
  static Complaint read(const TomlNode& node, std::int64_t& value);
};
/// A set of names: ["a", "b"], or "a,b"
struct AsNames {
  static Complaint read(const TomlNode& node, std::set<std::string>& value);
  static std::string print(const std::set<std::string>& value);
};
/// A list of texts: "a", or ["a", "b"]
struct AsTexts {
  static Complaint read(const TomlNode& node, std::vector<std::string>& value);
  static std::string print(const std::vector<std::string>& value);
};
/// Variables of an environment: { NAME = "value" }
struct AsEnvironment {
  static Complaint read(const TomlNode& node, Environment& value);
  static std::string print(const Environment& value);
};

/// Reads one of several words; `index` is its place among them.
Complaint read_choice(const TomlNode& node, std::span<const std::string_view> words, std::size_t& index);
/// A value of an enumeration, whose words are `kWords` in the same order.
template <class Enum, const auto& kWords>
struct AsChoice {
  static Complaint read(const TomlNode& node, Enum& value) {
    auto index = static_cast<std::size_t>(value);
    auto complaint = read_choice(node, kWords, index);
    value = static_cast<Enum>(index);
    return complaint;
  }
  static std::string print(Enum value) { return toml_quoted(enum_name(kWords, value)); }
};
/// An optional value, written as `As` writes it.
template <class As>
struct AsOptional {
  template <class T>
  static Complaint read(const TomlNode& node, std::optional<T>& value) {
    T read{};
    auto complaint = As::read(node, read);
    if (complaint.empty()) value = std::move(read);
    return complaint;
  }
  template <class T>
  static std::string print(const std::optional<T>& value) {
    return value ? As::print(*value) : "";
  }
};

Complaint read_text(const TomlNode& node, bool (*holds)(std::string_view), std::string_view wants,
                    std::string& value);

/// A text for which a rule of fields/rules.hpp holds.
template <class Rule>
struct AsText {
  static Complaint read(const TomlNode& node, std::string& value) {
    return read_text(node, &Rule::holds, Rule::wants, value);
  }
  static std::string print(const std::string& value) { return value.empty() ? "" : toml_quoted(value); }
};

/// An address to connect to, or (ListenAt) to listen at, where port 0 means a free one.
struct ConnectTo {
  static constexpr std::string_view wants = "must be an address such as \"tcp://127.0.0.1:5150\"";
  static bool holds(std::string_view text);
};
struct ListenAt {
  static constexpr std::string_view wants =
      "must be an address such as \"tcp://127.0.0.1:5150\", with port 0 for a free one";
  static bool holds(std::string_view text);
};
/// An address to serve browsers at; empty: none.
struct HttpAt {
  static constexpr std::string_view wants =
      "must be an address such as \"127.0.0.1:5152\", with port 0 for a free one";
  static bool holds(std::string_view text) {
    return text.empty() || ListenAt::holds("tcp://" + std::string(text));
  }
};
struct ConnectToOrEmpty {
  static constexpr std::string_view wants = ConnectTo::wants;
  static bool holds(std::string_view text) { return text.empty() || ConnectTo::holds(text); }
};

template <class Owner>
struct Setting {
  std::string_view name;
  Complaint (*read)(const TomlNode&, Owner&);
  std::string (*print)(const Owner&);
};

/// `Member`: a function from an Owner (const or not) to a reference to the member.
template <class Owner, class As, auto Member>
constexpr Setting<Owner> setting(std::string_view name) {
  return {name, [](const TomlNode& node, Owner& owner) { return As::read(node, Member(owner)); },
          [](const Owner& owner) { return std::string(As::print(Member(owner))); }};
}

template <class Owner>
const Setting<Owner>* find_setting(std::span<const Setting<Owner>> settings, std::string_view name) {
  for (const auto& setting : settings) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

template <class Owner>
std::vector<std::string_view> names_of(std::span<const Setting<Owner>> settings) {
  std::vector<std::string_view> names;
  for (const auto& setting : settings) names.push_back(setting.name);
  return names;
}

/// Reads the members of a table into `owner`. `section` is the written form of the section: "[agent]".
template <class Owner>
Result<> read_settings(const TomlNode& table, std::span<const Setting<Owner>> settings,
                       std::string_view section, std::string_view file, Owner& owner) {
  if (table.type != TomlType::table) {
    return error_at(file, table.position, fmt::format("{} must be a table", section));
  }
  for (const auto& [key, value] : table.members) {
    const auto* setting = find_setting(settings, key.name);
    if (setting == nullptr) {
      return error_at(file, key.position,
                      unknown(fmt::format("key of {}", section), key.name, names_of(settings)));
    }
    if (const auto complaint = setting->read(value, owner); !complaint.empty()) {
      return error_at(file, value.position, fmt::format("{} {}", key.name, complaint));
    }
  }
  return {};
}

template <class Owner>
std::string print_settings(const Owner& owner, std::span<const Setting<Owner>> settings) {
  std::string text;
  for (const auto& setting : settings) {
    if (const auto value = setting.print(owner); !value.empty()) {
      text += fmt::format("{} = {}\n", setting.name, value);
    }
  }
  return text;
}

}  // namespace proffer::formats
