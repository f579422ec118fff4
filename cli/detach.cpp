#include "cli/detach.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/output.hpp"
#include "proffer/formats/config.hpp"
#include "proffer/formats/text.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/operate.hpp"
#include "proffer/live/reach.hpp"

namespace proffer::cli {
namespace {

constexpr std::uint32_t kAttemptsOfADriver = 10'000;
constexpr Duration kSubmit = std::chrono::seconds(5);
constexpr Duration kAskEvery = std::chrono::milliseconds(200);
/// The time that tasks of a killed job have to end before what they wrote is removed.
constexpr Duration kTasksEnd = std::chrono::seconds(30);
/// All words of a command together, so that it fits into a message beside its files.
constexpr std::size_t kCommandBytes = limits::kFrameBytes / 2;

/// Ends its framework as soon as it is in session.
class Farewell final : public Scheduler, public FollowsSession {
 public:
  void resource_offers(Driver&, const Offers&) override {}
  void status_update(Driver&, const TaskStatus&) override {}
  void subscribed(Driver& driver, const Subscribed&) override { driver.stop(); }
};

bool is_known(const ClusterState& state, FrameworkId framework) {
  return std::any_of(state.frameworks.begin(), state.frameworks.end(),
                     [&](const FrameworkState& one) { return one.id == framework; });
}

std::int64_t slots(const ClusterState& state, const char* kind) {
  std::int64_t sum = 0;
  for (const auto& agent : state.agents) sum += agent.total[Kind(kind)];
  return sum;
}

/// Returns the variables by which flags, the environment and the settings file of this machine count there.
Result<Environment> environment_of(const FrameworkOptions& options, const Where& where) {
  const auto config = framework_config(options);
  if (!config) return config.error();
  Environment env{{"PROFFER_ALLOCATOR", where.allocator},
                  {"PROFFER_NAME", options.name},
                  {"PROFFER_FAILOVER_TIMEOUT", format_duration(config->failover_timeout)}};
  if (!where.catalog.empty()) env.emplace_back("PROFFER_CATALOG", where.catalog);
  if (!options.pool.empty()) env.emplace_back("PROFFER_POOL", options.pool);
  if (!config->user.empty()) env.emplace_back("USER", config->user);
  return env;
}

/// The words as people recognise them, in the room that there is for that.
std::string summary_of(const std::vector<std::string>& words) {
  auto text = formats::printable(fmt::format("{}", fmt::join(words, " ")), "");
  constexpr std::size_t kMost = 100;
  if (text.size() <= kMost) return text;
  text.resize(kMost);
  while (!text.empty() && !formats::is_utf8(text)) text.pop_back();
  return text + "...";
}

SubmitJob job_of(const FrameworkOptions& options, Environment env, std::vector<ShippedFile> files) {
  auto secrets = live::secret_source();
  SubmitJob job;
  job.framework.value = secrets.secret().value;
  job.secret = secrets.secret();
  job.id = "d-" + to_hex(job.framework.value).substr(0, 8);
  job.name = options.name;
  if (const char* user = std::getenv("USER")) job.user = user;
  job.summary = summary_of(options.words);
  job.command.argv = {"proffer"};
  job.command.argv.insert(job.command.argv.end(), options.words.begin(), options.words.end());
  job.command.env = std::move(env);
  job.command.output_token = live::random_token();
  job.command.files = std::move(files);
  return job;
}

/// Asks until there is an answer: the same job once more changes nothing. The framework of drivers is away
/// for a moment when the allocator has just been started.
Result<> submit(live::Context& context, const std::string& allocator, const SubmitJob& job) {
  const live::Stop never;
  std::optional<Error> unsure;  // it may have been taken
  for (const auto give_up_at = live::steady_now() + kSubmit;;) {
    const auto done = live::operate(context, allocator, job, kAnswerTimeout);
    if (done) return {};
    const auto& error = done.error();
    const bool away = error.code == ErrorCode::unknown_framework;
    if (may_be_taken(error)) unsure = error;
    if (!away && !unsure) return error;
    if (live::steady_now() < give_up_at) {
      never.wait(kAskEvery);
      continue;
    }
    if (unsure) {
      return Error{unsure->code, unsure->message + "; the job may have been taken: see proffer job list"};
    }
    return Error{ErrorCode::refused,
                 "this cluster takes no detached jobs: its allocator runs no drivers (key drivers)"};
  }
}

}  // namespace

bool may_be_taken(const Error& error) {
  return error.code == ErrorCode::unreachable || error.code == ErrorCode::timed_out;
}

Result<std::optional<Driving>> take_driving() {
  const char* text = std::getenv(kDrivingVariable);
  if (text == nullptr) return std::optional<Driving>();
  auto driving = driving_from(text);
  ::unsetenv(kDrivingVariable);
  // Taken for none, it would be handed over once more, and so on.
  if (!driving)
    return Error{ErrorCode::invalid, std::string(kDrivingVariable) + " is not what a driver is told"};
  return driving;
}

std::uint32_t first_attempt_of(const Driving& driving) { return (driving.start - 1) * kAttemptsOfADriver; }

// Another driver may go on, whatever ends this process: nothing is torn down, nor given up for want of an
// answer.
void drive(const Driving& driving, live::FrameworkHostConfig& config) {
  config.framework.given =
      KeptIdentity{driving.framework, driving.secret, std::uint64_t{driving.start} << 32};
  config.unreachable_after.reset();
  config.stop_requested = {};
  config.leaves_at_stop = true;
}

Result<ClusterState> reach_patiently(live::Context& context, const std::string& allocator,
                                     const live::Stop& stop) {
  while (true) {
    auto state = live::describe(context, allocator, kAnswerTimeout);
    if (state || state.error().code != ErrorCode::unreachable || stop.requested()) return state;
  }
}

int driver_failed(const Error& error) {
  const auto code = report(error);
  const bool another_may = error.code == ErrorCode::fenced || error.code == ErrorCode::unreachable ||
                           error.code == ErrorCode::split_brain || error.code == ErrorCode::slow_down;
  return another_may ? kDriverAgain : code;
}

int end_what_is_left(live::Context& context, live::FrameworkHostConfig config, live::Stop& stop) {
  Farewell farewell;
  const auto framework = config.framework.given->id;
  const auto end = live::run_framework(context, config, farewell, stop);
  if (!end) return driver_failed(end.error());
  if (*end == live::FrameworkEnd::stopped) return kDriverAgain;
  const auto give_up_at = live::steady_now() + kTasksEnd;
  while (live::steady_now() < give_up_at && !stop.requested()) {
    const auto state = live::describe(context, config.allocator, kAnswerTimeout);
    if (state && !is_known(*state, framework)) break;
    stop.wait(kAskEvery);
  }
  return kOk;
}

Result<> check_detached(const FrameworkOptions& options) {
  const auto invalid = [](const std::string& flag, const char* why) -> Result<> {
    return Error{ErrorCode::invalid, flag + " and --detach exclude each other: " + why};
  };
  if (!options.state_dir.empty() || options.resume) {
    return invalid(options.resume ? "--resume" : "--state-dir", "the cluster keeps what it needs to go on");
  }
  if (!options.plugins.empty()) return invalid("--plugin", "agents have no such file");
  const auto names_log = [](const std::string& word) {
    return word == "--event-log" || word.starts_with("--event-log=");
  };
  const auto dashes = std::find(options.words.begin(), options.words.end(), "--");
  if (std::any_of(options.words.begin(), dashes, names_log)) {
    return invalid("--event-log", "the file would be on some agent");
  }
  if (!valid_name(options.name)) {
    return Error{ErrorCode::invalid, "--name: a framework's name is 1-128 bytes of [A-Za-z0-9._-]"};
  }
  std::size_t bytes = 0;
  for (const auto& word : options.words) bytes += word.size() + 5;
  if (bytes > kCommandBytes || options.words.size() >= limits::kArgs) {
    return Error{ErrorCode::invalid,
                 fmt::format("the command is too long to be handed over: {}; the bound is {}",
                             human_bytes(bytes), human_bytes(kCommandBytes))};
  }
  return {};
}

Result<> check_cluster(const ClusterState& state, const Where& where, const std::string& pool) {
  const auto has_pool = [&](const PoolState& one) { return one.name == pool; };
  if (!pool.empty() && std::none_of(state.pools.begin(), state.pools.end(), has_pool)) {
    return Error{ErrorCode::unknown_pool, "there is no pool '" + pool + "'; see proffer pool list"};
  }
  if (slots(state, Drivers::kOwnKind) == 0 && slots(state, Drivers::kOtherKind) < 2) {
    return Error{ErrorCode::refused,
                 fmt::format("the cluster has {} map slots: a detached command takes one, and must leave "
                             "another; start an agent with more, or with slots of the kind {}",
                             slots(state, Drivers::kOtherKind), Drivers::kOwnKind)};
  }
  const auto is_elsewhere = [](const AgentState& agent) {
    return !live::only_from_here(agent.data_endpoint);
  };
  if (live::only_from_here(where.allocator) &&
      std::any_of(state.agents.begin(), state.agents.end(), is_elsewhere)) {
    return Error{ErrorCode::invalid,
                 "--allocator " + where.allocator +
                     " is reached from this machine only: with --detach, give the address "
                     "at which agents reach it"};
  }
  return {};
}

Result<ShippedFile> file_for_driver(const std::string& path) {
  auto bytes = formats::read_text_file(path);
  if (!bytes) return bytes.error();
  ShippedFile file;
  file.name = std::filesystem::path(path).filename().string();
  file.bytes = std::move(*bytes);
  file.executable = ::access(path.c_str(), X_OK) == 0;
  return file;
}

Result<> hand_over(live::Context& context, const FrameworkOptions& options, const Where& where,
                   std::vector<ShippedFile> files) {
  auto env = environment_of(options, where);
  if (!env) return env.error();
  const auto job = job_of(options, std::move(*env), std::move(files));
  const auto done = submit(context, where.allocator, job);
  if (!done) return done.error();
  std::puts(job.id.c_str());
  std::fflush(stdout);
  std::fprintf(stderr, "proffer job attach %s\nproffer job kill %s\n", job.id.c_str(), job.id.c_str());
  return {};
}

}  // namespace proffer::cli
