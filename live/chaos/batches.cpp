#include "live/chaos/batches.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "live/os/spawning.hpp"

namespace proffer::live {
namespace {

/// The command of every task. Its first argument is the file for what happened, the second names the task in
/// it, the third is the time for which it lasts, in seconds.
constexpr const char* kTask =
    "printf 'start %s %s %s\\n' \"$1\" \"$$\" \"$(date +%s.%N)\" >> \"$0.$1\" && sleep \"$2\" && "
    "printf 'result %s\\n' \"$1\" && printf 'end %s %s %s\\n' \"$1\" \"$$\" \"$(date +%s.%N)\" >> \"$0.$1\"";

Result<> append_line(const std::string& path, const std::string& line) {
  std::ofstream out(path, std::ios::app);
  out << line << '\n';
  out.close();
  if (!out) return Error{ErrorCode::io, "cannot write " + path};
  return {};
}

}  // namespace

Result<> Batches::begin(Random& random) {
  running_.resize(static_cast<std::size_t>(config_.frameworks));
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (auto begun = begin_one(i, random); !begun) return begun;
  }
  return {};
}

Result<> Batches::begin_one(std::size_t framework, Random& random) {
  auto& batch = running_[framework];
  batch = {};
  batch.name = fmt::format("f{}-{}", framework + 1, ++begun_);
  std::error_code failed;
  std::filesystem::create_directories(folder(batch) + "/truth", failed);
  if (failed) return Error{ErrorCode::io, "cannot make " + folder(batch) + ": " + failed.message()};
  const auto longest = static_cast<std::uint64_t>(to_us(config_.longest_task));
  const auto lasts = longest / 4 + random.below(longest * 3 / 4 + 1);
  return start(batch,
               {"--state-dir", folder(batch) + "/state", "--name", fmt::format("f{}", framework + 1), "-n",
                std::to_string(config_.tasks), "--", "/bin/sh", "-c", kTask, folder(batch) + "/truth/task",
                "{}", fmt::format("{:.3f}", static_cast<double>(lasts) / 1e6)});
}

/// Starts a process of a batch, whose output goes to the end of the file of those before it.
Result<> Batches::start(Batch& batch, std::vector<std::string> words) const {
  // A shell stands between, since what the tasks print is to outlive each of the processes that print it.
  std::vector<std::string> argv{"/bin/sh",
                                "-c",
                                "exec \"$@\" >> \"$0\"",
                                folder(batch) + "/stdout",
                                config_.proffer_path,
                                "run",
                                "--allocator",
                                allocator_};
  argv.insert(argv.end(), words.begin(), words.end());
  auto process = Child::start(argv, folder(batch) + "/log");
  if (!process) return process.error();
  batch.process = std::move(*process);
  return {};
}

Result<> Batches::kill(std::size_t framework) {
  auto& batch = running_[framework];
  if (!batch.process || batch.process->poll_exit()) return {};
  batch.process.reset();  // which kills it
  ++batch.kills;
  return start(batch, {"--resume", folder(batch) + "/state"});
}

void Batches::signal(std::size_t framework, int number) const {
  if (running_[framework].process) running_[framework].process->signal(number);
}

Result<> Batches::write_end(const Batch& batch, int wait_status) const {
  const auto exit = exit_status(wait_status);
  return append_line(config_.dir + "/batches.jsonl",
                     fmt::format(R"({{"batch":"{}","tasks":{},"kills":{},"exit":{},"signal":{}}})",
                                 batch.name, config_.tasks, batch.kills, exit.code, exit.signal));
}

Result<> Batches::tend(Random& random, bool last) {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    auto& batch = running_[i];
    if (!batch.process) continue;
    const auto ended = batch.process->poll_exit();
    if (!ended) continue;
    if (auto written = write_end(batch, *ended); !written) return written;
    batch.process.reset();
    if (last) continue;
    if (auto begun = begin_one(i, random); !begun) return begun;
  }
  return {};
}

bool Batches::over() const {
  return std::none_of(running_.begin(), running_.end(),
                      [](const Batch& batch) { return batch.process.has_value(); });
}

}  // namespace proffer::live
