// The text of a note (Driver::keep): numbers and texts one behind the other, written and read by one list of
// fields. `Fields::of(archive, s)` names those of a structure, in order; an archive is a NoteWriter or a
// NoteReader, and `s` const for a writer.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

/// A T, const or not.
template <class S, class T>
concept Noted = std::same_as<std::remove_const_t<S>, T>;

template <class Fields>
class NoteWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::exchange(text_, {}); }

 private:
  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  void put(T value) {
    text_ += std::to_string(static_cast<std::int64_t>(value)) + ' ';
  }
  void put(const std::string& text) {
    put(text.size());
    text_ += text;
  }
  void put(Duration duration) { put(to_us(duration)); }
  void put(const TaskId& task) { put(task.value); }
  template <class Tag>
  void put(const Id<Tag, Bits128>& id) {
    put(id.value.hi);
    put(id.value.lo);
  }
  template <class A, class B>
  void put(const std::pair<A, B>& pair) {
    put(pair.first);
    put(pair.second);
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(list.size());
    for (const auto& one : list) put(one);
  }
  template <class T>
    requires requires(NoteWriter& writer, const T& value) { Fields::of(writer, value); }
  void put(const T& value) {
    Fields::of(*this, value);
  }

  std::string text_;
};

/// Reads what a NoteWriter has written. From the first thing that makes no sense on, all is 0 and empty.
template <class Fields>
class NoteReader {
 public:
  explicit NoteReader(std::string_view text) : rest_(text) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  /// Returns whether everything made sense, and nothing is left over.
  bool complete() const { return ok_ && rest_.empty(); }

 private:
  std::int64_t number() {
    std::int64_t value = 0;
    const auto* end = rest_.data() + rest_.size();
    const auto [at, error] = std::from_chars(rest_.data(), end, value);
    ok_ = ok_ && error == std::errc{} && at != end && *at == ' ';
    if (!ok_) return 0;
    rest_.remove_prefix(static_cast<std::size_t>(at - rest_.data()) + 1);
    return value;
  }
  /// The length of what follows: no more than there is.
  std::size_t length() {
    const auto n = static_cast<std::uint64_t>(number());
    ok_ = ok_ && n <= rest_.size();
    return ok_ ? static_cast<std::size_t>(n) : 0;
  }

  template <class T>
    requires std::integral<T> || std::is_enum_v<T>
  void get(T& value) {
    value = static_cast<T>(number());
  }
  void get(std::string& text) {
    const auto size = length();
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  void get(Duration& duration) { duration = std::chrono::microseconds(number()); }
  void get(TaskId& task) { get(task.value); }
  template <class Tag>
  void get(Id<Tag, Bits128>& id) {
    get(id.value.hi);
    get(id.value.lo);
  }
  template <class A, class B>
  void get(std::pair<A, B>& pair) {
    get(pair.first);
    get(pair.second);
  }
  template <class T>
  void get(std::vector<T>& list) {
    list.resize(length());
    for (auto& one : list) get(one);
  }
  template <class T>
    requires requires(NoteReader& reader, T& value) { Fields::of(reader, value); }
  void get(T& value) {
    Fields::of(*this, value);
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace proffer::frameworks
