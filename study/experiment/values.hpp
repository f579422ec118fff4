// The values of an experiment as they are written, beyond those of configuration files
// (formats/settings.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/formats/settings.hpp"
#include "proffer/frameworks/policy_spec.hpp"
#include "proffer/study/generate.hpp"
#include "proffer/study/trace_readers.hpp"

namespace proffer::study {

using formats::AsChoice;
using formats::AsOptional;
using formats::Complaint;
using formats::TomlNode;
using formats::TomlType;

/// A setting that is only read. `Member` as in formats::setting.
template <class Owner, class As, auto Member>
constexpr formats::Setting<Owner> reading(std::string_view name) {
  return {name, [](const TomlNode& node, Owner& owner) { return As::read(node, Member(owner)); }, nullptr};
}
/// A key that is known, and read by somebody else.
template <class Owner>
constexpr formats::Setting<Owner> elsewhere(std::string_view name) {
  return {name, [](const TomlNode&, Owner&) { return Complaint{}; }, nullptr};
}

/// "must be WANTS, not an integer"
Complaint wrong_type(std::string_view wants, const TomlNode& node);

struct AsBoolean {
  static Complaint read(const TomlNode& node, bool& value);
};
/// "60MB/s", or "unlimited" as 0.
struct AsLimit {
  static Complaint read(const TomlNode& node, std::uint64_t& value);
};
/// A factor, kept in thousandths: 1.5 is 1500; from 1.
struct AsFactor {
  static Complaint read(const TomlNode& node, std::int64_t& value);
};
/// A number from 0 to 1, kept in thousandths.
struct AsPartOrNone {
  static Complaint read(const TomlNode& node, std::uint32_t& value);
};
/// A number from 0 to 1000.
struct AsRatio {
  static Complaint read(const TomlNode& node, double& value);
};
/// A number above 0, to 1000.
struct AsScale {
  static Complaint read(const TomlNode& node, double& value);
};
/// Any number.
struct AsNumber {
  static Complaint read(const TomlNode& node, double& value);
};
struct AsDistribution {
  static Complaint read(const TomlNode& node, Distribution& value);
};
/// "swim:FILE"
struct AsTrace {
  static Complaint read(const TomlNode& node, TraceSource& value);
};
/// A list of durations, none before the one in front of it.
struct AsTimes {
  static Complaint read(const TomlNode& node, std::vector<Duration>& value);
};
/// "wait,node_wait=5s", or { name = "wait", node_wait = "5s" }; one that make_policy takes.
struct AsPolicy {
  static Complaint read(const TomlNode& node, PolicySpec& value);
};

}  // namespace proffer::study
