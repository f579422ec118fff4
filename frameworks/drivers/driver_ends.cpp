#include "frameworks/drivers/driver_ends.hpp"

#include "proffer/frameworks/drivers.hpp"

namespace proffer::drivers {
namespace {

/// A driver that is refused, or that dies, at once would do so again at once.
constexpr Duration kPause = std::chrono::seconds(1);
/// The time for which a job is kept from an agent that failed it, if there are others.
constexpr Duration kAvoid = std::chrono::seconds(10);

/// True when a driver asks for another one, which may get further: a server was away.
bool is_wish(const TaskStatus& status) {
  return status.state == TaskState::failed && status.reason == TaskReason::exit &&
         status.exit.code == kDriverAgain;
}

/// True when a driver came to its own end: what it says about its job counts.
bool is_own_end(const TaskStatus& status) {
  if (status.state == TaskState::finished) return true;
  return status.state == TaskState::failed && status.reason == TaskReason::exit && !is_wish(status);
}

/// True when a driver is to blame for its end, or its command: another one may end likewise.
bool is_death(const TaskStatus& status) {
  if (is_wish(status)) return false;
  if (status.state == TaskState::failed) return !is_agents_fault(status.reason);
  return status.state == TaskState::rejected &&
         (status.reason == TaskReason::invalid || status.reason == TaskReason::too_large);
}

std::string how(const TaskStatus& status) {
  if (status.state == TaskState::unreachable) return "its agent is out of reach";
  if (status.reason == TaskReason::signal) return "it died by signal " + std::to_string(status.exit.signal);
  if (status.reason == TaskReason::exit) return "exit code " + std::to_string(status.exit.code);
  if (!status.message.empty()) return beginning_of(status.message);
  return std::string(to_string(status.state)) + ", " + std::string(to_string(status.reason));
}

void end(DrivenJob& job, const ExitStatus& exit, std::string text) {
  job.stage = DrivenJob::Stage::over;
  job.exit = exit;
  job.text = std::move(text);
}

}  // namespace

std::string beginning_of(std::string text) {
  constexpr std::size_t kMost = 300;
  if (text.size() <= kMost) return text;
  text.resize(kMost);
  const auto is_inside = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; };
  while (!text.empty() && is_inside(text.back())) text.pop_back();
  if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xc0) text.pop_back();
  return text + "...";
}

void driver_ended(DrivenJob& job, const TaskStatus& status, Time now) {
  if (is_own_end(status)) {
    // A job that was killed has failed, also if its last driver did well what was left to do.
    const bool good = status.state == TaskState::finished && !job.killed;
    const ExitStatus bad{status.exit.code > 0 ? status.exit.code : 1, 0};
    return end(job, good ? ExitStatus{} : bad, job.killed ? job.text : "");
  }
  if (is_death(status) && ++job.deaths >= kMostDeaths) {
    return end(job, status.exit.signal > 0 ? status.exit : ExitStatus{1, 0},
               "its driver ended " + std::to_string(job.deaths) + " times, the last time: " + how(status));
  }
  job.stage = DrivenJob::Stage::waiting;
  if (!job.killed) job.text = "its driver on " + job.agent.name + " is lost: " + how(status);
  const bool pauses = is_death(status) || is_wish(status) || status.state == TaskState::rejected;
  job.not_before = now + (pauses ? kPause : Duration{});
  job.avoids = job.agent.id;
  job.avoids_until = now + kAvoid;
}

}  // namespace proffer::drivers
