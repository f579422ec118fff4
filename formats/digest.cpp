#include "proffer/formats/digest.hpp"

#include <fmt/format.h>

#include <concepts>
#include <type_traits>

#include "formats/fields/trace.hpp"
#include "proffer/formats/event_log.hpp"

namespace proffer {
namespace {

using formats::for_each_field;
using formats::HasLayout;

class Feed {
 public:
  explicit Feed(std::uint64_t& state) : state_(state) {}

  void add(std::string_view text) {
    number(text.size());
    for (const char c : text) byte(static_cast<unsigned char>(c));
  }
  void add(const std::string& text) { add(std::string_view(text)); }
  template <class Number>
    requires std::integral<Number> || std::is_enum_v<Number>
  void add(Number value) {
    number(static_cast<std::uint64_t>(value));
  }
  void add(Duration duration) { number(static_cast<std::uint64_t>(duration.count())); }
  void add(Bits128 bits) {
    number(bits.hi);
    number(bits.lo);
  }
  template <class Tag, class Rep>
  void add(const Id<Tag, Rep>& id) {
    add(id.value);
  }
  template <class Tag>
  void add(const EpochCounter<Tag>& id) {
    number(id.epoch);
    number(id.n);
  }
  void add(Kind kind) { add(kind.name()); }
  void add(const Resources& resources) {
    number(resources.size());
    for (const auto& [kind, units] : resources) {
      add(kind);
      add(units);
    }
  }
  template <class T>
  void add(const std::vector<T>& list) {
    number(list.size());
    for (const auto& item : list) add(item);
  }
  template <HasLayout Struct>
  void add(const Struct& value) {
    for_each_field<Struct>([&](const auto& field) { add(value.*field.member); });
  }

 private:
  void byte(unsigned char value) { state_ = fnv1a(state_, std::uint64_t{value}); }
  void number(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) byte(static_cast<unsigned char>(value >> shift));
  }
  std::uint64_t& state_;
};

}  // namespace

void Digest::line(Time time, std::string_view source, const Trace& trace) {
  if (is_note(trace)) return;
  Feed bytes(state_);
  bytes.add(to_us(time));
  bytes.add(source);
  bytes.add(trace_name(trace));
  std::visit([&bytes](const auto& event) { bytes.add(event); }, trace);
}

std::string Digest::hex() const { return fmt::format("{:016x}", state_); }

}  // namespace proffer
