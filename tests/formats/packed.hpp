// MessagePack by hand, also such as no library would write.
#pragma once

#include <string>
#include <string_view>

namespace proffer::formats::packed {

inline std::string big_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
  return out;
}

inline std::string array(std::size_t n) {
  if (n < 16) return std::string(1, static_cast<char>(0x90 | n));
  return (n < 65536 ? "\xdc" : "\xdd") + big_endian(n, n < 65536 ? 2 : 4);
}
inline std::string u8(unsigned n) { return "\xcc" + big_endian(n, 1); }
inline std::string u64(std::uint64_t n) { return "\xcf" + big_endian(n, 8); }
inline std::string i64(std::int64_t n) { return "\xd3" + big_endian(static_cast<std::uint64_t>(n), 8); }
inline std::string f64(std::uint64_t bits) { return "\xcb" + big_endian(bits, 8); }
inline std::string str(std::string_view text) {
  return "\xdb" + big_endian(text.size(), 4) + std::string(text);
}
inline std::string bin(std::string_view bytes) {
  return "\xc6" + big_endian(bytes.size(), 4) + std::string(bytes);
}
inline const std::string kNil = "\xc0";
inline const std::string kTrue = "\xc3";
inline const std::string kNoBytes{"\xc4\0", 2};

inline std::string repeated(std::string_view part, std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += part;
  return out;
}

/// [1, type, "", 0, 0, 0, body]
inline std::string message(unsigned type, std::string_view body) {
  return array(7) + "\x01" + u8(type) + kNoBytes + repeated(std::string_view("\0", 1), 3) + std::string(body);
}

}  // namespace proffer::formats::packed
