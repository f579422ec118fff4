// The framework of drivers: detached jobs, each of which is driven by a task of the cluster. A driver whose
// agent is lost, or that is killed by a signal, is started anew elsewhere; one that ends by itself is not.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proffer/frameworks/scheduler_abilities.hpp"
#include "proffer/messages/admin.hpp"
#include "proffer/resources.hpp"

namespace proffer {

/// The exit code of a driver that wants to be started again: nobody answered it, or another took its place.
inline constexpr std::int32_t kDriverAgain = 75;

/// The variable that tells a process that it drives a detached job, and how.
inline constexpr const char* kDrivingVariable = "PROFFER_DRIVING";

/// The part of a driver in its job.
struct Driving {
  FrameworkId framework;  ///< the framework that it speaks for
  Secret secret;
  std::uint32_t start = 0;  ///< number of the driver, from 1
  bool ends = false;        ///< the job was killed: it only ends what a former driver has left
};
/// Returns the value of the variable.
std::string to_text(const Driving& driving);
/// The inverse of to_text(); none for any other text.
std::optional<Driving> driving_from(const std::string& text);

/// The scheduler of drivers. It keeps notes of all jobs (Driver::keep), so that another process goes on.
class Drivers final : public Scheduler,
                      public FollowsSession,
                      public Resumes,
                      public ChangesJobs,
                      public TakesJobs {
 public:
  /// The kind of slots that drivers run on where an agent has such; else they run on map slots.
  static constexpr const char* kOwnKind = "driver";
  static constexpr const char* kOtherKind = "map";

  Drivers();
  ~Drivers() override;

  /// The slots of the whole cluster. Drivers take all of their own kind; of map slots half at most, so that
  /// there are always some for what they drive. Nothing is started before this is told. Takes effect at the
  /// next deadline(), which is now.
  void learn_slots(const Resources& total);
  /// True while learn_slots() is of use: a job waits for a slot, or runs on one of a kind not known yet.
  bool wants_slots() const;
  /// The reason for which the allocator refused the framework for good; none while it has not.
  const std::optional<Error>& refusal() const;

  void resumed(Driver& driver, std::span<const ResumedTask> tasks,
               const std::map<std::string, std::string>& notes) override;
  void started(Driver& driver) override;
  void subscribed(Driver& driver, const Subscribed& subscribed) override;
  void resource_offers(Driver& driver, const Offers& offers) override;
  void status_update(Driver& driver, const TaskStatus& status) override;
  void failed(Driver& driver, const Error& error) override;
  std::optional<Time> next_deadline() const override;
  void deadline(Driver& driver) override;
  Result<std::string> submit_job(Driver& driver, const SubmitJob& job) override;
  Result<std::vector<DetachedJob>> describe_jobs(Driver& driver, const DescribeJobs& wanted) override;
  Result<std::string> kill_job(Driver& driver, const KillJob& kill) override;
  Result<std::string> move_job(Driver& driver, const MoveJob& move) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
