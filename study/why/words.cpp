#include "study/why/words.hpp"

#include <fmt/format.h>

#include "proffer/sharing/share_tree.hpp"

namespace proffer::study {

std::string span(Duration duration) {
  const auto seconds = std::chrono::duration<double>(duration).count();
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 600) return fmt::format("{:.0f} s", seconds);
  const auto minutes = static_cast<std::int64_t>(seconds / 60);
  if (minutes < 60) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

namespace why {

std::string next_free(Duration left) {
  return left < std::chrono::milliseconds(50) ? "free any moment" : "next free in about " + span(left);
}

std::string short_id(FrameworkId id) { return to_hex(id.value).substr(0, 8); }

std::string count(std::int64_t n, std::string_view thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

std::string ordinal(std::size_t n) {
  const auto tens = n / 10 % 10;
  const auto ones = n % 10;
  const char* ending = tens == 1 ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th";
  return fmt::format("{}{}", n, ending);
}

std::string demand_text(std::int64_t units) {
  return units >= kUnbounded ? "as many as there are" : fmt::format("{}", units);
}

}  // namespace why
}  // namespace proffer::study
