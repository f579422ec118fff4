// The key of a line, the reduce that gets it, and the order in which lines are merged.
//
// The key is all up to the first tab, or the whole line. Its partition is the CRC-32 (of zip and Ethernet) of
// the key's bytes modulo the number of reduces: the same on every machine and in every language. Lines are
// ordered by key and then as a whole, byte by byte, so that their order does not depend on who made them;
// `LC_ALL=C sort -t TAB -k1,1` gives the same order.
#pragma once

#include <cstdint>
#include <string_view>

namespace proffer::live {

inline std::string_view key_of(std::string_view line) { return line.substr(0, line.find('\t')); }

std::uint32_t partition_of(std::string_view key, std::uint32_t partitions);

/// Returns whether a comes before b; `a_key` and `b_key` are the lengths of their keys.
inline bool line_before(std::string_view a, std::size_t a_key, std::string_view b, std::size_t b_key) {
  const auto by_key = a.substr(0, a_key).compare(b.substr(0, b_key));
  return by_key != 0 ? by_key < 0 : a < b;
}

}  // namespace proffer::live
