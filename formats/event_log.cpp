#include "proffer/formats/event_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "formats/fields/trace.hpp"
#include "formats/fields/traits.hpp"

namespace proffer {
namespace {

using namespace formats;
using nlohmann::json;

template <class Enum>
concept Named = std::is_enum_v<Enum> && (kEnumSize<Enum>) > 0;

// ---- writing ----

/// Appends a text as JSON, which wants UTF-8; our texts may be any bytes: bad ones become U+FFFD.
void append_quoted(std::string& out, std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; });
  if (plain) {
    out.append(1, '"').append(text).append(1, '"');
  } else {
    out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  }
}

template <class Number>
void append_number(std::string& out, Number value) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  template <class T>
  void write(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      out_ += value ? "true" : "false";
    } else if constexpr (Named<T>) {
      append_quoted(out_, to_string(value));
    } else if constexpr (std::is_integral_v<T>) {
      append_number(out_, value);
    } else if constexpr (HasLayout<T>) {
      out_ += '{';
      const char* comma = "";
      write_fields(value, comma);
      out_ += '}';
    } else {
      write_other(value);
    }
  }

  template <class T>
  void write_fields(const T& value, const char*& comma) {
    for_each_field<T>([&](const auto& field) {
      out_.append(comma).append(1, '"').append(field.name).append("\":");
      comma = ",";
      write(value.*field.member);
    });
  }

 private:
  void write_other(const std::string& text) { append_quoted(out_, text); }
  void write_other(Duration value) { append_number(out_, to_us(value)); }
  void write_other(Kind kind) { append_quoted(out_, kind.name()); }
  template <class Tag>
  void write_other(const Id<Tag, Bits128>& id) {
    append_quoted(out_, id.value.is_nil() ? "" : to_hex(id.value));
  }
  template <class Tag, class Rep>
  void write_other(const Id<Tag, Rep>& id) {
    write(id.value);
  }
  template <class Tag>
  void write_other(const EpochCounter<Tag>& id) {
    out_ += '"';
    append_number(out_, id.epoch);
    out_ += '-';
    append_number(out_, id.n);
    out_ += '"';
  }
  void write_other(const Resources& bag) {
    out_ += '{';
    for (const auto& [kind, quantity] : bag) {
      if (out_.back() != '{') out_ += ',';
      append_quoted(out_, kind.name());
      out_ += ':';
      append_number(out_, quantity);
    }
    out_ += '}';
  }

  template <class T>
  void write_other(const std::vector<T>& list) {
    out_ += '[';
    for (const auto& item : list) {
      if (out_.back() != '[') out_ += ',';
      write(item);
    }
    out_ += ']';
  }

  std::string& out_;
};

// ---- reading ----

class Reader {
 public:
  const std::string& fault() const { return fault_; }

  template <class T>
  bool read_fields(const json& from, T& value) {
    return all_fields<T>([&](const auto& field) {
      const auto found = from.find(field.name);
      if (found == from.end()) {
        using Rule = typename std::remove_cvref_t<decltype(field)>::rule;
        return std::is_same_v<Rule, Since> || wrong(std::string(field.name) + " is missing");
      }
      return read(*found, value.*field.member) || wrong(std::string(field.name) + " has a wrong value");
    });
  }

 private:
  bool wrong(std::string what) {
    if (fault_.empty()) fault_ = std::move(what);
    return false;
  }

