// The jobs of a pool of tasks: what each has waiting and running of each kind, and in what order they come.
//
// Invariant: the share tree knows of each job what it wants and uses of each kind; an order that is not stale
// is the tree's.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frameworks/pool/task_index.hpp"
#include "proffer/bulk.hpp"
#include "proffer/frameworks/task_pool.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

class JobShares {
 public:
  /// The tasks of one job and kind.
  struct Share {
    mutable TaskIndex unlaunched;  ///< looking at it may tidy it
    std::int64_t running = 0;
    std::int64_t committing = 0;  ///< tasks that have ended, and still count in the order

    std::int64_t demand() const { return static_cast<std::int64_t>(unlaunched.size()) + running; }
  };

  explicit JobShares(ShareBy by) : tree_(by), dominant_(by == ShareBy::dominant) {}

  /// The tree of pools and jobs. Call set_capacity() before asking it for shares.
  ShareTree& tree() { return tree_; }
  const ShareTree& tree() const { return tree_; }
  /// Sets the number of slots of the kind that the tree divides into shares, until the next call.
  void set_capacity(Kind kind, std::int64_t slots);

  /// A new job comes after all others. A pool that there is not counts as none.
  void add(JobId job, std::string name, const JobPlace& place);
  /// Moves a job into a pool that there is.
  void move(JobId job, std::string_view pool);
  /// Removes a job that has no tasks.
  void remove(JobId job);

  /// The job's leaf in the tree. Aborts when there is no such job.
  LeafId leaf_of(JobId job) const { return find_job(job).leaf; }
  bool contains(JobId job) const { return jobs_.contains(job); }
  JobId job_of(LeafId leaf) const { return by_leaf_[leaf.value]; }
  /// The tasks of a job; none for a job that is not here, or has never had a task of the kind.
  const Share* find(JobId job, Kind kind) const;
  /// The tasks of a job, perhaps none yet. Aborts when there is no such job.
  const Share& at(JobId job, Kind kind) { return find_job(job).shares[kind]; }

  /// Applies a change to the share of a job, and returns what that does. Every change of how many tasks wait
  /// or run goes through here, so that the tree follows.
  template <class Apply>
  auto change(JobId job, Kind kind, Apply&& apply) {
    auto& owner = find_job(job);
    auto& share = owner.shares[kind];
    auto result = apply(share);
    note_change(owner, kind, share);
    return result;
  }
  /// Has a task that has ended count on until then. Times never fall from call to call.
  void count_on(JobId job, Kind kind, Time until);
  /// Ends the counting that was to last until `now` or less.
  void settle_commits(Time now);
  /// Takes an unlaunched task back; none when the job has none of that id.
  std::optional<PendingTask> take_back(JobId job, const TaskId& task);

  /// Jobs in the order in which they get a slot of the kind. Valid until the next change.
  std::span<const JobId> in_order(Kind kind);
  /// Sets the number of slots of the kind that the framework is entitled to. Limits of users and dominant
  /// shares are computed from it.
  void entitle(Kind kind, std::int64_t slots);
  /// Has the tree divide what the framework is entitled to of all kinds that are ranked with this one.
  void use_entitlements(Kind kind);
  /// Returns what a task of the job takes: a slot of the kind, or the bulk resources that the job named.
  Resources need(JobId job, Kind kind) const;
  /// The most, and the least, of each bulk kind that an unlaunched task takes.
  struct Needs {
    Resources most;
    Resources least;
  };
  Needs needs() const;
  /// Returns the fewest cpus that a task of any job takes; 1 where none takes any.
  std::int64_t least_cpus() const;
  /// Kinds that some job has had a task of, or that the framework was entitled to, in order.
  std::vector<Kind> kinds() const;

  /// Aborts unless the invariant holds.
  void check_invariants();

 private:
  struct Job {
    std::string name;
    LeafId leaf;
    std::map<Kind, Share> shares;
    Resources need = {};  ///< bulk resources of a task
    Resources takes(Kind kind) const { return is_bulk(kind) ? need : Resources{{kind, 1}}; }
  };
  /// The tree's order of one kind, put down when somebody asks for it.
  struct Order {
    std::vector<JobId> jobs;
    bool stale = true;
    std::int64_t entitled = 0;  ///< slots; only of matter where the order goes by them
  };

  Job& find_job(JobId job);
  const Job& find_job(JobId job) const;
  void note_change(const Job& job, Kind kind, const Share& share);
  /// Marks all orders as stale.
  void reshaped();
  /// True when the order rests on the slots that the framework is entitled to.
  bool ordered_by_entitlement(Kind kind) const { return dominant(kind) || tree_.any_user_limit(); }
  /// True when what is used of other kinds counts in the order of this one.
  bool dominant(Kind kind) const { return dominant_ || is_bulk(kind); }
  std::vector<JobId> order_now(Kind kind);

  ShareTree tree_;
  bool dominant_;
  std::map<JobId, Job> jobs_;
  std::vector<JobId> by_leaf_;
  std::map<Kind, Order> orders_;
  struct Commit {
    Time until;
    JobId job;
    Kind kind;
  };
  std::deque<Commit> commits_;  ///< of jobs that may have gone since
  std::uint64_t next_submitted_ = 0;
};

}  // namespace proffer::frameworks
