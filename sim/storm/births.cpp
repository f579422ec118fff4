#include "sim/storm/births.hpp"

#include <fmt/format.h>

#include <utility>

#include "proffer/agent/agent.hpp"
#include "proffer/allocator/allocator.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/frameworks/framework.hpp"

namespace proffer::sim::storm {
namespace {

constexpr ClusterId kCluster{Bits128{0xc105, 1}};

AllocatorPool pool(const char* name) {
  AllocatorPool pool;
  pool.share.name = name;
  return pool;
}

}  // namespace

Resources slots_of(const AgentPlan& agent) {
  Resources slots;
  slots.set(Kind{"map"}, agent.maps);
  slots.set(Kind{"reduce"}, agent.reduces);
  return slots;
}

std::unique_ptr<AnyMachine> make_allocator(const Image& image, Random random) {
  AllocatorConfig config;
  config.pools = image.pools ? *image.pools : std::vector{pool("a"), pool("b")};
  config.default_pool = "a";
  config.catalog_endpoint = "tcp://catalog:1";
  SecretSource secrets(Random(random.bits()));
  return std::make_unique<Driven<Allocator>>(std::move(config), kCluster, Epoch{image.starts},
                                             Random(random.bits()), std::move(secrets), image.kept());
}

std::unique_ptr<AnyMachine> make_catalog(const Image& image, Random random) {
  CatalogConfig config;
  config.token = "token";
  SecretSource secrets(Random(random.bits()));
  return std::make_unique<Driven<Catalog>>(std::move(config), kCluster, Epoch{image.starts},
                                           image.all_files(), image.next_block, Random(random.bits()),
                                           std::move(secrets));
}

void mint_identity(Image& image, Random random) {
  if (!image.agent.value.is_nil()) return;
  SecretSource secrets(Random(random.bits()));
  image.agent = {random.bits128()};
  image.secret = secrets.secret();
  image.catalog_secret = secrets.secret();
}

std::unique_ptr<AnyMachine> make_agent(const AgentPlan& plan, HostNo host, const std::string& boot,
                                       const Image& image, Random random) {
  AgentConfig config;
  config.id = image.agent;
  config.secret = image.secret;
  config.catalog_secret = image.catalog_secret;
  config.name = fmt::format("agent-{}", host + 1);
  config.rack = fmt::format("r{}", host % 3 + 1);
  config.data_endpoint = fmt::format("tcp://{}:1", config.name);
  config.slots = slots_of(plan);
  config.run = image.starts;
  config.boot = boot;
  std::vector<std::pair<BlockId, std::uint64_t>> no_blocks;
  return std::make_unique<Driven<Agent>>(std::move(config), std::move(no_blocks), std::move(random),
                                         image.kept());
}

std::unique_ptr<AnyMachine> make_framework(const FrameworkPlan& plan, const std::string& name,
                                           Scheduler& scheduler, const Image& image, Random random) {
  FrameworkConfig config;
  config.name = name;
  config.pool = name.size() % 2 == 0 ? "a" : "b";
  config.user = "somebody";
  config.failover_timeout = plan.failover;
  config.keeps = true;
  return std::make_unique<Driven<Framework>>(std::move(config), scheduler, std::move(random), image.kept());
}

}  // namespace proffer::sim::storm
