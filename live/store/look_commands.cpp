// cat, ls and rm.
#include <algorithm>

#include "live/store/listed_files.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/live/store_commands.hpp"

namespace proffer::live {
namespace {

/// Returns the entry under which `folder` lists `file`: the file itself, or the folder directly below
/// `folder` that it lies in.
StoreEntry seen_from(const std::string& folder, const FileInfo& file) {
  const auto prefix = folder == "/" ? folder : folder + "/";
  const auto slash = file.path.starts_with(prefix) ? file.path.find('/', prefix.size()) : std::string::npos;
  if (slash == std::string::npos) return {file.path, false, file.length, 1, file.replication};
  return {file.path.substr(0, slash), true, file.length, 1, 0};
}

}  // namespace

Result<> cat_path(Context& context, CatalogClient& catalog, const std::string& path, Duration timeout,
                  const std::function<Result<>(std::string_view)>& sink) {
  const auto listed = files_with_blocks(catalog, path);
  if (!listed) return listed.error();
  Fetcher fetcher(context, timeout);
  for (const auto& file : listed->files) {
    if (auto read = read_file(fetcher, file, listed->token, sink); !read) return read;
  }
  return {};
}

Result<std::vector<StoreEntry>> list_path(CatalogClient& catalog, const std::string& path, bool recursive) {
  const auto folder = normal_path(path);
  if (!folder) return folder.error();
  const auto answer = catalog.ask(ListFiles{.path = *folder});
  if (!answer) return answer.error();
  const auto* listed = std::get_if<FilesListed>(&*answer);
  if (!listed) return Error{ErrorCode::corrupt, "the catalog did not list " + *folder};
  std::vector<StoreEntry> entries;
  for (const auto& file : listed->files) {
    auto entry =
        recursive ? StoreEntry{file.path, false, file.length, 1, file.replication} : seen_from(*folder, file);
    // Files of one folder follow each other, since they come in order of path.
    if (entry.is_folder && !entries.empty() && entries.back().path == entry.path) {
      entries.back().length += entry.length;
      ++entries.back().files;
    } else {
      entries.push_back(std::move(entry));
    }
  }
  // "/a/x" comes after "/a-b", but "/a" before it.
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return entries;
}

Result<> remove_path(CatalogClient& catalog, const std::string& path) {
  const auto normal = normal_path(path);
  if (!normal) return normal.error();
  if (*normal == "/")
    return Error{ErrorCode::refused, "the whole store is not removed at once; name a file or folder"};
  const auto removed = catalog.ask(RemoveFiles{0, *normal});
  // An earlier one that was not answered may be why nothing is there.
  if (!removed && catalog.repeated() && removed.error().code == ErrorCode::not_found) return {};
  if (!removed) return removed.error();
  return {};
}

}  // namespace proffer::live
