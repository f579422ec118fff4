// The command `proffer run`: a command on slots of the cluster.
#include <fmt/format.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <map>

#include "cli/commands.hpp"
#include "cli/detach.hpp"
#include "cli/output.hpp"
#include "cli/plugins.hpp"
#include "cli/run_state.hpp"
#include "cli/where.hpp"
#include "proffer/bulk.hpp"
#include "proffer/formats/config.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/frameworks/batch.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/framework_host.hpp"
#include "proffer/live/output_relay.hpp"

namespace proffer::cli {
namespace {

/// Relays what each instance wrote, and says where it ran and how it ended.
class Teller final : public BatchObserver {
 public:
  /// Starts a teller. `follow`: output is relayed while it is written.
  Teller(live::OutputRelay& relay, bool follow) : relay_(relay), follow_(follow) {}

  void placed(const BatchAttempt& attempt, const AgentInfo& agent) override {
    agents_[attempt.index] = agent;
  }
  void running(const BatchAttempt& attempt, const TaskStatus& status) override {
    if (follow_) relay_.follow(source(attempt, status));
  }
  void ended(const BatchAttempt& attempt, const TaskStatus& status) override {
    const auto how = status.state == TaskState::finished ? std::string("finished") : why(status);
    relay_.ended(
        source(attempt, status), attempt.kept,
        fmt::format("{} {} ({:.2f} s){}\n", name(attempt), how,
                    static_cast<double>(to_us(status.run_time)) / 1e6, attempt.last ? "" : ", tried again"));
    agents_.erase(attempt.index);
  }
  /// Said when it changes: a cluster that is full may be so for hours.
  void waits(const GatheredTooFew& few) override {
    if (few.held == held_) return;
    held_ = few.held;
    fmt::print(stderr, "proffer: {} slots are needed at once, and {} came together; trying again\n",
               few.wanted, few.held);
  }

 private:
  std::string name(const BatchAttempt& attempt) {
    return fmt::format("task {} on {}", attempt.index, agents_[attempt.index].name);
  }
  live::OutputRelay::Source source(const BatchAttempt& attempt, const TaskStatus& status) {
    return {status.framework, BatchSpec::kJob, status.task, name(attempt),
            agents_[attempt.index].data_endpoint};
  }
  static std::string why(const TaskStatus& status) {
    auto text = std::string(to_string(status.state));
    if (status.reason == TaskReason::signal) text += fmt::format(" by signal {}", status.exit.signal);
    const auto code = fmt::format("exit code {}", status.exit.code);
    if (status.reason == TaskReason::exit) text += " with " + code;
    const bool says_more = status.reason != TaskReason::exit || status.message != code;
    if (!status.message.empty() && says_more) text += ": " + status.message;
    return text;
  }

