// The reasons why something waits, computed from the lines of an event log: its place in the order, the
// offers it got and their fate, the places of its data, the limits that hold it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "proffer/formats/event_log.hpp"
#include "proffer/ids.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::study {

enum class WhyKind : std::uint8_t { job, task, framework, pool };
inline constexpr std::array<std::string_view, 4> kWhyKinds{"job", "task", "framework", "pool"};

/// The thing that is asked about. `id`: FRAMEWORK/JOB or JOB, by name or number; FRAMEWORK/TASK or TASK; a
/// framework's name, or eight digits of its id or more; a pool's name, "" or "root" for the root. When
/// several things have the name, one that exists is preferred, then one that waits, then the newest; the
/// others are mentioned.
struct WhySubject {
  WhyKind kind = WhyKind::job;
  std::string id;
};

struct Explanation {
  std::string subject;  ///< "job join-3 of hadoop-2"
  /// The cause, one of: finished, failed, runs, not-begun, no-demand, limit, maps-first, no-slots, away,
  /// silent, own-choice, on-offer, at-share, behind-others.
  std::string cause;
  std::string answer;  ///< one or two sentences
  struct Part {
    std::string topic;  ///< share, order, offers, data, ...
    std::string text;
  };
  std::vector<Part> parts;
  using Value = std::variant<std::int64_t, double, std::string>;
  /// The figures of the parts, for programs; times in seconds.
  std::vector<std::pair<std::string, Value>> facts;
};

/// A duration for people: "0.8 s", "312 s", "1 h 2 min".
std::string span(Duration duration);

class Why {
 public:
  explicit Why(WhySubject subject);
  ~Why();

  /// Takes a line; lines must come in the order of their times; lines of agents and the catalog are ignored.
  void line(const TraceLine& line);
  /// The state of the log for a framework; none: no line of the allocator mentions it.
  struct Heard {
    Time came{};             ///< time at which the allocator mentioned it first
    bool of_itself = false;  ///< true: there are also lines of its own program
  };
  std::optional<Heard> heard(FrameworkId framework) const;
  /// Explains the state at `now`, which is not before the last line. `not_found` with the nearest known
  /// names.
  Result<Explanation> explain(Time now);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::study
