#include "study/generate/streams.hpp"

#include <array>
#include <boost/random/seed_seq.hpp>
#include <vector>

namespace proffer::study {
namespace {

/// Appends a text with its length in front, so that no two pairs of texts look alike.
void append(std::vector<std::uint32_t>& words, std::string_view text) {
  words.push_back(static_cast<std::uint32_t>(text.size()));
  for (const char c : text) words.push_back(static_cast<unsigned char>(c));
}

}  // namespace

Random stream(std::uint64_t seed, std::string_view workload, std::string_view purpose, std::uint32_t major,
              std::uint32_t minor) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                                   major, minor};
  append(words, workload);
  append(words, purpose);
  boost::random::seed_seq mixer(words.begin(), words.end());
  std::array<std::uint32_t, 2> mixed{};
  mixer.generate(mixed.begin(), mixed.end());
  return Random((static_cast<std::uint64_t>(mixed[0]) << 32) | mixed[1]);
}

}  // namespace proffer::study
