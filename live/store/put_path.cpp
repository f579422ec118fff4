#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "live/os/open_file.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/entropy.hpp"
#include "proffer/live/store_commands.hpp"

namespace proffer::live {
namespace {

namespace fs = std::filesystem;

constexpr int kMostAgain = 3;

struct Source {
  std::string local;
  std::string path;  // the path in the store
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
  // Sorted by path: the order of a directory is an accident.
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
    planned = Error{ErrorCode::not_found, "there is no file or folder " + local + " on this machine"};
  }
  if (!planned) return planned.error();
  return plan;
}

/// Fails with `exists` when the store has something of that name.
Result<> must_be_free(CatalogClient& catalog, const std::string& path) {
  const auto listed = catalog.ask(ListFiles{.path = path});
  if (listed) return Error{ErrorCode::exists, *normal_path(path) + " exists in the store"};
  if (listed.error().code != ErrorCode::not_found) return listed.error();
  return {};
}

/// Copies one file after the other, below a name of ours beside the target; jobs pass over names that begin
/// with _.
class Copying {
 public:
  Copying(Context& context, CatalogClient& catalog, const StoreOptions& options, const std::string& target)
      : context_(context), catalog_(catalog), options_(options), target_(target) {
    const auto slash = target.rfind('/');
    below_ = target.substr(0, slash) + "/_temporary-" + random_token().substr(0, 16);
  }

  Result<PutReport> run(const Plan& plan, const Progress& progress, const Stop* stop) {
    report_.skipped = plan.skipped;
    const auto moved = [&](std::uint64_t bytes) -> Result<> {
      report_.bytes += bytes;
      if (progress) progress(report_.bytes, plan.bytes);
      if (stop == nullptr || !stop->requested()) return {};
      return Error{ErrorCode::refused, "stopped; nothing was put"};
    };
    Result<> done;
    for (const auto& source : plan.files) {
      done = copy_or_again(source, moved);
      if (!done) break;
    }
    if (done) done = publish();
    if (done) return report_;
    // Best effort: the error that matters is the one that brought us here.
    static_cast<void>(catalog_.ask(RemoveFiles{0, below_}));
    return as_asked(done.error());
  }

 private:
  /// People know the target by the name that they gave it.
  Error as_asked(Error error) const {
    if (const auto at = error.message.find(below_); at != std::string::npos) {
      error.message.replace(at, below_.size(), target_);
    }
    return error;
  }

  /// A catalog that was started again has forgotten the file that was being written.
  Result<> copy_or_again(const Source& source, const std::function<Result<>(std::uint64_t)>& moved) {
    const auto before = report_;
    auto done = copy(source, moved);
    for (int again = 0; again < kMostAgain && !done && lost_; ++again) {
      report_ = before;
      done = copy(source, moved);
    }
    return done;
  }

  Result<> copy(const Source& source, const std::function<Result<>(std::uint64_t)>& moved) {
    lost_ = false;
    auto file = FileWriter::create(context_, catalog_, below_ + source.path.substr(target_.size()), options_);
    if (!file) return file.error();
    auto copied = copy_bytes(source, **file, moved);
    lost_ = !copied && (*file)->lost() && copied.error().code == ErrorCode::not_found;
    ++report_.files;
    report_.blocks += (*file)->report().blocks;
    report_.missing_replicas += (*file)->report().missing_replicas;
    return copied;
  }

  /// Renames the copy to the target, so that all of it appears at once.
  Result<> publish() {
    const auto renamed = catalog_.ask(RenameFiles{0, {{below_, target_}}});
    if (renamed) return {};
    // An earlier one that was not answered has moved it already, if nothing is left to be moved.
    const bool is_moved = catalog_.repeated() && renamed.error().code == ErrorCode::not_found &&
                          catalog_.ask(ListFiles{.path = target_}).ok();
    return is_moved ? Result<>() : Result<>(renamed.error());
  }

  static Result<> copy_bytes(const Source& source, FileWriter& file,
                             const std::function<Result<>(std::uint64_t)>& moved) {
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
      if (auto on = moved(bytes->size()); !on) return on;
    }
  }

  Context& context_;
  CatalogClient& catalog_;
  const StoreOptions& options_;
  const std::string& target_;
  std::string below_;
  PutReport report_;
  bool lost_ = false;  // the file that was being written
};

}  // namespace

Result<PutReport> put_path(Context& context, CatalogClient& catalog, const std::string& local,
                           const std::string& path, const StoreOptions& options, const Progress& progress,
                           const Stop* stop) {
  const auto target = normal_path(path);
  if (!target) return target.error();
  const auto plan = make_plan(local, *target);
  if (!plan) return plan.error();
  if (auto free = must_be_free(catalog, *target); !free) return free.error();
  return Copying(context, catalog, options, *target).run(*plan, progress, stop);
}

}  // namespace proffer::live
