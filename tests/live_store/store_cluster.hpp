// A catalog and some agents in a thread of their own, on loopback: what the store's clients meet in real
// life.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "live/host/host.hpp"
#include "live/store/name_store.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/live/store_commands.hpp"
#include "temp_dir.hpp"
#include "test_agent.hpp"

namespace proffer::live {

struct ClusterShape {
  std::uint64_t agents = 3;
  std::uint64_t racks = 2;
  std::optional<std::uint64_t> uplink_bytes_per_s;
  ReplicationConfig replication = {};
  std::string agents_dir = {};  ///< where agents have their folders; empty: beside the catalog's
};

class StoreCluster {
 public:
  explicit StoreCluster(ClusterShape shape = {});
  ~StoreCluster();

  Context& context() { return context_; }
  /// A client of its own for the calling thread.
  std::unique_ptr<CatalogClient> client();
  std::string agent_dir(std::uint64_t n) const {
    const auto name = "agent" + std::to_string(n);
    return shape_.agents_dir.empty() ? dir_ / name : shape_.agents_dir + "/" + name;
  }
  std::string endpoint(std::uint64_t n);
  std::string catalog_endpoint() const;
  static AgentId agent_id(std::uint64_t n) { return {Bits128{n, n}}; }
  /// Blocks on all disks, half-stored ones included.
  std::size_t files_on_disks() const;

  /// Runs between two turns of the loop, and waits until it has.
  void in_loop(const std::function<void()>& work);
  void kill_agent(std::uint64_t n) {
    in_loop([&] { agents_.at(n - 1)->die(); });
  }
  void stop_serving(std::uint64_t n) {
    in_loop([&] { agents_.at(n - 1)->stop_serving(); });
  }
  /// Another catalog on the same names; agents connect to it.
  void restart_catalog();

  const TempDir& dir() const { return dir_; }

  /// Until the condition holds; a failure after ten seconds.
  static void eventually(const std::function<bool()>& condition, const std::string& what);

 private:
  class Work;
  struct CatalogPart;
  void run(std::function<void()> started);
  void start_catalog();
  void wait_for_agents();

  ClusterShape shape_;
  TempDir dir_;
  Context context_;
  Loop loop_;
  Stop stop_;
  std::unique_ptr<Work> work_;
  std::unique_ptr<CatalogPart> catalog_;
  std::vector<std::unique_ptr<TestAgent>> agents_;
  std::thread thread_;
};

}  // namespace proffer::live