  template <class T>
  bool read(const json& from, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      if (from.is_boolean()) value = from.get<bool>();
      return from.is_boolean();
    } else if constexpr (Named<T>) {
      return read_name(from, value);
    } else if constexpr (std::is_integral_v<T>) {
      return read_integer(from, value);
    } else if constexpr (HasLayout<T>) {
      return from.is_object() && read_fields(from, value);
    } else {
      return read_other(from, value);
    }
  }

  template <class T>
  static bool read_integer(const json& from, T& value) {
    if (from.is_number_unsigned()) {
      const auto number = from.get<std::uint64_t>();
      value = static_cast<T>(number);
      return number <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    }
    if (!std::is_signed_v<T> || !from.is_number_integer()) return false;
    const auto number = from.get<std::int64_t>();
    value = static_cast<T>(number);
    return number >= static_cast<std::int64_t>(std::numeric_limits<T>::min());
  }

  template <class Enum>
  static bool read_name(const json& from, Enum& value) {
    if (!from.is_string()) return false;
    for (std::uint64_t i = 0; i < kEnumSize<Enum>; ++i) {
      value = static_cast<Enum>(i);
      if (to_string(value) == from.get_ref<const std::string&>()) return true;
    }
    return false;
  }

  static bool read_other(const json& from, std::string& text) {
    if (from.is_string()) text = from.get_ref<const std::string&>();
    return from.is_string();
  }
  static bool read_other(const json& from, Duration& value) {
    std::int64_t us = 0;
    if (!read_integer(from, us)) return false;
    value = Duration{us};
    return true;
  }
  static bool read_other(const json& from, Kind& kind) {
    if (!from.is_string()) return false;
    const auto& text = from.get_ref<const std::string&>();
    kind = Kind::valid(text) ? Kind(text) : Kind();
    return kind.name() == text;
  }
  template <class Tag>
  static bool read_other(const json& from, Id<Tag, Bits128>& id) {
    if (!from.is_string()) return false;
    const auto& text = from.get_ref<const std::string&>();
    const auto bits = text.empty() ? Bits128{} : bits_from_hex(text);
    if (bits) id.value = *bits;
    return bits.has_value();
  }
  template <class Tag, class Rep>
  bool read_other(const json& from, Id<Tag, Rep>& id) {
    return read(from, id.value);
  }
  template <class Tag>
  static bool read_other(const json& from, EpochCounter<Tag>& id) {
    if (!from.is_string()) return false;
    const std::string_view text = from.get_ref<const std::string&>();
    const auto* end = text.data() + text.size();
    const auto epoch = std::from_chars(text.data(), end, id.epoch);
    if (epoch.ec != std::errc{} || epoch.ptr == end || *epoch.ptr != '-') return false;
    const auto n = std::from_chars(epoch.ptr + 1, end, id.n);
    return n.ec == std::errc{} && n.ptr == end;
  }
  static bool read_other(const json& from, Resources& bag) {
    if (!from.is_object()) return false;
    for (const auto& [name, value] : from.items()) {
      std::int64_t quantity = 0;
      if (!Kind::valid(name) || !read_integer(value, quantity) || quantity <= 0) return false;
      bag.set(Kind(name), quantity);
    }
    return true;
  }

  template <class T>
  bool read_other(const json& from, std::vector<T>& list) {
    if (!from.is_array()) return false;
    list.clear();
    return std::all_of(from.begin(), from.end(),
                       [&](const json& item) { return read(item, list.emplace_back()); });
  }

  std::string fault_;
};

/// Reads the alternative of that name into `trace`; nothing when there is no such event.
template <std::size_t I = 0>
std::optional<bool> read_event(std::string_view name, Reader& reader, const json& line, Trace& trace) {
  if constexpr (I == std::variant_size_v<Trace::variant>) {
    return {};
  } else {
    using Event = std::variant_alternative_t<I, Trace::variant>;
    if (Layout<Event>::name == name) return reader.read_fields(line, trace.emplace<I>());
    return read_event<I + 1>(name, reader, line, trace);
  }
}

Error invalid(std::string what) { return {ErrorCode::invalid, std::move(what)}; }

}  // namespace

std::string_view trace_name(const Trace& trace) {
  return std::visit([]<class T>(const T&) { return Layout<T>::name; }, trace);
}

std::string format_trace(const TraceLine& line) {
  std::string out = "{";
  out.reserve(256);
  Writer writer(out);
  const char* comma = "";
  writer.write_fields(LineHead{to_us(line.time), line.seq, line.source}, comma);
  if (line.life != 0) append_number(out.append(",\"life\":"), line.life);
  out.append(",\"event\":\"").append(trace_name(line.trace)).append(1, '"');
  std::visit([&](const auto& trace) { writer.write_fields(trace, comma); }, line.trace);
  out += '}';
  return out;
}

Result<TraceLine> parse_trace(std::string_view line) {
  const auto object = json::parse(line, nullptr, false);
  if (!object.is_object()) return invalid("an event log's line must be one JSON object");
  Reader reader;
  LineHead head;
  if (!reader.read_fields(object, head)) return invalid(reader.fault());
  const auto life = object.find("life");
  const auto event = object.find("event");
  if (event == object.end() || !event->is_string()) return invalid("event is missing");
  const auto& name = event->get_ref<const std::string&>();
  TraceLine parsed{time_from_us(head.t_us), head.seq, std::move(head.source), {}};
  if (life != object.end() && life->is_number_unsigned()) parsed.life = life->get<std::uint32_t>();
  const auto known = read_event(name, reader, object, parsed.trace);
  if (!known) return invalid("unknown event " + name);
  if (!*known) return invalid(name + ": " + reader.fault());
  return parsed;
}

}  // namespace proffer
