// The way from what the catalog lists to one map for each block in which records start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proffer/messages/catalog.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"
#include "proffer/topology.hpp"

namespace proffer::mapreduce {

/// The input of one map: the records that start in blocks[0]. The others are as many of its successors as its
/// last record reaches into.
struct MapInput {
  std::string path;
  std::vector<BlockRead> blocks;
};

/// Appends the files of one listing of `input`, each whole again where the listing was paged. Names below
/// `input` with a component that begins with _ or . are passed over: they are not data.
void add_files(const FilesListed& listed, std::string_view input, std::vector<FileInfo>& files);

/// Appends the maps of these files. `unreachable` when a block that is needed has no live replica.
Result<> plan_maps(const std::vector<FileInfo>& files, const std::string& token, std::vector<MapInput>& maps);

/// Appends the file that was asked for by this path, under this name. `unreachable` when a block has no
/// live replica, `invalid` when the path is a folder.
Result<> plan_cached(const FilesListed& listed, const std::string& path, const std::string& name,
                     std::vector<CachedFile>& cached);

/// Replaces the inputs by those at these positions, in their order, with an empty one for
/// SyntheticJob::kReadsNothing; without positions they stay as they are. False, and nothing is changed, when
/// there is no such position.
bool choose_blocks(const std::vector<std::uint32_t>& reads, std::vector<MapInput>& maps);

/// Puts the replicas nearest to `reader` first: its own, those of its rack, the others. Within each group
/// they begin with another one for every `turn`, so that many readers spread their load.
std::vector<Replica> nearest_first(std::vector<Replica> replicas, const AgentInfo& reader,
                                   std::uint32_t turn);

}  // namespace proffer::mapreduce
