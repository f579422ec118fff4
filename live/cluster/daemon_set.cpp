#include "live/cluster/daemon_set.hpp"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "live/cluster/child_end.hpp"
#include "live/cluster/last_line.hpp"
#include "proffer/check.hpp"
#include "proffer/live/executor.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

constexpr Duration kReadyTimeout = std::chrono::seconds(20);
constexpr Duration kStopTimeout = std::chrono::seconds(5);

Result<> write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) return Error{ErrorCode::io, "cannot write " + path.string()};
  return {};
}

}  // namespace

DaemonSet::DaemonSet(std::string proffer_path, std::string dir)
    : proffer_path_(std::move(proffer_path)), dir_(std::move(dir)) {}

DaemonSet::~DaemonSet() { static_cast<void>(stop()); }

Result<> DaemonSet::stop() {
  Result<> all;
  // One that has not said yet that it is ready may not know yet what to do about SIGTERM.
  for (const auto& name : std::exchange(starting_, {})) {
    if (at(name).child.read_line(Duration::zero())) continue;
    auto killed = kill(name);
    if (all) all = std::move(killed);
  }
  // Agents first, so that their tasks end while somebody still listens.
  for (auto it = daemons_.rbegin(); it != daemons_.rend(); ++it) it->child.signal(SIGTERM);
  const auto deadline = steady_now() + kStopTimeout;
  for (auto& daemon : daemons_) {
    if (killed_.contains(daemon.name)) continue;
    auto ended = clean_end(daemon.name, daemon.child, deadline, folder_of(daemon.name) + "/log");
    if (all) all = std::move(ended);
  }
  // An agent that was killed has left its tasks running.
  for (const auto& daemon : daemons_) {
    auto ended = end_runs_of(daemon);
    if (all) all = std::move(ended);
  }
  return all;
}

Result<Child> DaemonSet::start_process(const std::string& name, const std::string& role,
                                       const Config& settings) const {
  const std::filesystem::path dir = folder_of(name);
  std::error_code failed;
  std::filesystem::create_directories(dir, failed);
  if (failed) return Error{ErrorCode::io, "cannot make " + dir.string() + ": " + failed.message()};
  const auto file = (dir / (role + ".toml")).string();
  if (auto written = write_file(file, print_config(settings, role)); !written) return written.error();
  return Child::start({proffer_path_, role, "--config", file, "--end-with-parent"}, (dir / "log").string());
}

Result<> DaemonSet::start(const std::string& name, const std::string& role, const Config& settings) {
  auto child = start_process(name, role, settings);
  if (!child) return child.error();
  if (!has(name)) {
    daemons_.push_back({name, role, std::move(*child)});
    return {};
  }
  at(name).child = std::move(*child);
  killed_.erase(name);
  starting_.insert(name);
  return {};
}

bool DaemonSet::has(std::string_view name) const { return pid_of(name) != -1; }

DaemonSet::Daemon& DaemonSet::at(std::string_view name) {
  const auto found =
      std::find_if(daemons_.begin(), daemons_.end(), [&](const Daemon& one) { return one.name == name; });
  PROFFER_CHECK(found != daemons_.end(), "no such daemon");
  return *found;
}

void DaemonSet::kill_process(std::string_view name) {
  auto& daemon = at(name);
  killed_.insert(daemon.name);
  starting_.erase(daemon.name);
  daemon.child.signal(SIGKILL);
  daemon.child.wait_exit(kStopTimeout);
}

Result<> DaemonSet::kill(std::string_view name) {
  kill_process(name);
  return end_runs_of(at(name));
}

void DaemonSet::signal(std::string_view name, int number) { at(name).child.signal(number); }

Result<> DaemonSet::end_runs_of(const Daemon& daemon) const {
  if (daemon.role != "agent") return {};
  const auto launcher = std::filesystem::path(proffer_path_).replace_filename("proffer-launcher");
  return end_runs_in(folder_of(daemon.name), launcher.string());
}

Result<std::string> DaemonSet::ready_line(const std::string& name) {
  auto line = at(name).child.read_line(kReadyTimeout);
  if (line) return line;
  const auto why = last_line(folder_of(name) + "/log");
  return Error{line.error().code, line.error().message + (why.empty() ? "" : " (" + why + ")")};
}

std::optional<std::string> DaemonSet::ended() {
  for (auto& daemon : daemons_) {
    if (!killed_.contains(daemon.name) && daemon.child.poll_exit()) return daemon.name;
  }
  return {};
}

pid_t DaemonSet::pid_of(std::string_view name) const {
  for (const auto& daemon : daemons_) {
    if (daemon.name == name) return daemon.child.pid();
  }
  return -1;
}

}  // namespace proffer::live
