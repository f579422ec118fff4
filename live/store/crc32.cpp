#include "live/store/crc32.hpp"

#include <boost/crc.hpp>

namespace proffer::live {

void Crc32::add(std::string_view bytes) {
  boost::crc_32_type crc(remainder_);
  crc.process_bytes(bytes.data(), bytes.size());
  remainder_ = crc.get_interim_remainder();
}

std::uint32_t Crc32::value() const { return boost::crc_32_type(remainder_).checksum(); }

}  // namespace proffer::live
