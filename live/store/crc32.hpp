// The CRC-32 of zip and Ethernet, as Store messages carry it.
#pragma once

#include <cstdint>
#include <string_view>

namespace proffer::live {

class Crc32 {
 public:
  void add(std::string_view bytes);
  /// Returns the checksum of all bytes added so far.
  std::uint32_t value() const;

 private:
  std::uint32_t remainder_ = 0xFFFFFFFF;
};

}  // namespace proffer::live
