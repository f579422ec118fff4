// The questions of one job to the catalog that brought nothing: when one is asked again, and since when that
// has been going on.
//
// Invariant: the job has been waiting since some time exactly while it has asked in vain, and only a job that
// has asked in vain asks again at some time.
#pragma once

#include <cstdint>
#include <optional>

#include "frameworks/mapreduce/step.hpp"
#include "proffer/time.hpp"

namespace proffer::mapreduce {

class Retries {
 public:
  /// The time from a question in vain to the next one.
  static constexpr Duration kPause = std::chrono::seconds(1);

  /// Counts a question in vain. `step` is asked a pause later; false when the job has been waiting for
  /// `patience` already, and then nothing is asked again.
  bool again(Step step, Time now, Duration patience);
  /// Notes that the catalog has said what was wanted: nothing was in vain.
  void answered();
  /// Has nothing asked again; how long it has been waiting is kept.
  void stop() { at_.reset(); }

  /// The time at which take_due() has something; none: never.
  std::optional<Time> next() const { return at_; }
  /// Takes out the step that is to be asked again by now; none while there is none.
  std::optional<Step> take_due(Time now);

  bool is_waiting() const { return since_.has_value(); }
  std::uint32_t in_vain() const { return in_vain_; }

 private:
  std::optional<Time> at_;
  Step step_ = Step::check_output;
  std::uint32_t in_vain_ = 0;
  std::optional<Time> since_;
};

}  // namespace proffer::mapreduce
