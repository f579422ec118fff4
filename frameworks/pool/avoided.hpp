// Agents on which tasks that have failed are not to be launched again for a while.
#pragma once

#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

/// The pending attempts that avoid agents. Entries go with their attempt or when their time is over.
class Avoided {
 public:
  struct Entry {
    JobId job;
    Kind kind;
    AgentId agent;
    std::optional<Time> until;  ///< none: as long as the attempt waits
  };

  /// Has an attempt avoid one more agent.
  void add(const TaskId& task, Entry entry) { entries_.emplace(task, entry); }
  void remove(const TaskId& task) { entries_.erase(task); }
  /// The attempts that avoid that agent, and their entries.
  std::vector<std::pair<TaskId, Entry>> on(AgentId agent) const {
    std::vector<std::pair<TaskId, Entry>> found;
    for (const auto& [task, entry] : entries_) {
      if (entry.agent == agent) found.emplace_back(task, entry);
    }
    return found;
  }
  /// Removes the entries whose time is over, and returns them.
  std::vector<Entry> take_over(Time now) {
    std::vector<Entry> over;
    for (auto at = entries_.begin(); at != entries_.end();) {
      const bool past = at->second.until && *at->second.until <= now;
      if (past) over.push_back(at->second);
      at = past ? entries_.erase(at) : std::next(at);
    }
    return over;
  }
  /// The time at which take_over() has something; none: never.
  std::optional<Time> next() const {
    std::optional<Time> next;
    for (const auto& [task, entry] : entries_) next = earlier(next, entry.until);
    return next;
  }

 private:
  std::multimap<TaskId, Entry> entries_;
};

}  // namespace proffer::frameworks
