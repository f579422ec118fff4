#include "cli/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/where.hpp"
#include "proffer/formats/text.hpp"
#include "proffer/live/operate.hpp"
#include "proffer/live/output_relay.hpp"
#include "proffer/live/stop.hpp"

namespace proffer::cli {
namespace {

constexpr Duration kNewsEvery = std::chrono::milliseconds(300);
constexpr const char* kEnded = "ended";

/// Shows what the drivers of a job write, one after the other.
class Follower {
 public:
  explicit Follower(live::Context& context) : context_(context) {}

  void show(const DetachedJob& job) {
    if (!relay_) relay_.emplace(context_, job.output_token);
    tell_state(job);
    if (job.task.empty() || job.task == shown_) return;
    // The output of a former driver is not all; the next one begins anew.
    const bool told = std::exchange(loss_told_, false);
    if (source_) {
      relay_->ended(*source_, false, "");
      // The next one may have begun between two looks at the job.
      if (!told) tell(job, "its driver on " + agent_ + " is lost");
    }
    shown_ = job.task;
    agent_ = job.agent;
    source_ = live::OutputRelay::Source{
        job.framework, job.job, {job.task}, fmt::format("the driver on {}", job.agent), job.data_endpoint};
    relay_->follow(*source_);
  }

  /// Shows the rest, and how the job has ended.
  int finish(const DetachedJob& job, const live::Stop& stop) {
    if (source_) relay_->ended(*source_, true, "");
    relay_->drain(stop);
    if (const auto broken = relay_->broken()) return report(*broken);
    if (stop.requested()) return kOk;
    if (!job.text.empty()) tell(job, job.text);
    return shell_code_of(job);
  }

  bool broken() const { return relay_ && relay_->broken(); }

 private:
  static void tell(const DetachedJob& job, const std::string& what) {
    std::fprintf(stderr, "proffer: job %s: %s\n", job.id.c_str(), formats::printable(what, "").c_str());
  }
  void tell_state(const DetachedJob& job) {
    const bool waits = job.state == "waiting" || (job.state == "ending" && job.task == shown_);
    const auto news = job.state == kEnded ? ""
                      : !job.text.empty() ? job.text
                      : waits             ? "it waits for a slot"
                                          : "";
    if (news != told_ && !news.empty()) {
      tell(job, news);
      loss_told_ = !job.text.empty();
    }
    told_ = news;
  }

  live::Context& context_;
  std::optional<live::OutputRelay> relay_;
  std::optional<live::OutputRelay::Source> source_;
  std::string shown_;  // the task of the driver whose output is shown
  std::string agent_;  // where that one runs
  std::string told_;
  bool loss_told_ = false;
};

Result<DetachedJob> find_job(live::Context& context, const std::string& allocator, const std::string& id) {
  const auto jobs = live::detached_jobs(context, allocator, id, kAnswerTimeout);
  if (!jobs) return jobs.error();
  if (jobs->size() == 1) return jobs->front();
  if (jobs->empty()) {
    return Error{ErrorCode::not_found, "there is no detached job '" + id + "'; see proffer job list"};
  }
  return Error{ErrorCode::not_found,
               "more than one detached job begins with '" + id + "'; see proffer job list"};
}

/// True for an answer that another question may do without: the allocator has gone, or is just back.
bool may_pass(const Error& error) {
  return error.code == ErrorCode::unreachable || error.code == ErrorCode::unknown_framework ||
         error.code == ErrorCode::timed_out || error.code == ErrorCode::slow_down;
}

bool takes_detached(const ClusterState& state) {
  return std::ranges::any_of(state.frameworks,
                             [](const auto& framework) { return framework.name == kDriversFramework; });
}

}  // namespace

int shell_code_of(const DetachedJob& job) {
  return job.exit.signal > 0 ? 128 + job.exit.signal : job.exit.code;
}

bool is_detached(const std::string& job) {
  const auto is_hex = [](unsigned char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return job.size() <= 10 && job.starts_with("d-") && std::all_of(job.begin() + 2, job.end(), is_hex);
}

int attach_job(const PoolOptions& options) {
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return report(where.error());
  live::Context context;
  live::Stop stop;
  stop.on_signals();
  const auto state = reach(context, where->allocator, kAnswerTimeout);
  if (!state) return report(state.error());
  Follower follower(context);
  auto id = options.job;
  // The drivers' framework may be on its way back to an allocator that has just started.
  const bool may_wait = takes_detached(*state);
  bool told = false;
  for (; !stop.requested() && !follower.broken(); stop.wait(kNewsEvery)) {
    const auto job = find_job(context, where->allocator, id);
    if (!job && may_wait && may_pass(job.error())) {
      if (!std::exchange(told, true)) fmt::print(stderr, "proffer: {}; waiting\n", job.error().message);
      continue;
    }
    if (!job) return report(job.error());
    told = false;
    id = job->id;
    follower.show(*job);
    if (job->state == kEnded) return follower.finish(*job, stop);
  }
  if (follower.broken()) return kFailed;
  std::fprintf(stderr, "proffer: job %s goes on; proffer job attach %s shows it again\n", id.c_str(),
               id.c_str());
  return kOk;
}

int list_jobs(const PoolOptions& options) {
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return report(where.error());
  live::Context context;
  if (const auto state = reach(context, where->allocator, kAnswerTimeout); !state)
    return report(state.error());
  const auto jobs = live::detached_jobs(context, where->allocator, "", kAnswerTimeout);
  if (!jobs) return report(jobs.error());
  if (options.json) {
    std::puts(jobs_json(*jobs).c_str());
    return kOk;
  }
  Table table({"JOB", "USER", "STATE", "EXIT", "AGENT", "DRIVERS", "COMMAND"});
  for (const auto& job : *jobs) {
    table.add({job.id, job.user.empty() ? "-" : job.user, job.state,
               job.state == kEnded ? std::to_string(shell_code_of(job)) : "-",
               job.agent.empty() ? "-" : job.agent, std::to_string(job.starts), job.summary});
  }
  std::fputs(table.text().c_str(), stdout);
  return kOk;
}

}  // namespace proffer::cli
