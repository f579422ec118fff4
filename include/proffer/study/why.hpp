// Why something waits, worked out from the lines of an event log: its place in the order, the offers it got
// and what became of them, where its data is, which limits hold it.
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

/// `id`: FRAMEWORK/JOB or JOB, by name or number; FRAMEWORK/TASK or TASK; a framework's name, or eight digits
/// of its id or more; a pool's name, "" or "root" for the root. Of several that are called so, one that is
/// there is explained, one that waits before others, or else the newest; the others are told of.
struct WhySubject {
  WhyKind kind = WhyKind::job;
  std::string id;
};

struct Explanation {
  std::string subject;  ///< "job join-3 of hadoop-2"
  /// One of: finished, failed, runs, not-begun, no-demand, limit, maps-first, no-slots, away, silent,
  /// own-choice, on-offer, at-share, behind-others.
  std::string cause;
  std::string answer;  ///< one or two sentences
  struct Part {
    std::string topic;  ///< share, order, offers, data, ...
    std::string text;
  };
  std::vector<Part> parts;
  using Value = std::variant<std::int64_t, double, std::string>;
  std::vector<std::pair<std::string, Value>>
      facts;  ///< the figures of the parts, for programs; times in seconds
};

/// "0.8 s", "312 s", "1 h 2 min".
std::string span(Duration duration);

class Why {
 public:
  explicit Why(WhySubject subject);
  ~Why();

  /// In the order of their times; lines of agents and the catalog are passed over.
  void line(const TraceLine& line);
  /// How far the log has come of a framework; none: no line of the allocator says that it is there.
  struct Heard {
    Time came{};             ///< when the allocator said so
    bool of_itself = false;  ///< lines of its own program are there, too
  };
  std::optional<Heard> heard(FrameworkId framework) const;
  /// As of `now`, not before the last line. `not_found` with the nearest that there are.
  Result<Explanation> explain(Time now);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::study
