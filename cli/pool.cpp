// The commands `proffer pool`, `proffer framework move` and `proffer job`: changes of a running cluster, and
// the import of other schedulers' pools.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>

#include "cli/job.hpp"
#include "cli/output.hpp"
#include "cli/pool_change.hpp"
#include "cli/study_commands.hpp"
#include "cli/where.hpp"
#include "proffer/formats/api_json.hpp"
#include "proffer/formats/fair_scheduler_xml.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/live/operate.hpp"

namespace proffer::cli {
namespace {

/// Fills in the job of a KILL_JOB or MOVE_JOB from FRAMEWORK/JOB, or JOB.
template <class Change>
void set_job(const std::string& path, Change& change) {
  const auto slash = path.find('/');
  if (slash != std::string::npos) change.framework = path.substr(0, slash);
  if (is_detached(path)) change.framework = kDriversFramework;
  change.job = slash == std::string::npos ? path : path.substr(slash + 1);
}

Message kill_of(const PoolOptions& options) {
  KillJob kill;
  set_job(options.job, kill);
  if (const char* user = std::getenv("USER")) kill.by = user;
  kill.why = options.why;
  return kill;
}

Message job_move_of(const PoolOptions& options, const std::string& pool) {
  MoveJob move;
  set_job(options.job, move);
  move.pool = pool;
  return move;
}

Result<Message> change_of(const PoolOptions& options) {
  if (options.verb == "reload") return Message(ReloadPools{});
  if (options.verb == "kill-job") return kill_of(options);
  if (options.verb == "create" || options.verb == "set" || options.verb == "rm") {
    auto change = pool_change(options.verb, options.pool, options.settings);
    if (!change) return change.error();
    return Message(std::move(*change));
  }
  const auto pool = pool_named(options.pool);
  if (!pool) return pool.error();
  if (options.verb == "move-job") return job_move_of(options, *pool);
  return Message(MoveFramework{0, options.framework, *pool});
}

int change(const PoolOptions& options) {
  auto message = change_of(options);
  if (!message) return report(message.error());
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return report(where.error());
  live::Context context;
  if (const auto state = reach(context, where->allocator, kAnswerTimeout); !state)
    return report(state.error());
  const auto done = live::operate(context, where->allocator, std::move(*message), kAnswerTimeout);
  if (!done) return report(done.error());
  std::puts(done->text.c_str());
  for (const auto& warning : done->warnings) fmt::print(stderr, "warning: {}\n", warning);
  return kOk;
}

template <class Bag>
std::string bag_text(const Bag& bag) {
  std::string text;
  for (const auto& [kind, n] : bag) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", kind.name(), format_quantity(kind, n));
  }
  return text.empty() ? "-" : text;
}

std::string limit_text(std::uint32_t most) { return most == 0 ? "-" : std::to_string(most); }

std::string names_text(const std::vector<std::string>& names) {
  return fmt::format("{}{}", fmt::join(names, ", "), names.size() == kPlacesShown ? ", ..." : "");
}

/// Returns the places where the pool may be offered slots; empty: everywhere.
std::string places_text(const PoolState& pool) {
  std::vector<std::string> parts;
  if (!pool.racks.empty()) parts.push_back("racks " + names_text(pool.racks));
  if (!pool.agents.empty()) parts.push_back("agents " + names_text(pool.agents));
  if (pool.private_agents > 0) {
    parts.push_back(fmt::format("{} private agents, returned after {}", pool.private_agents,
                                format_duration(pool.return_after)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string timeout_text(const std::optional<Duration>& timeout) {
  return timeout ? format_duration(*timeout) : "-";
}

/// Returns the settings of preemption.
std::string preemption_text(const ClusterState& state) {
  const auto threshold = static_cast<double>(state.fair_share_threshold_milli) / 1000;
  const auto fair = state.fair_share_timeout
                        ? fmt::format("below {:g} of its fair share for {}", threshold,
                                      format_duration(*state.fair_share_timeout))
                        : std::string("below its min share for its min_share_timeout only");
  if (state.preemption == "off") return "preemption off";
  return fmt::format("preemption {}; a pool is starved {}; slots are given back within {}", state.preemption,
                     fair, format_duration(state.preemption_deadline));
}

void print_list(const ClusterState& state) {
  Table table({"POOL", "WEIGHT", "MIN", "MIN TIMEOUT", "ORDER", "MAX", "MAX/USER", "USER LIMIT", "FRAMEWORKS",
               "WAITING", "USED", "FAIR"});
  for (const auto& pool : state.pools) {
    table.add({pool.name.empty() ? "(root)" : pool.name,
               fmt::format("{:g}", static_cast<double>(pool.weight_milli) / 1000), bag_text(pool.min_share),
               timeout_text(pool.min_share_timeout), pool.order, limit_text(pool.max_running),
               limit_text(pool.max_running_per_user),
               pool.user_limit == kNoUserLimit ? "-" : fmt::format("{}%", pool.user_limit),
               std::to_string(pool.frameworks), std::to_string(pool.waiting), bag_text(pool.used),
               bag_text(pool.fair)});
  }
  std::fputs(table.text().c_str(), stdout);
  for (const auto& pool : state.pools) {
    if (const auto places = places_text(pool); !places.empty())
      fmt::print("{}: {}\n", pool.name.empty() ? "(root)" : pool.name, places);
  }
  fmt::print("{}\n", preemption_text(state));
}

int list(const PoolOptions& options) {
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return report(where.error());
  live::Context context;
  const auto state = reach(context, where->allocator, kAnswerTimeout);
  if (!state) return report(state.error());
  if (options.json) {
    auto pools = *state;
    pools.agents.clear();
    pools.frameworks.clear();
    std::puts(state_json(pools).c_str());
  } else {
    print_list(*state);
  }
  return kOk;
}

int import(const PoolOptions& options) {
  const auto text = formats::read_text_file(options.file);
  if (!text) return report(text.error());
  const auto imported = import_fair_scheduler_xml(*text, options.file);
  if (!imported) return report(imported.error());
  if (options.out.empty()) {
    fmt::print("{}", print_pools(*imported));
  } else if (auto written = write_whole(options.out, print_pools(*imported)); !written) {
    return report(written.error());
  }
  for (const auto& line : imported->unsupported) fmt::print(stderr, "{}\n", line);
  return kOk;
}

}  // namespace

int run_pool_command(const PoolOptions& options) {
  if (options.verb == "import") return import(options);
  if (options.verb == "list") return list(options);
  if (options.verb == "list-job") return list_jobs(options);
  if (options.verb == "attach-job") return attach_job(options);
  return change(options);
}

}  // namespace proffer::cli
