#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "live/store/open_file.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/store_commands.hpp"
#include "proffer/storage/catalog.hpp"

namespace proffer::live {
namespace {

namespace fs = std::filesystem;

struct Source {
  std::string local;
  std::string path;  // in the store
  std::uint64_t length = 0;
};

struct Plan {
  std::vector<Source> files;
  std::uint64_t bytes = 0;
  std::uint64_t skipped = 0;
};

Error unreadable(const std::string& local, const std::error_code& error) {
  return {ErrorCode::io, "cannot read " + local + ": " + error.message()};
}

Result<> plan_file(Plan& plan, const fs::path& local, const std::string& path) {
  auto normal = normal_path(path);
  if (!normal) return normal.error();
  std::error_code error;
  const auto length = fs::file_size(local, error);
  if (error) return unreadable(local.string(), error);
  plan.files.push_back({local.string(), std::move(*normal), length});
  plan.bytes += length;
  return {};
}

Result<> plan_folder(Plan& plan, const fs::path& local, const std::string& path) {
  std::error_code error;
  for (fs::recursive_directory_iterator entry(local, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) continue;
    if (!entry->is_regular_file(ignored)) {
      ++plan.skipped;
      continue;
    }
    const auto below = entry->path().lexically_relative(local).generic_string();
    if (auto planned = plan_file(plan, entry->path(), path + "/" + below); !planned) return planned;
  }
  if (error) return unreadable(local.string(), error);
  if (plan.files.empty()) return Error{ErrorCode::not_found, "there is no file in " + local.string()};
  // By path: the order of a directory is an accident.
  std::sort(plan.files.begin(), plan.files.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return {};
}

Result<Plan> make_plan(const std::string& local, const std::string& path) {
  std::error_code error;
  const auto status = fs::status(local, error);
  Plan plan;
  Result<> planned;
  if (fs::is_regular_file(status)) {
    planned = plan_file(plan, local, path);
  } else if (fs::is_directory(status)) {
    planned = plan_folder(plan, local, path);
  } else if (fs::exists(status)) {
    planned = Error{ErrorCode::invalid, local + " is neither a file nor a folder"};
  } else {
    planned = Error{ErrorCode::not_found, "there is no " + local};
  }
  if (!planned) return planned.error();
  return plan;
}

/// `exists` when the store has something of that name.
Result<> must_be_free(CatalogClient& catalog, const std::string& path) {
  const auto listed = catalog.ask(ListFiles{0, path, false});
  if (listed) return Error{ErrorCode::exists, *normal_path(path) + " exists in the store"};
  if (listed.error().code != ErrorCode::not_found) return listed.error();
  return {};
}

Result<> copy(const Source& source, FileWriter& file, const std::function<void(std::uint64_t)>& moved) {
  std::error_code error;
  const auto real = fs::canonical(source.local, error);  // links are followed
  if (error) return unreadable(source.local, error);
  auto input = OpenFile::to_read(real.string());
  if (!input) return input.error();
  for (std::uint64_t at = 0;;) {
    const auto bytes = input->read_at(at, limits::kChunkBytes);
    if (!bytes) return bytes.error();
    if (bytes->empty()) return file.close();
    if (auto written = file.write(*bytes); !written) return written;
    at += bytes->size();
    moved(bytes->size());
  }
}

}  // namespace

Result<PutReport> put_path(Context& context, CatalogClient& catalog, const std::string& local,
                           const std::string& path, const StoreOptions& options, const Progress& progress) {
  const auto target = normal_path(path);
  if (!target) return target.error();
  const auto plan = make_plan(local, *target);
  if (!plan) return plan.error();
  if (auto free = must_be_free(catalog, *target); !free) return free.error();
  PutReport report;
  report.skipped = plan->skipped;
  std::vector<std::string> created;
  const auto moved = [&](std::uint64_t bytes) {
    report.bytes += bytes;
    if (progress) progress(report.bytes, plan->bytes);
  };
  for (const auto& source : plan->files) {
    auto file = FileWriter::create(context, catalog, source.path, options);
    Result<> copied = file ? copy(source, **file, moved) : Result<>(file.error());
    if (file) created.push_back(source.path);
    if (!copied) {
      // Best effort: the error that matters is the one that brought us here.
      for (const auto& done : created) static_cast<void>(catalog.ask(RemoveFiles{0, done}));
      return copied.error();
    }
    ++report.files;
    report.blocks += (*file)->report().blocks;
    report.missing_replicas += (*file)->report().missing_replicas;
  }
  return report;
}

}  // namespace proffer::live
