// Frameworks at work: each runs one batch of tasks after another, in a process that comes back when it is
// killed. Every task writes down its own start and end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/live/chaos.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/random.hpp"

namespace proffer::live {

/// Invariant: a batch ends once; its line in `batches.jsonl` is written then.
class Batches {
 public:
  Batches(const ChaosConfig& config, std::string allocator)
      : config_(config), allocator_(std::move(allocator)) {}

  /// Begins a first batch of every framework.
  Result<> begin(Random& random);
  /// Notes batches that have ended, and begins others in their place unless `last`. `io`.
  Result<> tend(Random& random, bool last);
  /// Sends a signal to the process of a framework.
  void signal(std::size_t framework, int number) const;
  /// Kills the process of a framework, and starts another that goes on with its batch.
  Result<> kill(std::size_t framework);

  std::size_t frameworks() const { return running_.size(); }
  /// Returns whether no batch is under way.
  bool over() const;
  std::uint64_t begun() const { return begun_; }

 private:
  struct Batch {
    std::string name;
    std::optional<Child> process;
    std::uint64_t kills = 0;
  };
  Result<> begin_one(std::size_t framework, Random& random);
  Result<> start(Batch& batch, std::vector<std::string> words) const;
  Result<> write_end(const Batch& batch, int wait_status) const;
  std::string folder(const Batch& batch) const { return config_.dir + "/batches/" + batch.name; }

  const ChaosConfig& config_;
  std::string allocator_;
  std::vector<Batch> running_;
  std::uint64_t begun_ = 0;
};

}  // namespace proffer::live
