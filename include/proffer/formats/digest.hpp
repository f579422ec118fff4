// The digest of a run: equal runs have equal digests, whatever compiled them. It is FNV-1a (64 bits) over
// every trace line but notes (trace.hpp) in order: time, source, the name of the trace, and its fields as
// the event log has them, with numbers in eight little-endian bytes and texts and lists behind their length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proffer/fnv.hpp"
#include "proffer/time.hpp"
#include "proffer/trace.hpp"

namespace proffer {

class Digest {
 public:
  void line(Time time, std::string_view source, const Trace& trace);
  std::string hex() const;  ///< 16 lower-case digits

 private:
  std::uint64_t state_ = kFnvBasis;
};

}  // namespace proffer
