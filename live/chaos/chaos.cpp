#include "proffer/live/chaos.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "live/chaos/batches.hpp"
#include "live/chaos/victims.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/port.hpp"
#include "proffer/random.hpp"

namespace proffer::live {
namespace {

constexpr Duration kLook = std::chrono::milliseconds(50);

class Chaos {
 public:
  Chaos(const ChaosConfig& config, LocalCluster& cluster)
      : config_(config),
        cluster_(cluster),
        random_(config.seed),
        batches_(config, cluster.allocator_endpoint()) {}

  Result<> rage(Stop& stop, const std::function<void(const ChaosOutcome&)>& progress);
  Result<> calm_down(Stop& stop);
  ChaosOutcome outcome() const {
    auto done = done_;
    done.batches = batches_.begun();
    done.tasks = done.batches * static_cast<std::uint64_t>(config_.tasks);
    return done;
  }

 private:
  /// A process that was stopped by SIGSTOP, and goes on at that time.
  struct Pause {
    Role role = Role::allocator;
    std::size_t index = 0;
    pid_t pid = 0;
    Time until;
  };
  Result<> one_fault(std::uint64_t kills_left, std::uint64_t pauses_left);
  Result<> kill(Role role, std::size_t index);
  void pause(Role role, std::size_t index);
  void end_pauses(Time now);
  pid_t pid_of(Role role, std::size_t index) const;
  std::string daemon(Role role, std::size_t index) const;
  std::size_t pick(Role role);
  void note(const char* what, Role role, std::size_t index, pid_t pid);
  static std::uint64_t sum(const std::map<std::string, std::uint64_t>& counts) {
    std::uint64_t all = 0;
    for (const auto& [role, count] : counts) all += count;
    return all;
  }

