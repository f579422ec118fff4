// Integer quantities of named kinds. A slot kind ("map", "reduce") is one whose tasks take 1.
#pragma once

#include <array>
#include <bit>
#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>
#include <boost/endian/conversion.hpp>
#include <compare>
#include <cstdint>
#include <string_view>
#include <utility>

namespace proffer {

/// The name of a kind, held inline: 1-15 bytes of [a-z0-9_]. Empty means "no kind".
class Kind {
 public:
  constexpr Kind() = default;
  /// Aborts on a name that is not valid(); check user input first.
  explicit Kind(std::string_view name);
  static bool valid(std::string_view name);
  std::string_view name() const;
  // Kinds are ordered by name, compared as two numbers, since they are compared at every turn.
  friend bool operator==(Kind a, Kind b) { return a.halves() == b.halves(); }
  friend std::strong_ordering operator<=>(Kind a, Kind b) { return a.in_order() <=> b.in_order(); }

 private:
  using Halves = std::array<std::uint64_t, 2>;
  Halves halves() const { return std::bit_cast<Halves>(text_); }
  /// The bytes as two numbers whose order is that of the name: the first letter counts most.
  Halves in_order() const {
    const auto [first, second] = halves();
    return {boost::endian::big_to_native(first), boost::endian::big_to_native(second)};
  }

  std::array<char, 16> text_{};
};

/// A sorted bag of (kind, quantity > 0). Absent means zero.
class Resources {
 public:
  using Entry = std::pair<Kind, std::int64_t>;
  Resources() = default;
  // Declared, because small_vector does not promise it: without noexcept, vectors of messages would be
  // copied where they grow.
  Resources(Resources&&) noexcept = default;
  Resources& operator=(Resources&&) noexcept = default;
  Resources(const Resources&) = default;
  Resources& operator=(const Resources&) = default;
  ~Resources() = default;
  Resources(std::initializer_list<Entry> entries);
  template <class Iterator>
  Resources(Iterator from, Iterator to) {
    for (; from != to; ++from) add(from->first, from->second);
  }

  std::int64_t operator[](Kind kind) const;
  /// Sets one quantity; zero removes the kind. Aborts on a negative one.
  void set(Kind kind, std::int64_t quantity);
  void add(Kind kind, std::int64_t quantity) { set(kind, (*this)[kind] + quantity); }
  Resources& operator+=(const Resources& other);
  /// Aborts unless contains(other).
  Resources& operator-=(const Resources& other);
  bool contains(const Resources& other) const;
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  bool operator==(const Resources&) const = default;

 private:
  boost::container::small_vector<Entry, 3> entries_;
};

/// Quantities of the named kinds, zeros included: an absent kind is unknown, not zero. Sorted by kind, each
/// kind once, whatever the order of insertion, since messages carry them so.
using Quantities = boost::container::flat_map<Kind, std::int64_t>;

}  // namespace proffer
