// An event log written by hand, and what it explains.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proffer/study/why.hpp"

namespace proffer::study {

using namespace std::chrono_literals;

inline const Kind kMap{"map"};
inline const Kind kReduce{"reduce"};

inline AgentId agent_id(std::uint64_t n) { return {{1, n}}; }
inline FrameworkId framework_id(std::uint64_t n) { return {{2, n}}; }

/// Tells what happens in the order in which it is said; framework n is called f<n>, agent n a<n>.
class Log {
 public:
  explicit Log(WhySubject subject) : why_(std::move(subject)) {}

  void at(Duration time) { now_ = Time{} + time; }
  /// `life`: of the program; 0 in logs that do not tell.
  void says(const std::string& source, Trace trace, std::uint32_t life = 0) {
    why_.line({now_, ++seqs_[{source, life}], source, std::move(trace), life});
  }
  void allocator(Trace trace) { says("allocator", std::move(trace)); }
  void framework(std::uint64_t n, Trace trace) { says("framework f" + std::to_string(n), std::move(trace)); }

  /// Each life of a program numbers its lines anew.
  void starts_again(const std::string& source) { seqs_[{source, 0}] = 0; }
  void loses(const std::string& source, std::uint64_t lines) { seqs_[{source, 0}] += lines; }

  void agent(std::uint64_t n, std::int64_t maps, std::int64_t reduces = 0) {
    Resources slots{{kMap, maps}};
    if (reduces > 0) slots.set(kReduce, reduces);
    allocator(AgentRegistered{agent_id(n), "a" + std::to_string(n), "r1", slots});
  }
  void subscribe(std::uint64_t n, const std::string& pool, std::int64_t demand) {
    subscribe_as("f" + std::to_string(n), n, pool, demand);
  }
  void subscribe_as(const std::string& name, std::uint64_t n, const std::string& pool, std::int64_t demand) {
    allocator(FrameworkSubscribed{framework_id(n), name, pool});
    allocator(DemandChanged{framework_id(n), kMap, demand});
  }
  void offer(std::uint64_t n, std::uint64_t framework, std::uint64_t agent) {
    allocator(OfferMade{{1, n}, framework_id(framework), agent_id(agent), {{kMap, 1}}});
  }
  void decline(std::uint64_t n, std::uint64_t framework, std::uint64_t agent, Duration refuse_for) {
    allocator(OfferDeclined{{1, n},
                            framework_id(framework),
                            agent_id(agent),
                            DeclineReason::no_node_local,
                            5ms,
                            to_us(refuse_for)});
  }
  void launch(std::uint64_t framework, const std::string& task, std::uint64_t agent, Kind kind = kMap) {
    allocator(
        TaskLaunched{framework_id(framework), TaskId{task}, {1, ++launches_}, agent_id(agent), {{kind, 1}}});
  }
  void finish(std::uint64_t framework, const std::string& task, std::uint64_t agent) {
    allocator(TaskChanged{framework_id(framework), TaskId{task}, agent_id(agent), TaskState::finished,
                          TaskReason::exit});
  }
  void become(std::uint64_t framework, const std::string& task, std::uint64_t agent, TaskState state) {
    allocator(
        TaskChanged{framework_id(framework), TaskId{task}, agent_id(agent), state, TaskReason::agent_lost});
  }
  /// A job with a waiting map for each of these.
  void job(std::uint64_t framework, std::uint32_t id, const std::vector<std::vector<AgentId>>& prefers) {
    const auto name = "job-" + std::to_string(id);
    this->framework(framework, JobQueued{JobId{id}, name, "", "", "normal"});
    this->framework(framework, JobSubmitted{JobId{id}, name, static_cast<std::uint32_t>(prefers.size()), 0});
    for (std::size_t i = 0; i < prefers.size(); ++i) {
      const TaskId task{"j" + std::to_string(id) + "-" + std::to_string(i)};
      this->framework(framework, TaskQueued{JobId{id}, task, kMap, prefers[i]});
    }
  }

  Explanation explain() {
    auto explained = why_.explain(now_);
    return explained ? *explained : Explanation{"", "error", explained.error().message, {}, {}};
  }

 private:
  Why why_;
  Time now_{};
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> seqs_;
  std::uint64_t launches_ = 0;
};

inline std::string part(const Explanation& why, const std::string& topic) {
  for (const auto& [name, text] : why.parts) {
    if (name == topic) return text;
  }
  return "";
}

inline std::int64_t number(const Explanation& why, const std::string& name) {
  for (const auto& [fact, value] : why.facts) {
    if (fact == name) return std::get<std::int64_t>(value);
  }
  return -1;
}

}  // namespace proffer::study
