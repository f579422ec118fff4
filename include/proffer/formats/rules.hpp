// Rules for texts, lists and numbers beyond their type. A rule is a type: it has the word by which
// docs/PROTOCOL.md calls it, a sentence about what it wants, and the check itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proffer/formats/text.hpp"
#include "proffer/ids.hpp"
#include "proffer/limits.hpp"

namespace proffer::formats {

/// No rule: everything that the type can hold.
struct Plain {};

/// Text for people.
struct Text {
  static constexpr std::string_view word = "text";
  static constexpr std::string_view wants = "must be at most 65536 bytes of UTF-8";
  static constexpr std::size_t most = limits::kTextBytes;
  static bool holds(std::string_view text) { return text.size() <= most && is_utf8(text); }
};

/// A name of an agent, rack, framework or task.
struct Name {
  static constexpr std::string_view word = "name";
  static constexpr std::string_view wants = "must be 1-128 bytes of [A-Za-z0-9._-], and not '.' or '..'";
  static bool holds(std::string_view text) { return valid_name(text); }
};

struct NameOrEmpty {
  static constexpr std::string_view word = "name or empty";
  static constexpr std::string_view wants =
      "must be empty, or 1-128 bytes of [A-Za-z0-9._-] and not '.' or '..'";
  static bool holds(std::string_view text) { return text.empty() || valid_name(text); }
};

/// A pool as a dotted path below the root; empty: the root, or the default pool.
struct Pool {
  static constexpr std::string_view word = "pool";
  static constexpr std::string_view wants =
      "must be empty, or at most 8 names of [A-Za-z0-9_-] joined by dots";
  static bool holds(std::string_view text);
};

/// A token or a user.
struct Short {
  static constexpr std::string_view word = "short text";
  static constexpr std::string_view wants = "must be at most 128 bytes of UTF-8";
  static constexpr std::size_t most = limits::kNameBytes;
  static bool holds(std::string_view text) { return text.size() <= most && is_utf8(text); }
};

struct Path {
  static constexpr std::string_view word = "path";
  static constexpr std::string_view wants = "must be at most 4096 bytes";
  static bool holds(std::string_view text) { return text.size() <= limits::kPathBytes; }
};

struct Endpoint {
  static constexpr std::string_view word = "endpoint";
  static constexpr std::string_view wants = "must be at most 256 bytes";
  static bool holds(std::string_view text) { return text.size() <= limits::kEndpointBytes; }
};

/// A text that becomes an argument or a variable of a process, where a zero byte would end it early.
struct Argument {
  static constexpr std::string_view word = "argument";
  static constexpr std::string_view wants = "must be at most 65536 bytes, none of them zero";
  static bool holds(std::string_view text) {
    return text.size() <= limits::kTextBytes && text.find('\0') == text.npos;
  }
};

struct VariableName {
  static constexpr std::string_view word = "variable name";
  static constexpr std::string_view wants = "must be 1-128 bytes without '=' or a zero byte";
  static bool holds(std::string_view text) {
    return !text.empty() && text.size() <= limits::kNameBytes &&
           text.find_first_of(std::string_view("=\0", 2)) == text.npos;
  }
};

/// A file in a sandbox: never a way out of it.
struct FileName {
  static constexpr std::string_view word = "file name";
  static constexpr std::string_view wants =
      "must be 1-255 bytes without '/' or a zero byte, and not '.' or '..'";
  static bool holds(std::string_view text) {
    return !text.empty() && text.size() <= 255 && text != "." && text != ".." &&
           text.find_first_of(std::string_view("/\0", 2)) == text.npos;
  }
};

/// Bytes that are `bin` on the wire, where texts are `str`.
template <std::size_t Most>
struct Bytes {
  static constexpr std::size_t most = Most;
};

/// A list of at most `Most` items; `Inner` is the rule of its items.
template <std::size_t Most, class Inner = Plain>
struct List {
  static constexpr std::size_t most = Most;
};

/// The rules of the two halves of a pair.
template <class First, class Second>
struct Pair {};

template <std::uint64_t Most>
struct UpTo {
  static constexpr std::uint64_t most = Most;
};

}  // namespace proffer::formats