  live::OutputRelay& relay_;
  bool follow_;
  std::map<std::uint32_t, AgentInfo> agents_;
  std::int64_t held_ = -1;  ///< the slots that had come together when it was said last
};

/// Warns where a rigid bag could not start now even if nothing else ran.
void warn_of_missing_room(const ClusterState& state, const BatchSpec& spec) {
  const auto need = spec.need.empty() ? Resources{{spec.kind, 1}} : spec.need;
  std::int64_t room = 0;
  for (const auto& agent : state.agents) room += tasks_in(agent.total, need);
  if (room >= spec.instances) return;
  fmt::print(
      stderr,
      "proffer: --rigid needs room for {} tasks of {} at once, and all agents together have it for {}\n",
      spec.instances, format_resources(need), room);
}

/// Warns where no agent has what a task needs, whatever else runs.
void warn_of_small_agents(const ClusterState& state, const BatchSpec& spec) {
  const auto has_it = [&](const AgentState& agent) { return agent.total.contains(spec.need); };
  if (state.agents.empty() || std::any_of(state.agents.begin(), state.agents.end(), has_it)) return;
  fmt::print(stderr, "proffer: no agent has {} for a task; waiting for one\n", format_resources(spec.need));
}

/// Sorts the names of --prefer into agents and racks; `not_found` for neither.
Result<> sort_preferences(const ClusterState& state, const RunOptions& options, BatchSpec& spec) {
  for (const auto& name : options.prefer) {
    bool agent = false;
    bool rack = false;
    for (const auto& known : state.agents) {
      agent = agent || known.name == name;
      rack = rack || known.rack == name;
    }
    if (!agent && !rack)
      return Error{ErrorCode::not_found, "--prefer " + name + ": no agent or rack has that name"};
    (agent ? spec.agents : spec.racks).push_back(name);
  }
  return {};
}

Result<BatchSpec> spec_of(const RunOptions& options, const std::string& token) {
  BatchSpec spec;
  spec.command.argv = options.command;
  spec.command.output_token = token;
  spec.instances = options.tasks;
  if (!Kind::valid(options.kind))
    return Error{ErrorCode::invalid, "--kind " + options.kind + ": 1-15 of a-z 0-9 _"};
  spec.kind = Kind(options.kind);
  if (!options.need.empty()) {
    auto need = parse_need(options.need);
    if (!need) return Error{ErrorCode::invalid, "--need: " + need.error().message};
    spec.need = std::move(*need);
    spec.kind = kCpus;
  }
  spec.max_attempts = options.attempts;
  spec.rigid = options.rigid;
  if (auto fine = check_batch(spec); !fine) return fine.error();
  return spec;
}

Result<std::unique_ptr<Policy>> policy_of(const RunOptions& options) {
  if (auto loaded = load_plugins(options.framework.plugins); !loaded) return loaded.error();
  auto parsed = parse_policy(options.policy);
  if (!parsed) return parsed.error();
  auto policy = make_policy(*parsed);
  if (!policy) return Error{ErrorCode::invalid, "--policy: " + policy.error().message};
  if (auto given = give_foresight(**policy, *parsed, nullptr); !given) return given.error();
  return policy;
}

Result<live::FrameworkHostConfig> host_config(const RunOptions& options, const Where& where,
                                              const std::optional<Driving>& driving) {
  live::FrameworkHostConfig config;
  auto framework = framework_config(options.framework);
  if (!framework) return framework.error();
  config.framework = std::move(*framework);
  config.allocator = where.allocator;
  if (!options.kill_after.empty()) {
    auto after = parse_duration(options.kill_after);
    if (!after) return Error{ErrorCode::invalid, "--kill-after: " + after.error().message};
    config.timeout = *after;
  }
  if (driving) drive(*driving, config);
  return config;
}

int run_bag(RunPlan<RunOptions> plan) {
  const auto& options = plan.options;
  const bool resumes = plan.state.has_value();
  auto spec = spec_of(options, plan.token);
  if (!spec) return report(spec.error());
  auto policy = policy_of(options);
  if (!policy) return report(policy.error());
  const auto where = find_cluster(options.framework.where);
  if (!where) return report(where.error());
  auto host = host_config(options, *where, plan.driving);
  if (!host) return report(host.error());
  auto& config = *host;
  if (plan.driving) spec->first_try = first_attempt_of(*plan.driving);

  live::Context context;
  live::Stop stop;
  stop.on_signals();
  if (plan.driving && plan.driving->ends) return end_what_is_left(context, config, stop);
  const auto state = plan.driving ? reach_patiently(context, where->allocator, stop)
                                  : reach(context, where->allocator, *config.unreachable_after);
  if (!state) return plan.driving ? driver_failed(state.error()) : report(state.error());
  if (auto sorted = sort_preferences(*state, options, *spec); !sorted) return report(sorted.error());
  config.event_log = event_log_for(options.framework, *where, *state);
  warn_of_missing_kinds(*state, {spec->kind});
  warn_of_small_agents(*state, *spec);
  if (spec->rigid) warn_of_missing_room(*state, *spec);
  if (auto begun = begin_or_resume(plan, where->allocator); !begun) return report(begun.error());
  if (plan.state) config.state_dir = plan.state->path();
  live::OutputRelay relay(context, spec->command.output_token);
  Teller teller(relay, spec->instances == 1);
  Batch batch(std::move(*spec), std::move(*policy), teller);
  config.input = relay.event_fd();
  config.read_input = [&] {
    for (auto& task : relay.take_handed_on()) batch.handed_on(std::move(task));
    if (relay.broken()) stop.request();
  };
  const auto end = live::run_framework(context, config, batch, stop);
  if (plan.state && is_over(end ? batch.refusal() : std::optional(end.error()), resumes))
    plan.state->remove();
  if (const auto& broken = relay.broken()) return report(*broken);
  if (const auto why = end ? batch.refusal() : std::optional(end.error())) {
    return plan.driving ? driver_failed(*why) : report(*why);
  }
  if (plan.driving && *end == live::FrameworkEnd::stopped) return kDriverAgain;
  if (*end == live::FrameworkEnd::finished) relay.drain(stop);
  const bool done = *end == live::FrameworkEnd::finished && batch.failed_count() == 0;
  return done && relay.whole() ? kOk : kFailed;
}

/// Hands the command over to the cluster, once nothing is wrong with it.
Result<> detach(const RunOptions& options) {
  if (auto fine = check_detached(options.framework); !fine) return fine;
  auto spec = spec_of(options, live::random_token());
  if (!spec) return spec.error();
  if (auto policy = policy_of(options); !policy) return policy.error();
  const auto where = find_cluster(options.framework.where);
  if (!where) return where.error();
  if (auto config = host_config(options, *where, {}); !config) return config.error();
  live::Context context;
  const auto state = reach(context, where->allocator, kAnswerTimeout);
  if (!state) return state.error();
  if (auto sorted = sort_preferences(*state, options, *spec); !sorted) return sorted;
  if (auto fine = check_cluster(*state, *where, options.framework.pool); !fine) return fine;
  warn_of_missing_kinds(*state, {spec->kind});
  warn_of_small_agents(*state, *spec);
  return hand_over(context, options.framework, *where, {});
}

}  // namespace

int run_command(const RunOptions& options) {
  if (options.framework.end_with_parent) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const auto driving = take_driving();
  if (!driving) return report(driving.error());
  if (*driving) return run_bag({options, live::random_token(), {}, *driving});
  const bool detaches = options.framework.detach;
  if (options.framework.resume && !detaches) {
    auto plan = plan_of_resumed(options, "run");
    return plan ? run_bag(std::move(*plan)) : report(plan.error());
  }
  if (options.command.empty()) return usage_error("run needs COMMAND; see proffer run --help");
  if (!detaches) return run_bag({options, live::random_token(), {}, {}});
  const auto detached = detach(options);
  return detached ? kOk : report(detached.error());
}

}  // namespace proffer::cli
