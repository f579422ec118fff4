#include "store_cluster.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>

#include "live/store/data_mailbox.hpp"

namespace proffer::live {

/// Functions for the loop's thread.
class StoreCluster::Work final : public LoopPart {
 public:
  void add(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      work_.push_back(std::move(work));
    }
    signal_.notify();
  }
  void prepare(PollSet& polled) override { polled.add_fd(signal_.fd()); }
  void turn(const Readiness&, Time) override {
    signal_.clear();
    std::vector<std::function<void()>> todo;
    {
      const std::lock_guard lock(mutex_);
      todo.swap(work_);
    }
    for (const auto& work : todo) work();
  }

 private:
  std::mutex mutex_;
  std::vector<std::function<void()>> work_;
  EventFd signal_;
};

/// The catalog with its host and its names; a part of the loop that can be exchanged for another.
struct StoreCluster::CatalogPart final : public LoopPart, private Effects {
  CatalogPart(Context& context, Loop& loop, const std::string& names_path,
              const ReplicationConfig& replication, std::uint64_t seed)
      : names(NameStore::open(names_path)),
        catalog(config_of(replication), ClusterId{Bits128{1, 1}}, Epoch{seed}, (*names)->files(),
                (*names)->next_block(), Random(seed), SecretSource(Random(seed))),
        drive(catalog),
        host(context, loop, drive, *this) {
    auto port = BoundPort::bind(context, "tcp://127.0.0.1:0");
    PROFFER_CHECK(port.ok(), port ? "" : port.error().message);
    endpoint = (*port)->endpoint();
    host.serve(std::move(*port));
  }
  static CatalogConfig config_of(const ReplicationConfig& replication) {
    CatalogConfig config;
    config.token = "the store's token";
    config.replication = replication;
    return config;
  }
  void on_trace(const Trace& trace, Time) override {
    if (std::holds_alternative<AgentRegistered>(trace)) ++registered;
  }
  Result<> persist(const Persist& change) override { return (*names)->apply(change); }
  Result<> commit() override { return (*names)->commit(); }
  void prepare(PollSet& polled) override { host.prepare(polled); }
  void turn(const Readiness& ready, Time now) override { host.turn(ready, now); }

  Result<std::unique_ptr<NameStore>> names;
  Catalog catalog;
  MachineAdapter<Catalog> drive;
  Host host;
  std::string endpoint;
  std::atomic<std::uint64_t> registered{0};
};

namespace {

/// Stands in the loop for a part that comes and goes.
template <class Part>
class Slot final : public LoopPart {
 public:
  explicit Slot(std::unique_ptr<Part>& part) : part_(part) {}
  void prepare(PollSet& polled) override {
    if (part_) part_->prepare(polled);
  }
  void turn(const Readiness& ready, Time now) override {
    if (part_) part_->turn(ready, now);
  }

 private:
  std::unique_ptr<Part>& part_;
};

}  // namespace

StoreCluster::StoreCluster(ClusterShape shape) : shape_(shape), work_(std::make_unique<Work>()) {
  std::promise<void> started;
  auto ready = started.get_future();
  thread_ = std::thread([this, &started] { run([&started] { started.set_value(); }); });
  ready.get();
  wait_for_agents();
}

/// All ports are made here, since they belong to the thread that makes them, and end here as well.
void StoreCluster::run(std::function<void()> started) {
  start_catalog();
  for (std::uint64_t n = 1; n <= shape_.agents; ++n) {
    const auto rack = "r" + std::to_string(n % shape_.racks);
    agents_.push_back(std::make_unique<TestAgent>(
        context_, TestAgent::Config{n, rack, agent_dir(n), shape_.uplink_bytes_per_s}, catalog_->endpoint));
  }
  Slot<CatalogPart> catalog(catalog_);
  loop_.add(*work_);
  loop_.add(catalog);
  for (const auto& agent : agents_) loop_.add(*agent);
  started();
  EXPECT_TRUE(loop_.run(stop_).ok());
  agents_.clear();
  catalog_.reset();
}

void StoreCluster::start_catalog() {
  const auto seed = catalog_ ? std::uint64_t{2} : std::uint64_t{1};
  catalog_.reset();
  catalog_ = std::make_unique<CatalogPart>(context_, loop_, dir_ / "names", shape_.replication, seed);
}

void StoreCluster::restart_catalog() {
  in_loop([this] {
    start_catalog();
    for (const auto& agent : agents_) agent->connect(catalog_->endpoint);
  });
  wait_for_agents();
}

void StoreCluster::wait_for_agents() {
  eventually([this] { return catalog_->registered >= shape_.agents; }, "all agents are with the catalog");
}

StoreCluster::~StoreCluster() {
  stop_.request();
  thread_.join();
}

void StoreCluster::in_loop(const std::function<void()>& work) {
  std::promise<void> done;
  work_->add([&] {
    work();
    done.set_value();
  });
  done.get_future().get();
}

std::unique_ptr<CatalogClient> StoreCluster::client() {
  auto client = CatalogClient::connect(context_, catalog_->endpoint, std::chrono::seconds(10));
  PROFFER_CHECK(client.ok(), client ? "" : client.error().message);
  return std::move(*client);
}

std::string StoreCluster::endpoint(std::uint64_t n) { return agents_.at(n - 1)->endpoint(); }

std::string StoreCluster::catalog_endpoint() const { return catalog_->endpoint; }

std::size_t StoreCluster::files_on_disks() const {
  std::size_t files = 0;
  for (std::uint64_t n = 1; n <= shape_.agents; ++n)
    files += TempDir::names_in(agent_dir(n) + "/blocks").size();
  return files;
}

void StoreCluster::eventually(const std::function<bool()>& condition, const std::string& what) {
  const auto deadline = steady_now() + std::chrono::seconds(30);
  while (!condition()) {
    if (steady_now() > deadline) {
      ADD_FAILURE() << "never: " << what;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace proffer::live
