#include "allocator/state/silence_brake.hpp"

namespace proffer::allocator {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);
/// A cluster of so few agents may lose them all by chance.
constexpr std::size_t kFew = 3;

bool is_most(Silence silence) { return silence.silent > kFew && 2 * silence.silent > silence.known; }

/// Returns the number of silent agents below which the brake goes off.
std::size_t usual(std::size_t known) { return (3 * known + 9) / 10; }

}  // namespace

bool SilenceBrake::judge(Silence silence) {
  if (on_) return relent(silence);
  on_ = is_most(silence);
  return on_;
}

bool SilenceBrake::relent(Silence silence) {
  if (!on_) return false;
  on_ = silence.silent >= usual(silence.known) && silence.silent > 0;
  return !on_;
}

std::optional<Time> SilenceBrake::give_up(Time now) {
  if (on_) return now + kSecond;
  if (!second_ || now - *second_ >= kSecond) {
    second_ = now;
    given_up_ = 0;
  }
  if (given_up_ == kMostInASecond) return *second_ + kSecond;
  ++given_up_;
  return {};
}

std::string SilenceBrake::why(Silence silence) const {
  if (!on_) return {};
  return std::to_string(silence.silent) + " of " + std::to_string(silence.known) +
         " agents are silent: rather this allocator or its network is to blame, so none of them is given up "
         "until fewer than " +
         std::to_string(usual(silence.known)) +
         " are; an operator may give up single ones (proffer agent gone NAME)";
}

}  // namespace proffer::allocator
