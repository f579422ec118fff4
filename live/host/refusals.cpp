#include "live/host/refusals.hpp"

#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

constexpr std::uint64_t kAnswersPerSecond = 100;

}  // namespace

std::optional<Envelope> Refusals::answer(const Error& error, bool is_client, Time now) {
  if (now - second_began_ >= std::chrono::seconds(1)) {
    second_began_ = now;
    in_second_ = 0;
  }
  if (in_second_++ == 0) log(error, is_client);
  if (!is_client || in_second_ > kAnswersPerSecond) return {};
  return Envelope{config_.cluster, config_.epoch, {}, 0, ErrorMessage{error, 0}};
}

void Refusals::log(const Error& error, bool is_client) {
  log::warn(std::string(is_client ? "a client" : "the server") +
            " sent what is no message: " + error.message);
}

}  // namespace proffer::live
