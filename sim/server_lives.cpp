#include "sim/server_lives.hpp"

#include <utility>

#include "proffer/allocator/allocator.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/secret_source.hpp"

namespace proffer::sim {
namespace {

constexpr auto kCatalogEndpoint = "sim://catalog";

/// Puts the files of the plan into the catalog's store, with their blocks numbered from 1, file by file.
void store_files(const study::Plan& plan, storm::Image& image) {
  for (const auto& file : plan.workload.files) {
    FileInfo info{file.path, 0, plan.replication, true, {}};
    for (const auto& block : file.blocks) {
      info.blocks.push_back({image.next_block, block.bytes, 0, {}});
      ++image.next_block.value;
      info.length += block.bytes;
    }
    image.files[file.path] = std::move(info);
  }
}

}  // namespace

ServerLives::ServerLives(const study::Plan& plan, Random& random, Random& secret_seeds)
    : plan_(plan), cluster_{random.bits128()} {
  for (auto& life : lives_) {
    life.seed = random.bits();
    life.secret_seed = secret_seeds.bits();
  }
  store_files(plan, lives_[kCatalogNode].disk.image);
}

std::unique_ptr<Node> ServerLives::start(NodeNo server) {
  auto& life = lives_[server];
  const auto former = life.disk.image.starts++;
  Random random(life.seed + former);
  SecretSource secrets(Random(life.secret_seed + former));
  return server == kAllocatorNode ? start_allocator(life, std::move(random), std::move(secrets))
                                  : start_catalog(life, std::move(random), std::move(secrets));
}

std::unique_ptr<Node> ServerLives::start_allocator(const Life& life, Random random,
                                                   SecretSource secrets) const {
  auto config = plan_.allocator;
  config.heartbeat = plan_.heartbeat;
  config.catalog_endpoint = kCatalogEndpoint;
  const auto& image = life.disk.image;
  return std::make_unique<MachineNode<Allocator>>("allocator", std::move(config), cluster_,
                                                  Epoch{image.starts}, std::move(random), std::move(secrets),
                                                  image.kept());
}

std::unique_ptr<Node> ServerLives::start_catalog(const Life& life, Random random,
                                                 SecretSource secrets) const {
  CatalogConfig config;
  config.token = "simulated";
  config.heartbeat = plan_.heartbeat;
  config.replication = plan_.hot_blocks;
  const auto& image = life.disk.image;
  return std::make_unique<MachineNode<Catalog>>("catalog", std::move(config), cluster_, Epoch{image.starts},
                                                image.all_files(), image.next_block, std::move(random),
                                                std::move(secrets));
}

}  // namespace proffer::sim