  const ChaosConfig& config_;
  LocalCluster& cluster_;
  Random random_;
  Batches batches_;
  std::vector<Pause> pauses_;
  ChaosOutcome done_;
  Time began_ = steady_now();
};

std::string Chaos::daemon(Role role, std::size_t index) const {
  if (role == Role::allocator) return "allocator";
  return role == Role::catalog ? "catalog" : cluster_.agent_name(static_cast<int>(index));
}

pid_t Chaos::pid_of(Role role, std::size_t index) const {
  if (role == Role::allocator) return cluster_.allocator_pid();
  if (role == Role::catalog) return cluster_.catalog_pid();
  if (role == Role::agent) return cluster_.agent_pid(static_cast<int>(index));
  if (role == Role::framework) return 0;
  const auto found = launchers_of(config_.dir + "/cluster/" + daemon(Role::agent, index));
  return found.empty() ? 0 : found.front();
}

std::size_t Chaos::pick(Role role) {
  if (role == Role::agent || role == Role::launcher)
    return random_.below(static_cast<std::uint64_t>(config_.agents));
  return role == Role::framework ? random_.below(batches_.frameworks()) : 0;
}

void Chaos::note(const char* what, Role role, std::size_t index, pid_t pid) {
  std::ofstream out(config_.dir + "/chaos.jsonl", std::ios::app);
  const std::chrono::duration<double> at = steady_now() - began_;
  out << fmt::format(R"({{"at":{:.3f},"what":"{}","role":"{}","index":{},"pid":{}}})", at.count(), what,
                     kRoles[static_cast<std::size_t>(role)], index, pid)
      << '\n';
}

Result<> Chaos::kill(Role role, std::size_t index) {
  const auto pid = pid_of(role, index);
  std::erase_if(pauses_, [&](const Pause& one) { return one.role == role && one.index == index; });
  note("kill", role, index, pid);
  ++done_.kills[kRoles[static_cast<std::size_t>(role)]];
  if (role == Role::framework) return batches_.kill(index);
  if (role != Role::launcher) return cluster_.kill_and_restart(daemon(role, index));
  if (pid > 0) ::kill(pid, SIGKILL);
  return {};
}

void Chaos::pause(Role role, std::size_t index) {
  const auto pid = pid_of(role, index);
  note("pause", role, index, pid);
  ++done_.pauses[kRoles[static_cast<std::size_t>(role)]];
  if (role == Role::framework) batches_.signal(index, SIGSTOP);
  if (pid > 0) ::kill(pid, SIGSTOP);
  pauses_.push_back({role, index, pid, steady_now() + config_.pause});
}

void Chaos::end_pauses(Time now) {
  std::erase_if(pauses_, [&](const Pause& one) {
    if (one.until > now) return false;
    note("resume", one.role, one.index, one.pid);
    if (one.role == Role::framework) batches_.signal(one.index, SIGCONT);
    // A process that was killed meanwhile has left the list, so the number is still its own.
    if (one.pid > 0) ::kill(one.pid, SIGCONT);
    return true;
  });
}

Result<> Chaos::one_fault(std::uint64_t kills_left, std::uint64_t pauses_left) {
  const auto role = static_cast<Role>(random_.below(kRoles.size()));
  const auto index = pick(role);
  if (random_.below(kills_left + pauses_left) < kills_left) return kill(role, index);
  pause(role, index);
  return {};
}

Result<> Chaos::rage(Stop& stop, const std::function<void(const ChaosOutcome&)>& progress) {
  if (auto begun = batches_.begin(random_); !begun) return begun;
  auto next = steady_now() + config_.between;
  while (!stop.requested()) {
    const auto kills_left = config_.kills - sum(done_.kills);
    const auto pauses_left = config_.pauses - sum(done_.pauses);
    if (kills_left + pauses_left == 0) break;
    const auto now = steady_now();
    end_pauses(now);
    if (auto tended = batches_.tend(random_, false); !tended) return tended;
    if (now < next) {
      std::this_thread::sleep_for(std::min<Duration>(next - now, kLook));
      continue;
    }
    if (auto done = one_fault(kills_left, pauses_left); !done) return done;
    next = now + Duration(random_.below(static_cast<std::uint64_t>(2 * config_.between.count()) + 1));
    if (progress) progress(outcome());
  }
  return {};
}

Result<> Chaos::calm_down(Stop& stop) {
  end_pauses(Time::max());
  const auto deadline = steady_now() + config_.calm;
  while (!batches_.over()) {
    if (auto tended = batches_.tend(random_, true); !tended) return tended;
    if (stop.requested()) return Error{ErrorCode::timed_out, "it was stopped before all tasks had ended"};
    if (steady_now() > deadline)
      return Error{ErrorCode::timed_out, "some tasks had not ended when the calm was over"};
    std::this_thread::sleep_for(kLook);
  }
  done_.lasted = steady_now() - began_;
  return {};
}

/// Writes what is left when all frameworks have ended: slots that somebody still has, by the allocator; and
/// then, when the daemons have ended as well, processes.
Result<> write_slots(const LocalCluster& cluster, const std::string& dir) {
  const auto deadline = steady_now() + std::chrono::seconds(60);
  Context context;
  std::int64_t taken = 0;
  do {
    auto state = describe(context, cluster.allocator_endpoint(), std::chrono::seconds(20));
    if (!state) return state.error();
    taken = 0;
    for (const auto& agent : state->agents) {
      for (const auto& [kind, units] : agent.used) taken += units;
    }
  } while (taken > 0 && steady_now() < deadline);
  std::ofstream out(dir + "/left.jsonl");
  out << fmt::format(R"({{"slots":{}}})", taken) << '\n';
  return {};
}

void write_processes(const std::string& dir) {
  std::ofstream out(dir + "/left.jsonl", std::ios::app);
  out << fmt::format(R"({{"processes":[{}]}})", fmt::join(processes_naming(dir + "/"), ",")) << '\n';
}

}  // namespace

Result<ChaosOutcome> run_chaos(const ChaosConfig& config, Stop& stop,
                               const std::function<void(const ChaosOutcome&)>& progress) {
  std::error_code failed;
  std::filesystem::create_directories(config.dir, failed);
  if (failed) return Error{ErrorCode::io, "cannot make " + config.dir + ": " + failed.message()};
  if (!std::filesystem::is_empty(config.dir, failed)) {
    return Error{ErrorCode::exists, config.dir + " is not empty: chaos wants a folder of its own"};
  }
  LocalClusterConfig settings;
  settings.proffer_path = config.proffer_path;
  settings.dir = config.dir + "/cluster";
  settings.agents = even_agents(config.agents, 1, {{Kind("map"), config.slots}});
  auto cluster = LocalCluster::start(std::move(settings));
  if (!cluster) return cluster.error();
  Chaos chaos(config, **cluster);
  if (auto raged = chaos.rage(stop, progress); !raged) return raged.error();
  if (auto calm = chaos.calm_down(stop); !calm) return calm.error();
  if (auto written = write_slots(**cluster, config.dir); !written) return written.error();
  if (auto ended = (*cluster)->stop(); !ended) return ended.error();
  write_processes(config.dir);
  return chaos.outcome();
}

}  // namespace proffer::live
