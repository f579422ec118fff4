// `proffer pool`, `proffer framework move` and `proffer job`: what changes while a cluster runs, and pools of
// other schedulers as ours.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "cli/json.hpp"
#include "cli/output.hpp"
#include "cli/study_commands.hpp"
#include "cli/where.hpp"
#include "proffer/formats/fair_scheduler_xml.hpp"
#include "proffer/formats/nearest.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/operate.hpp"

namespace proffer::cli {
namespace {

Error wrong_setting(const std::string& setting, const char* wants) {
  return {ErrorCode::invalid, fmt::format("{}: write {}", setting, wants)};
}

template <class Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Nothing where one of them is no name.
std::optional<std::vector<std::string>> read_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    names.push_back(text.substr(at, comma - at));
    if (!valid_name(names.back())) return {};
    at = comma + 1;
  }
  return names;
}

Result<> read_setting(const std::string& setting, ChangePool& change) {
  const auto equals = setting.find('=');
  const auto key = setting.substr(0, equals);
  const std::string text = equals == std::string::npos ? "" : setting.substr(equals + 1);
  if (key == "weight") {
    double weight = 0;
    if (!read_number(text, weight) || !(weight >= 0.001 && weight <= 1e6)) {
      return wrong_setting(setting, "a number above 0 and at most 1000000, as in weight=2.5");
    }
    change.weight_milli = std::llround(weight * 1000);
  } else if (key == "order") {
    change.order = text;  // the allocator knows which there are
    if (text.empty()) return wrong_setting(setting, "order=fair, order=fifo or order=capacity");
  } else if (key == "max_running" || key == "max_running_per_user") {
    std::uint32_t most = 0;
    if (!read_number(text, most)) return wrong_setting(setting, "a whole number; 0: no limit");
    (key == "max_running" ? change.max_running : change.max_running_per_user) = most;
  } else if (key == "min_share_timeout") {
    const auto timeout = text == "0" ? Result<Duration>(Duration::zero()) : parse_duration(text);
    if (!timeout) return wrong_setting(setting, "a duration, as in min_share_timeout=20s; 0: never");
    change.min_share_timeout = *timeout;
  } else if (key == "racks" || key == "agents") {
    auto names = read_names(text);
    if (!names)
      return wrong_setting(setting, "names with commas between them, as in racks=r1,r2; none: every agent");
    (key == "racks" ? change.racks : change.agents) = std::move(*names);
  } else if (key == "private_agents") {
    std::uint32_t count = 0;
    if (!read_number(text, count)) return wrong_setting(setting, "a whole number of agents; 0: none");
    change.private_agents = count;
  } else if (key == "return_after") {
    const auto after = parse_duration(text);
    if (!after || *after <= Duration::zero())
      return wrong_setting(setting, "a duration above 0, as in return_after=1m");
    change.return_after = *after;
  } else if (key.starts_with("min_") && Kind::valid(key.substr(4))) {
    std::int64_t units = 0;
    if (!read_number(text, units) || units < 0)
      return wrong_setting(setting, "a whole number of slots; 0: none");
    change.min_share.emplace_back(Kind(key.substr(4)), units);
  } else {
    return Error{
        ErrorCode::invalid,
        formats::unknown("setting of a pool", key,
                         {"weight", "min_map", "min_reduce", "order", "max_running", "max_running_per_user",
                          "min_share_timeout", "racks", "agents", "private_agents", "return_after"})};
  }
  return {};
}

