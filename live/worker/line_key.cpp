#include "live/worker/line_key.hpp"

#include "live/store/crc32.hpp"

namespace proffer::live {

std::uint32_t partition_of(std::string_view key, std::uint32_t partitions) {
  Crc32 crc;
  crc.add(key);
  return crc.value() % partitions;
}

}  // namespace proffer::live
