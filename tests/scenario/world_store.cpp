// The catalog, and those who read and write the store in a script's stead.
#include <stdexcept>
#include <utility>

#include "tests/scenario/world.hpp"

namespace proffer::scenario {
namespace {

constexpr std::uint64_t kBlockBytes = 1000;

void expect_done(const Message& answer) {
  const auto* done = std::get_if<CatalogDone>(&answer);
  if (done != nullptr && done->error) throw std::invalid_argument(done->error->message);
}

}  // namespace

void World::start_catalog(const ReplicationConfig& replication) {
  CatalogConfig config;
  config.replication = replication;
  config.token = "token";
  catalog_ =
      std::make_unique<Catalog>(std::move(config), ClusterId{{1, 1}}, Epoch{1}, std::vector<FileInfo>{},
                                BlockId{1}, Random(next_seed_++), SecretSource(Random(1)));
  ask("catalog", CatalogHello{});
}

void World::write_file(const std::string& path, const std::vector<std::string>& holders) {
  expect_done(ask("catalog", CreateFile{1, path, 1}));
  for (const auto& holder : holders) {
    const auto answer = ask("catalog", AddBlock{2, path, names_.agent(holder)});
    expect_done(answer);
    const auto block = std::get<BlockAllocated>(answer).block;
    step(holder, BlockStored{block, kBlockBytes});
    deliver();
    expect_done(ask("catalog", SealBlock{3, path, block, kBlockBytes, 0}));
  }
  expect_done(ask("catalog", CompleteFile{4, path}));
}

void World::store(const std::string& agent, BlockId block) { step(agent, BlockStored{block, kBlockBytes}); }

void World::fail_fetch(const std::string& agent, BlockId block) {
  step(agent, BlockNotFetched{block, {ErrorCode::unreachable, "no agent that holds it is there"}});
}

std::vector<FileInfo> World::files(const std::string& below) {
  const auto answer = ask("catalog", ListFiles{5, below, false});
  expect_done(answer);
  return std::get<FilesListed>(answer).files;
}

void World::remove_files(const std::string& below) { expect_done(ask("catalog", RemoveFiles{6, below})); }

void World::set_room(const std::string& server, Room room) {
  step(server, StoreRoom{room, room == Room::plenty ? "" : "its file: No space left on device"});
}

ResultPtr World::made_by(const Work& work) {
  if (const auto* map = std::get_if<MapWork>(&work)) {
    if (map->partitions == 0) write_file(map->output.path, {});
    MapResult result;
    result.partitions.resize(map->partitions);
    return std::make_shared<const TaskResult>(std::move(result));
  }
  if (const auto* reduce = std::get_if<ReduceWork>(&work)) {
    write_file(reduce->output.path, {});
    return std::make_shared<const TaskResult>(ReduceResult{});
  }
  return nullptr;
}

}  // namespace proffer::scenario
