#include "proffer/ids.hpp"

#include <charconv>

#include "proffer/limits.hpp"

namespace proffer {
namespace {

bool word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-';
}

void append_hex(std::string& out, std::uint64_t word) {
  for (int shift = 60; shift >= 0; shift -= 4) out.push_back("0123456789abcdef"[(word >> shift) & 15]);
}

std::optional<std::uint64_t> word_from_hex(std::string_view text) {
  std::uint64_t word = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return word;
}

}  // namespace

std::string to_hex(Bits128 bits) {
  std::string out;
  out.reserve(32);
  append_hex(out, bits.hi);
  append_hex(out, bits.lo);
  return out;
}

std::optional<Bits128> bits_from_hex(std::string_view text) {
  if (text.size() != 32) return {};
  const auto hi = word_from_hex(text.substr(0, 16));
  const auto lo = word_from_hex(text.substr(16));
  if (!hi || !lo) return {};
  return Bits128{*hi, *lo};
}

bool valid_task_id(std::string_view text) {
  if (text.empty() || text.size() > limits::kNameBytes || text == "." || text == "..") return false;
  for (const char c : text) {
    if (!word_byte(c)) return false;
  }
  return true;
}

}  // namespace proffer
