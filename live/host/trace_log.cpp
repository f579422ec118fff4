#include "live/host/trace_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

constexpr Duration kSummaryEvery = std::chrono::seconds(10);
/// Somebody waits for an answer to these.
constexpr std::array<std::string_view, 8> kOfOperators{"SUBMIT_JOB",  "DESCRIBE_JOBS",  "RELOAD_POOLS",
                                                       "CHANGE_POOL", "MOVE_FRAMEWORK", "KILL_JOB",
                                                       "MOVE_JOB",    "CHANGE_AGENT"};

std::string text_of(const Resources& slots) {
  std::string text;
  for (const auto& [kind, quantity] : slots) text += fmt::format(" {}={}", kind.name(), quantity);
  return text;
}

}  // namespace

void TraceLog::write(const Trace& trace, Time now) {
  if (const auto* agent = std::get_if<AgentRegistered>(&trace)) {
    log::info(
        fmt::format("agent {} of rack {} registered{}", agent->name, agent->rack, text_of(agent->slots)));
  } else if (const auto* gone = std::get_if<AgentLost>(&trace)) {
    log::info(fmt::format("agent {} lost: {}", to_hex(gone->agent.value), gone->why));
  } else if (const auto* trouble = std::get_if<AgentTrouble>(&trace)) {
    const auto id = to_hex(trouble->agent.value);
    if (trouble->why.empty()) {
      log::info(fmt::format("agent {} is well again", id));
    } else {
      log::warn(fmt::format("agent {} is offered to nobody: {}", id, trouble->why));
    }
  } else if (const auto* degraded = std::get_if<ClusterDegraded>(&trace)) {
    if (degraded->why.empty()) {
      log::info("agents that stay silent are given up again");
    } else {
      log::warn(degraded->why);
    }
  } else if (const auto* in = std::get_if<FrameworkSubscribed>(&trace)) {
    names_[in->framework] = in->name;
    log::info(fmt::format("framework {} subscribed in pool \"{}\"", in->name, in->pool));
  } else if (const auto* out = std::get_if<FrameworkLost>(&trace)) {
    log::info(fmt::format("framework {} {}: {}", names_[out->framework],
                          out->removed ? "is gone" : "lost its session", out->why));
    if (out->removed) names_.erase(out->framework);
  } else if (const auto* declined = std::get_if<OfferDeclined>(&trace)) {
    count(*declined, now);
  } else if (const auto* pool = std::get_if<PoolChanged>(&trace)) {
    const auto what =
        pool->removed ? std::string(" is removed")
                      : fmt::format(": weight {:g}, order {}{}{}",
                                    static_cast<double>(pool->weight_milli) / 1000, pool->order,
                                    pool->min_share.empty() ? "" : ", min share", text_of(pool->min_share));
    log::info(fmt::format("pool \"{}\"{}", pool->pool, what));
  } else if (const auto* user = std::get_if<UserLimited>(&trace)) {
    const auto what = user->removed ? std::string(" has no limit of its own any more")
                                    : fmt::format(": max_running {}", user->max_running);
    log::info(fmt::format("user \"{}\"{}", user->user, what));
  } else if (const auto* moved = std::get_if<FrameworkMoved>(&trace)) {
    log::info(fmt::format("framework {} was moved to pool \"{}\"", names_[moved->framework], moved->pool));
  } else if (const auto* warned = std::get_if<PoolWarned>(&trace)) {
    log::warn(warned->why);
  } else if (const auto* refused = std::get_if<MessageRefused>(&trace)) {
    const auto text = fmt::format("refused {}: {}", refused->type, refused->why);
    if (std::find(kOfOperators.begin(), kOfOperators.end(), refused->type) != kOfOperators.end()) {
      log::warn(text);
      return;
    }
    log::debug(text);
    ++refused_;
    if (!summary_at_) summary_at_ = now + kSummaryEvery;
  }
}

void TraceLog::count(const OfferDeclined& declined, Time now) {
  ++declined_[declined.framework][static_cast<std::size_t>(declined.reason)];
  if (!summary_at_) summary_at_ = now + kSummaryEvery;
}

std::vector<std::string> TraceLog::take_declines() {
  std::vector<std::string> lines;
  for (const auto& [framework, reasons] : declined_) {
    std::string parts;
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      if (reasons[i] == 0) continue;
      const auto reason = to_string(static_cast<DeclineReason>(i));
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", reason, reasons[i]);
    }
    const auto sum = std::accumulate(reasons.begin(), reasons.end(), std::uint64_t{0});
    const auto name = names_.find(framework);
    lines.push_back(fmt::format("framework {}: declined={} ({})",
                                name == names_.end() ? to_hex(framework.value) : name->second, sum, parts));
  }
  declined_.clear();
  return lines;
}

void TraceLog::turn(const Readiness&, Time now) {
  if (!summary_at_ || *summary_at_ > now) return;
  summary_at_.reset();
  for (const auto& line : take_declines()) log::info(line);
  if (refused_ > 0) log::info(fmt::format("{} messages refused", std::exchange(refused_, 0)));
}

}  // namespace proffer::live
