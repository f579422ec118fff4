#include "formats/gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "proffer/check.hpp"

namespace proffer::formats {
namespace {

constexpr int kGzipOnly = MAX_WBITS + 16;
constexpr std::size_t kPiece = 256 << 10;

/// One member at a time, from the front of `bytes`.
class Inflater {
 public:
  explicit Inflater(std::string_view bytes) : rest_(bytes) {
    PROFFER_CHECK(inflateInit2(&stream_, kGzipOnly) == Z_OK, "zlib does not begin");
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  std::string_view rest() const { return rest_; }
  std::string_view fault() const { return stream_.msg == nullptr ? "cut off" : stream_.msg; }

  /// Appends what the next member holds. False: it has a fault.
  bool unpack_member(std::string& text) {
    inflateReset(&stream_);
    for (int state = Z_OK; state != Z_STREAM_END;) {
      // Without input and with room for output, zlib can only say that it is stuck (Z_BUF_ERROR).
      state = step(text);
      if (state != Z_OK && state != Z_STREAM_END) return false;
    }
    return true;
  }

 private:
  int step(std::string& text) {
    const auto given = std::min<std::size_t>(rest_.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
    stream_.avail_out = static_cast<uInt>(piece_.size());
    const auto state = inflate(&stream_, Z_NO_FLUSH);
    text.append(piece_.data(), piece_.size() - stream_.avail_out);
    rest_.remove_prefix(given - stream_.avail_in);
    return state;
  }

  std::string_view rest_;
  z_stream stream_{};
  std::array<char, kPiece> piece_;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> gunzip(std::string_view bytes, std::string_view file) {
  std::string text;
  Inflater inflater(bytes);
  while (is_gzip(inflater.rest())) {
    if (inflater.unpack_member(text)) continue;
    return Error{ErrorCode::corrupt,
                 fmt::format("cannot unpack {}, a file of gzip: {}", file, inflater.fault())};
  }
  // Tapes and some copies fill up a file with zeros.
  if (inflater.rest().find_first_not_of('\0') == std::string_view::npos) return text;
  return Error{
      ErrorCode::corrupt,
      fmt::format("cannot unpack {}, a file of gzip: something else stands behind the packed data", file)};
}

}  // namespace proffer::formats
