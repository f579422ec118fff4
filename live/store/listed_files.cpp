#include "live/store/listed_files.hpp"

#include <optional>

#include "live/store/patience.hpp"

namespace proffer::live {

namespace {

/// Returns why some block cannot be read now; none when every block is held by some agent.
std::optional<std::string> find_unheld(const FilesListed& listed) {
  for (const auto& file : listed.files) {
    for (const auto& block : file.blocks) {
      if (!block.replicas.empty()) continue;
      return "no agent holds block " + std::to_string(block.block.value) + " of " + file.path + " at present";
    }
  }
  return {};
}

}  // namespace

Result<FilesListed> files_with_blocks(CatalogClient& catalog, const std::string& path) {
  Patience patience(catalog.patience());
  for (;;) {
    auto answer = catalog.ask(ListFiles{.path = path, .blocks = true});
    if (!answer) return answer.error();
    auto* listed = std::get_if<FilesListed>(&*answer);
    if (!listed) return Error{ErrorCode::corrupt, "the catalog did not list " + path};
    const auto unheld = find_unheld(*listed);
    if (!unheld || !patience.again(*unheld)) return std::move(*listed);
  }
}

Result<> read_file(Fetcher& fetcher, const FileInfo& file, const std::string& token,
                   const std::function<Result<>(std::string_view)>& sink) {
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto& block = file.blocks[i];
    // Block after block from another replica first: one reader, but the load on all.
    ReplicaChoice choice;
    choice.start = i;
    bool sink_failed = false;
    const auto guarded = [&](std::string_view bytes) {
      auto taken = sink(bytes);
      sink_failed = !taken.ok();
      return taken;
    };
    auto fetched = fetcher.fetch_from(block.replicas, choice, token, block.block, 0, block.length, guarded);
    if (fetched) continue;
    if (sink_failed) return fetched;
    return Error{fetched.error().code, "block " + std::to_string(block.block.value) + " of " + file.path +
                                           " cannot be read: " + fetched.error().message};
  }
  return {};
}

}  // namespace proffer::live
