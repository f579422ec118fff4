// The command `proffer study chaos`: a cluster on this machine whose processes are killed while frameworks
// are at work.
#include <fmt/format.h>

#include <filesystem>

#include "cli/output.hpp"
#include "cli/paths.hpp"
#include "cli/study_commands.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/live/chaos.hpp"
#include "proffer/live/log.hpp"

namespace proffer::cli {
namespace {

std::string by_role(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  std::uint64_t sum = 0;
  for (const auto& [role, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", role, count);
    sum += count;
  }
  return fmt::format("{}{}", sum, text.empty() ? "" : " (" + text + ")");
}

}  // namespace

int run_chaos(const ChaosOptions& options) {
  live::Stop stop;
  stop.on_signals();
  live::ChaosConfig config;
  config.proffer_path = own_path();
  config.dir = std::filesystem::absolute(options.dir).lexically_normal().string();
  config.seed = options.seed;
  config.agents = static_cast<int>(options.agents);
  config.frameworks = static_cast<int>(options.frameworks);
  config.kills = options.kills;
  config.pauses = options.pauses;
  const auto pause = parse_duration(options.pause_for);
  if (!pause) return usage_error("--pause: " + pause.error().message);
  const auto every = parse_duration(options.every);
  if (!every) return usage_error("--every: " + every.error().message);
  config.pause = *pause;
  config.between = *every;
  const bool show = !options.quiet && stderr_is_terminal();
  const auto done = live::run_chaos(config, stop, [&](const live::ChaosOutcome& so_far) {
    if (show)
      fmt::print(stderr, "\rkills {}, pauses {} \033[K", by_role(so_far.kills), by_role(so_far.pauses));
  });
  if (show) fmt::print(stderr, "\r\033[K");
  if (!done) return report(done.error());
  fmt::print("kills   {}\npauses  {}\nbatches {} of tasks, {} tasks in all\nlasted  {:.0f} s\n",
             by_role(done->kills), by_role(done->pauses), done->batches, done->tasks,
             std::chrono::duration<double>(done->lasted).count());
  fmt::print("what became of the tasks: scripts/check_chaos.py {}\n", options.dir);
  return 0;
}

}  // namespace proffer::cli
