#include <algorithm>
#include <array>
#include <string>

#include "proffer/study/trace_readers.hpp"

namespace proffer::study {
namespace {

struct SizeClass {
  std::size_t most;
  const char* name;
};
constexpr std::array kClasses{
    SizeClass{0, "0"},         SizeClass{1, "1"},         SizeClass{2, "2"},
    SizeClass{20, "3-20"},     SizeClass{60, "21-60"},    SizeClass{150, "61-150"},
    SizeClass{300, "151-300"}, SizeClass{500, "301-500"}, SizeClass{1500, "501-1500"}};

}  // namespace

std::string bin_of(std::size_t maps) {
  const auto found =
      std::find_if(kClasses.begin(), kClasses.end(), [maps](const SizeClass& c) { return maps <= c.most; });
  return found == kClasses.end() ? "1501+" : found->name;
}

}  // namespace proffer::study
