// The variable that tells a process that it drives a detached job.
#include <charconv>
#include <string_view>

#include "proffer/frameworks/drivers.hpp"

namespace proffer {

std::string to_text(const Driving& driving) {
  return to_hex(driving.framework.value) + ":" + to_hex(driving.secret.value) + ":" +
         std::to_string(driving.start) + (driving.ends ? ":ends" : ":runs");
}

std::optional<Driving> driving_from(const std::string& text) {
  constexpr std::size_t kHex = 32;
  constexpr std::size_t kStart = 2 * (kHex + 1);
  const std::string_view all(text);
  if (all.size() <= kStart || all[kHex] != ':' || all[kStart - 1] != ':') return {};
  const auto framework = bits_from_hex(all.substr(0, kHex));
  const auto secret = bits_from_hex(all.substr(kHex + 1, kHex));
  if (!framework || !secret) return {};
  Driving driving{{*framework}, {*secret}, 0, false};
  const auto [end, error] = std::from_chars(all.data() + kStart, all.data() + all.size(), driving.start);
  const auto how = all.substr(static_cast<std::size_t>(end - all.data()));
  if (error != std::errc{} || driving.start == 0 || (how != ":ends" && how != ":runs")) return {};
  driving.ends = how == ":ends";
  return driving;
}

}  // namespace proffer
