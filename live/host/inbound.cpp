#include "live/host/inbound.hpp"

#include <algorithm>

namespace proffer::live {
namespace {

constexpr Duration kSecond = std::chrono::seconds(1);

}  // namespace

/// Counts the message in its second, and mutes a client that has flooded for long.
void Inbound::count(Client& client, limits::Rate rate, Time now) {
  if (now - client.second_began >= kSecond) {
    const bool flooded = client.in_second >= std::uint64_t{rate.per_second} * limits::kFloodFactor &&
                         now - client.second_began < 2 * kSecond;
    client.flooded_seconds = flooded ? client.flooded_seconds + 1 : 0;
    client.second_began = now;
    client.in_second = 0;
  }
  ++client.in_second;
  if (client.flooded_seconds < limits::kFloodPatience.count()) return;
  client.flooded_seconds = 0;
  client.muted_until = now + limits::kMuted;
}

Inbound::Verdict Inbound::judge(PeerId peer, limits::Rate rate, Time now) {
  if (rate.per_second == 0) return Verdict::take;
  auto& client = clients_[peer];
  if (now >= client.muted_until) count(client, rate, now);
  if (now < client.muted_until) return Verdict::drop;
  const Duration each = kSecond / rate.per_second;
  const auto paid_until = std::max(client.paid_until, now) + each;
  if (paid_until - now <= each * rate.burst) {
    client.paid_until = paid_until;
    return Verdict::take;
  }
  if (client.told_at != Time::min() && now - client.told_at < kSecond) return Verdict::drop;
  client.told_at = now;
  return Verdict::refuse;
}

}  // namespace proffer::live
