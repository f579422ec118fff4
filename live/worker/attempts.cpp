#include "live/worker/attempts.hpp"

#include <chrono>
#include <thread>

namespace proffer::live {
namespace {

constexpr int kAttempts = 3;
constexpr std::chrono::milliseconds kFirstRetry{200};  // twice as long before each further attempt

bool may_pass(ErrorCode code) {
  return code != ErrorCode::not_found && code != ErrorCode::refused && code != ErrorCode::invalid;
}

}  // namespace

Result<> try_again(const std::function<Result<>()>& attempt) {
  auto tried = attempt();
  for (int n = 1; n < kAttempts && !tried && may_pass(tried.error().code); ++n) {
    std::this_thread::sleep_for(kFirstRetry * (1 << (n - 1)));
    tried = attempt();
  }
  return tried;
}

}  // namespace proffer::live
