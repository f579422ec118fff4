// Requests to the catalog that wait for their answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "proffer/message.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

/// Every request is answered exactly once: by the catalog, or here when it is lost or does not answer.
class CatalogRequests {
 public:
  explicit CatalogRequests(Duration timeout) : timeout_(timeout) {}

  void open(std::uint64_t request, Time now);
  /// Returns the whole answer; none: more pages are to come, or nobody asked.
  std::optional<Message> answer(const Message& message, Time now);
  /// Ends all open requests, and returns an answer with that error for each, in order.
  std::vector<Message> fail_all(const Error& error);
  /// Ends the requests whose time is over, and returns an answer with `timed_out` for each.
  std::vector<Message> take_late(Time now);
  /// Moves all deadlines: the process has slept for that time.
  void postpone(Duration by);
  void clear() { open_.clear(); }

  std::optional<Time> next_deadline() const;

 private:
  struct Open {
    FilesListed listed;  // pages so far
    Time deadline;
  };
  Duration timeout_;
  std::map<std::uint64_t, Open> open_;
};

}  // namespace proffer::frameworks