/// Of a KILL_JOB or MOVE_JOB: FRAMEWORK/JOB, or JOB.
template <class Change>
void set_job(const std::string& path, Change& change) {
  const auto slash = path.find('/');
  if (slash != std::string::npos) change.framework = path.substr(0, slash);
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
  const auto pool = options.pool == "root" ? "" : options.pool;
  if (options.verb == "move-framework") return Message(MoveFramework{0, options.framework, pool});
  if (options.verb == "kill-job") return kill_of(options);
  if (options.verb == "move-job") return job_move_of(options, pool);
  ChangePool change;
  change.verb = options.verb == "rm" ? "remove" : options.verb;
  change.pool = pool;
  if (options.verb == "set" && options.settings.empty()) {
    return Error{ErrorCode::invalid,
                 fmt::format("pool set {}: name a setting, as in weight=2", options.pool)};
  }
  std::set<std::string> keys;
  for (const auto& setting : options.settings) {
    if (auto read = read_setting(setting, change); !read) return read.error();
    const auto key = setting.substr(0, setting.find('='));
    if (!keys.insert(key).second) return Error{ErrorCode::invalid, fmt::format("{} is given twice", key)};
  }
  std::sort(change.min_share.begin(), change.min_share.end());
  return Message(std::move(change));
}

int change(const PoolOptions& options) {
  auto message = change_of(options);
  if (!message) return report(message.error());
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return report(where.error());
  live::Context context;
  const auto done = live::operate(context, where->allocator, std::move(*message), kAnswerTimeout);
  if (!done) return report(done.error());
  std::puts(done->c_str());
  return kOk;
}

template <class Bag>
std::string bag_text(const Bag& bag) {
  std::string text;
  for (const auto& [kind, n] : bag) text += fmt::format("{}{}={}", text.empty() ? "" : " ", kind.name(), n);
  return text.empty() ? "-" : text;
}

std::string limit_text(std::uint32_t most) { return most == 0 ? "-" : std::to_string(most); }

std::string names_text(const std::vector<std::string>& names) {
  return fmt::format("{}{}", fmt::join(names, ", "), names.size() == kPlacesShown ? ", ..." : "");
}

/// Where it may be offered slots; empty: everywhere.
std::string places_text(const PoolState& pool) {
  std::vector<std::string> parts;
  if (!pool.racks.empty()) parts.push_back("racks " + names_text(pool.racks));
  if (!pool.agents.empty()) parts.push_back("agents " + names_text(pool.agents));
  if (pool.private_agents > 0) parts.push_back(fmt::format("{} private agents", pool.private_agents));
  return fmt::format("{}", fmt::join(parts, "; "));
}

int list(const PoolOptions& options) {
  const auto where = find_cluster({options.allocator, ""});
  if (!where) return report(where.error());
  live::Context context;
  const auto state = live::describe(context, where->allocator, kAnswerTimeout);
  if (!state) return report(state.error());
  if (options.json) {
    ClusterState pools;
    pools.pools = state->pools;
    std::puts(state_json(pools).c_str());
    return kOk;
  }
  Table table({"POOL", "WEIGHT", "MIN", "ORDER", "MAX", "MAX/USER", "FRAMEWORKS", "WAITING", "USED", "FAIR"});
  for (const auto& pool : state->pools) {
    table.add({pool.name.empty() ? "(root)" : pool.name,
               fmt::format("{:g}", static_cast<double>(pool.weight_milli) / 1000), bag_text(pool.min_share),
               pool.order, limit_text(pool.max_running), limit_text(pool.max_running_per_user),
               std::to_string(pool.frameworks), std::to_string(pool.waiting), bag_text(pool.used),
               bag_text(pool.fair)});
  }
  std::fputs(table.text().c_str(), stdout);
  for (const auto& pool : state->pools) {
    if (const auto places = places_text(pool); !places.empty()) fmt::print("{}: {}\n", pool.name, places);
  }
  return kOk;
}

int import(const PoolOptions& options) {
  const auto text = formats::read_text_file(options.file);
  if (!text) return report(text.error());
  const auto imported = import_fair_scheduler_xml(*text, options.file);
  if (!imported) return report(imported.error());
  fmt::print("{}", print_pools(*imported));
  for (const auto& line : imported->unsupported) fmt::print(stderr, "{}: {}\n", options.file, line);
  return kOk;
}

}  // namespace

int run_pool_command(const PoolOptions& options) {
  if (options.verb == "import") return import(options);
  if (options.verb == "list") return list(options);
  return change(options);
}

}  // namespace proffer::cli
