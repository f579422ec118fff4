#include "study/experiment/values.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "proffer/formats/units.hpp"
#include "study/experiment/tree.hpp"

namespace proffer::study {
namespace {

bool is_number(const TomlNode& node) {
  return node.type == TomlType::integer || node.type == TomlType::number;
}

Complaint is_wrong(const Error& error) { return "is wrong: " + error.message; }

Result<PolicySpec> policy_of_table(const TomlNode& table) {
  PolicySpec spec;
  spec.name.clear();
  for (const auto& [key, value] : table.members) {
    if (value.type == TomlType::array || value.type == TomlType::table || value.type == TomlType::date) {
      return Error{ErrorCode::invalid, fmt::format("{} must be a text or a number", key.name)};
    }
    if (key.name == "name") {
      spec.name = short_text(value);
    } else {
      spec.settings.emplace(key.name, short_text(value));
    }
  }
  if (!spec.name.empty()) return spec;
  return Error{ErrorCode::invalid, "it needs a name, as in { name = \"wait\", node_wait = \"5s\" }"};
}

}  // namespace

Complaint wrong_type(std::string_view wants, const TomlNode& node) {
  return fmt::format("must be {}, not {}", wants, to_string(node.type));
}

Complaint AsBoolean::read(const TomlNode& node, bool& value) {
  if (node.type != TomlType::boolean) return wrong_type("true or false", node);
  value = node.boolean;
  return {};
}

Complaint AsLimit::read(const TomlNode& node, std::uint64_t& value) {
  constexpr std::string_view kWants = "a rate such as \"60MB/s\", or \"unlimited\"";
  if (node.type != TomlType::string) return wrong_type(kWants, node);
  if (node.text == "unlimited") {
    value = 0;
    return {};
  }
  const auto rate = parse_rate(node.text);
  if (!rate) return fmt::format("must be {}, not \"{}\"", kWants, node.text);
  value = *rate;
  return {};
}

Complaint AsFactor::read(const TomlNode& node, std::int64_t& value) {
  std::int64_t milli = 0;
  if (auto complaint = formats::AsWeight::read(node, milli); !complaint.empty()) return complaint;
  if (milli < 1000) return "must be 1 or more: a factor of 1 costs nothing";
  value = milli;
  return {};
}

Complaint AsPartOrNone::read(const TomlNode& node, std::uint32_t& value) {
  constexpr std::string_view kWants = "a number from 0 to 1";
  if (!is_number(node)) return wrong_type(kWants, node);
  if (!(node.number >= 0 && node.number <= 1)) return fmt::format("must be {}", kWants);
  value = static_cast<std::uint32_t>(std::lround(node.number * 1000));
  return {};
}

Complaint AsRatio::read(const TomlNode& node, double& value) {
  constexpr std::string_view kWants = "a number from 0 to 1000";
  if (!is_number(node)) return wrong_type(kWants, node);
  if (!(node.number >= 0 && node.number <= 1000)) return fmt::format("must be {}", kWants);
  value = node.number;
  return {};
}

Complaint AsScale::read(const TomlNode& node, double& value) {
  constexpr std::string_view kWants = "a number above 0 and up to 1000";
  if (!is_number(node)) return wrong_type(kWants, node);
  if (!(node.number > 0 && node.number <= 1000)) return fmt::format("must be {}", kWants);
  value = node.number;
  return {};
}

Complaint AsNumber::read(const TomlNode& node, double& value) {
  if (!is_number(node)) return wrong_type("a number", node);
  value = node.number;
  return {};
}

Complaint AsDistribution::read(const TomlNode& node, Distribution& value) {
  if (node.type != TomlType::string) {
    return wrong_type("a time or a distribution in quotes, such as \"lognormal(10s, 3s)\"", node);
  }
  const auto distribution = parse_distribution(node.text);
  if (!distribution) return is_wrong(distribution.error());
  value = *distribution;
  return {};
}

Complaint AsTrace::read(const TomlNode& node, TraceSource& value) {
  if (node.type != TomlType::string) return wrong_type("a trace, such as \"swim:FILE\"", node);
  auto source = parse_trace_source(node.text);
  if (!source) return is_wrong(source.error());
  value = std::move(*source);
  return {};
}

Complaint AsTimes::read(const TomlNode& node, std::vector<Duration>& value) {
  if (node.type != TomlType::array || node.items.empty()) {
    return "must be a list of times, such as [\"0s\", \"57s\"]";
  }
  std::vector<Duration> times;
  for (const auto& item : node.items) {
    Duration time{};
    if (auto complaint = formats::AsDuration::read(item, time); !complaint.empty()) return complaint;
    if (!times.empty() && time < times.back()) return fmt::format("goes back at \"{}\"", item.text);
    times.push_back(time);
  }
  value = std::move(times);
  return {};
}

Complaint AsPolicy::read(const TomlNode& node, PolicySpec& value) {
  if (node.type != TomlType::string && node.type != TomlType::table) {
    return wrong_type("a policy, such as \"wait,node_wait=5s\"", node);
  }
  auto spec = node.type == TomlType::string ? parse_policy(node.text) : policy_of_table(node);
  if (!spec) return is_wrong(spec.error());
  if (const auto policy = make_policy(*spec); !policy) return is_wrong(policy.error());
  value = std::move(*spec);
  return {};
}

}  // namespace proffer::study
