#include "proffer/formats/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "proffer/bulk.hpp"
#include "proffer/formats/units.hpp"

namespace proffer::formats {
namespace {

Complaint wrong_type(std::string_view wants, const TomlNode& node) {
  return fmt::format("must be {}, not {}", wants, to_string(node.type));
}

/// Reads a string that `parse` (of units.hpp) understands.
template <class T, class Target>
Complaint read_unit(const TomlNode& node, std::string_view wants, Result<T> (*parse)(std::string_view),
                    Target& value) {
  if (node.type != TomlType::string) return wrong_type(wants, node);
  auto parsed = parse(node.text);
  if (!parsed) return "is wrong: " + parsed.error().message;
  value = std::move(*parsed);
  return {};
}

bool is_port(std::string_view text, unsigned least) {
  if (text == "*") return least == 0;  // any that is free
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc{} && end == text.data() + text.size() && port >= least && port <= 65535;
}

bool is_address(std::string_view text, unsigned least_port) {
  if (text.size() > limits::kEndpointBytes) return false;
  if (text.starts_with("ipc://")) return text.size() > 6;
  if (!text.starts_with("tcp://")) return false;
  const auto rest = text.substr(6);
  const auto colon = rest.rfind(':');
  return colon != rest.npos && colon > 0 && is_port(rest.substr(colon + 1), least_port);
}

/// The value of a kind as a person would write it in a list of slots.
std::optional<std::string> text_of(const TomlNode& node) {
  if (node.type == TomlType::string) return node.text;
  if (node.type == TomlType::integer) return std::to_string(node.integer);
  if (node.type == TomlType::number) return fmt::format("{}", node.number);
  return {};
}

/// `most`: the most of a kind.
template <class Most>
Complaint read_bag(const TomlNode& table, Most&& most, Resources& value) {
  Resources slots;
  if (table.members.size() > limits::kKindsPerAgent)
    return fmt::format("has more than {} kinds", limits::kKindsPerAgent);
  for (const auto& [key, node] : table.members) {
    if (!Kind::valid(key.name)) return fmt::format("has the kind \"{}\": write 1-15 of a-z 0-9 _", key.name);
    const Kind kind(key.name);
    if (!is_bulk(kind)) {
      if (node.type != TomlType::integer || node.integer < 1 || node.integer > most(kind)) {
        return fmt::format("has a wrong {}: write a whole number from 1 to {}", key.name, most(kind));
      }
      slots.set(kind, node.integer);
      continue;
    }
    const auto units = parse_quantity(kind, text_of(node).value_or(""), most(kind));
    if (!units) return fmt::format("has a wrong {}: {}", key.name, units.error().message);
    slots.set(kind, *units);
  }
  if (slots.empty()) return "must have at least one kind, as in { map = 2 }";
  value = slots;
  return {};
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    parts.emplace_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

Complaint read_names(const std::vector<std::string>& texts, std::set<std::string>& value) {
  std::set<std::string> names;
  for (const auto& text : texts) {
    if (!Name::holds(text)) return fmt::format("has the name \"{}\", which {}", text, Name::wants);
    if (!names.insert(text).second) return fmt::format("has \"{}\" twice", text);
  }
  value = std::move(names);
  return {};
}

}  // namespace

Complaint AsDuration::read(const TomlNode& node, Duration& value) {
  return read_unit(node, "a duration in quotes, such as \"5s\"", &parse_duration, value);
}
Complaint AsNeed::read(const TomlNode& node, Resources& value) {
  if (auto complaint = AsSlots::read(node, value); !complaint.empty()) return complaint;
  const auto why = refuse_need(value);
  return why.empty() ? "" : "does not go: " + why;
}

std::string AsDuration::print(Duration value) { return toml_quoted(format_duration(value)); }

Complaint AsPositiveDuration::read(const TomlNode& node, Duration& value) {
  Duration read{};
  if (auto complaint = AsDuration::read(node, read); !complaint.empty()) return complaint;
  if (read == Duration::zero()) return "must be longer than 0";
  value = read;
  return {};
}

Complaint AsRate::read(const TomlNode& node, std::optional<std::uint64_t>& value) {
  return read_unit(node, "a rate in quotes, such as \"512KiB/s\"", &parse_rate, value);
}
std::string AsRate::print(const std::optional<std::uint64_t>& value) {
  return value ? toml_quoted(format_rate(*value)) : "";
}

Complaint AsBytes::read(const TomlNode& node, std::uint64_t& value) {
  return read_unit(node, "a size in quotes, such as \"64MiB\"", &parse_bytes, value);
}
std::string AsBytes::print(std::uint64_t value) { return toml_quoted(format_bytes(value)); }

template <std::uint32_t Least>
Complaint AsCount<Least>::read(const TomlNode& node, std::uint32_t& value) {
  if (node.type != TomlType::integer) return wrong_type("a whole number", node);
  if (node.integer < Least || node.integer > std::numeric_limits<std::uint32_t>::max()) {
    return fmt::format("must be a whole number from {} to {}", Least,
                       std::numeric_limits<std::uint32_t>::max());
  }
  value = static_cast<std::uint32_t>(node.integer);
  return {};
}
template struct AsCount<0>;
template struct AsCount<1>;

Complaint AsPercent::read(const TomlNode& node, std::uint32_t& value) {
  if (node.type != TomlType::integer) return wrong_type("a whole number", node);
  if (node.integer < 1 || node.integer > 100) return "must be a whole number of percent, from 1 to 100";
  value = static_cast<std::uint32_t>(node.integer);
  return {};
}

Complaint AsSlots::read(const TomlNode& node, Resources& value) {
  if (node.type == TomlType::string) return read_unit(node, "", &parse_slots, value);
  if (node.type == TomlType::table) return read_bag(node, most_per_agent, value);
  return wrong_type("a table of kinds, such as { map = 2, reduce = 1 }", node);
}
Complaint AsQuantities::read(const TomlNode& node, Resources& value) {
  if (node.type == TomlType::string) return read_unit(node, "", &parse_quantities, value);
  if (node.type == TomlType::table)
    return read_bag(
        node, [](Kind) { return limits::kQuantity; }, value);
  return wrong_type("a table of kinds, such as { map = 200, reduce = 100 }", node);
}
std::string AsSlots::print(const Resources& value) {
  std::vector<std::string> parts;
  for (const auto& [kind, n] : value) {
    const auto text = format_quantity(kind, n);
    parts.push_back(fmt::format("{} = {}", kind.name(), kind == kMemory ? toml_quoted(text) : text));
  }
  return parts.empty() ? "" : fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

Complaint AsSwitch::read(const TomlNode& node, bool& value) {
  const bool is_word = node.type == TomlType::string && (node.text == "true" || node.text == "false");
  if (node.type != TomlType::boolean && !is_word) return wrong_type("true or false", node);
  value = is_word ? node.text == "true" : node.boolean;
  return {};
}

Complaint AsWeight::read(const TomlNode& node, std::int64_t& value) {
  constexpr std::string_view kWants = "a number above 0 and at most 1000000, with at most three decimals";
  if (node.type != TomlType::integer && node.type != TomlType::number) return wrong_type(kWants, node);
  if (!(node.number > 0 && node.number <= 1e6)) return fmt::format("must be {}", kWants);
  const auto milli = std::llround(node.number * 1000);
  if (milli == 0 || std::abs(node.number * 1000 - static_cast<double>(milli)) > 1e-6) {
    return fmt::format("must be {}", kWants);
  }
  value = milli;
  return {};
}
std::string AsWeight::print(std::int64_t value) {
  auto text = fmt::format("{}.{:03}", value / 1000, value % 1000);
  while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
  return text;
}

Complaint AsPart::read(const TomlNode& node, std::int64_t& value) {
  std::int64_t milli = 0;
  if (auto complaint = AsWeight::read(node, milli); !complaint.empty()) return complaint;
  if (milli > 1000) return "must be above 0 and up to 1";
  value = milli;
  return {};
}
Complaint AsNames::read(const TomlNode& node, std::set<std::string>& value) {
  std::vector<std::string> texts;
  if (node.type == TomlType::string) return read_names(split_at_commas(node.text), value);
  if (node.type != TomlType::array) return wrong_type("an array of names, such as [\"r1\", \"r2\"]", node);
  if (auto complaint = AsTexts::read(node, texts); !complaint.empty()) return complaint;
  return read_names(texts, value);
}
std::string AsNames::print(const std::set<std::string>& value) {
  return AsTexts::print({value.begin(), value.end()});
}

Complaint AsTexts::read(const TomlNode& node, std::vector<std::string>& value) {
  if (node.type == TomlType::string) {
    value = {node.text};
    return {};
  }
  if (node.type != TomlType::array) return wrong_type("a string, or an array of strings", node);
  std::vector<std::string> texts;
  for (const auto& item : node.items) {
    if (item.type != TomlType::string) return wrong_type("an array of strings", item);
    texts.push_back(item.text);
  }
  value = std::move(texts);
  return {};
}
std::string AsTexts::print(const std::vector<std::string>& value) {
  std::vector<std::string> parts;
  for (const auto& text : value) parts.push_back(toml_quoted(text));
  return parts.empty() ? "" : fmt::format("[{}]", fmt::join(parts, ", "));
}

Complaint AsEnvironment::read(const TomlNode& node, Environment& value) {
  if (node.type != TomlType::table) return wrong_type("a table, such as { LANG = \"C\" }", node);
  Environment environment;
  for (const auto& [key, text] : node.members) {
    if (!VariableName::holds(key.name))
      return fmt::format("has \"{}\", whose name {}", key.name, VariableName::wants);
    if (text.type != TomlType::string) return fmt::format("has a wrong {}: write a string", key.name);
    if (!Argument::holds(text.text)) return fmt::format("has a wrong {}: it {}", key.name, Argument::wants);
    environment.emplace_back(key.name, text.text);
  }
  value = std::move(environment);
  return {};
}
std::string AsEnvironment::print(const Environment& value) {
  std::vector<std::string> parts;
  for (const auto& [name, text] : value)
    parts.push_back(fmt::format("{} = {}", toml_quoted(name), toml_quoted(text)));
  return parts.empty() ? "" : fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

Complaint read_choice(const TomlNode& node, std::span<const std::string_view> words, std::size_t& index) {
  if (node.type != TomlType::string) {
    return wrong_type(fmt::format("one of \"{}\"", fmt::join(words, "\", \"")), node);
  }
  const auto found = std::find(words.begin(), words.end(), node.text);
  if (found == words.end()) {
    return "is wrong: " + unknown("word", node.text, {words.begin(), words.end()});
  }
  index = static_cast<std::size_t>(found - words.begin());
  return {};
}

Complaint read_text(const TomlNode& node, bool (*holds)(std::string_view), std::string_view wants,
                    std::string& value) {
  if (node.type != TomlType::string) return wrong_type("a string", node);
  if (!holds(node.text)) return std::string(wants);
  value = node.text;
  return {};
}

bool ConnectTo::holds(std::string_view text) { return is_address(text, 1); }
bool ListenAt::holds(std::string_view text) { return is_address(text, 0); }

}  // namespace proffer::formats
