#include "live/worker/file_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

#include "live/os/io_error.hpp"
#include "live/os/open_file.hpp"
#include "live/os/replace_file.hpp"
#include "live/worker/split_reader.hpp"

namespace proffer::live {
namespace {

namespace fs = std::filesystem;

// The most waits for other tasks: each has fetched its file after one, so more means that a file cannot be
// deleted.
constexpr int kMostWaits = 1000;

/// Locks a file until the descriptor is closed. `operation` as flock has it; with LOCK_NB an error when
/// somebody else holds it.
Result<Descriptor> lock_file(const std::string& path, int operation) {
  for (;;) {
    auto file = open_plain(path, O_RDWR | O_CREAT);
    if (!file) return file.error();
    while (::flock(file->get(), operation) != 0) {
      if (errno != EINTR) return io_error("cannot lock " + path);
    }
    struct stat about {};
    if (::fstat(file->get(), &about) == 0 && about.st_nlink > 0) return file;
    // The task that held the lock has deleted its file: the next one to come would lock another file.
  }
}

/// Returns the name under which a file is kept. Blocks are numbered within a store, which its token stands
/// for.
std::string name_of(const BlockRead& first) {
  return fmt::format("{:016x}-{}", boost::hash<std::string>()(first.token), first.block.value);
}

struct Kept {
  std::string path;
  std::string lock;
  fs::file_time_type used;
  std::uint64_t bytes = 0;
};

/// Returns files and those that are being fetched, the ones used longest ago first.
std::vector<Kept> kept_in(const std::string& dir) {
  std::vector<Kept> all;
  std::error_code error;
  for (fs::directory_iterator entry(dir, error), end; !error && entry != end; entry.increment(error)) {
    const auto extension = entry->path().extension();
    if (!extension.empty() && extension != ".part") continue;
    if (entry->path().stem() == ".lock") continue;
    std::error_code gone;
    Kept kept{entry->path().string(), (entry->path().parent_path() / entry->path().stem()).string() + ".lock",
              entry->last_write_time(gone), 0};
    kept.bytes = gone ? 0 : entry->file_size(gone);
    if (!gone) all.push_back(std::move(kept));
  }
  std::sort(all.begin(), all.end(), [](const Kept& a, const Kept& b) {
    return a.used != b.used ? a.used < b.used : a.path < b.path;
  });
  return all;
}

/// Drops a kept file; false when another task takes or fetches it just now.
bool drop(const Kept& kept) {
  const auto lock = lock_file(kept.lock, LOCK_EX | LOCK_NB);
  if (!lock || ::unlink(kept.path.c_str()) != 0) return false;
  ::unlink(kept.lock.c_str());
  return true;
}

/// Drops files used longest ago until no more than `most` bytes are kept; returns the lock of one that cannot
/// go yet where that is not enough.
std::optional<std::string> drop_until_free(const std::string& dir, std::uint64_t most) {
  const auto all = kept_in(dir);
  std::uint64_t used = 0;
  for (const auto& kept : all) used += kept.bytes;
  std::optional<std::string> in_use;
  for (const auto& kept : all) {
    if (used <= most) return {};
    if (drop(kept)) {
      used -= kept.bytes;
    } else if (!in_use) {
      in_use = kept.lock;
    }
  }
  return used <= most ? std::nullopt : in_use;
}

Result<OpenFile> make_part(const std::string& part, std::uint64_t bytes) {
  auto file = OpenFile::to_replace(part, kTaskFile);
  if (!file) return file.error();
  if (::ftruncate(file->fd(), static_cast<off_t>(bytes)) != 0) return io_error("cannot make " + part);
  return file;
}

}  // namespace

CachedFiles::~CachedFiles() {
  for (const auto& link : links_) ::unlink(link.c_str());
}

Result<> CachedFiles::add(const CachedFile& file, Fetcher& fetcher) {
  auto added = add_file(file, fetcher);
  if (added) return {};
  return Error{added.error().code,
               "the cached file " + file.name + " cannot be had: " + added.error().message};
}

Result<> CachedFiles::add_file(const CachedFile& file, Fetcher& fetcher) {
  const auto link = sandbox_ + "/" + file.name;
  if (file.blocks.empty()) {
    links_.push_back(link);
    return replace_file(link, "");
  }
  if (config_.dir.empty()) return Error{ErrorCode::invalid, "this agent keeps none (PROFFER_CACHE_DIR)"};
  if (auto made = make_private_folders(config_.dir); !made) return made;
  const auto kept = config_.dir + "/" + name_of(file.blocks.front());
  const auto lock = lock_file(kept + ".lock", LOCK_EX);
  if (!lock) return lock.error();
  auto taken = take(kept, link, file.bytes());
  if (taken && !*taken) {
    const auto part = kept + ".part";
    if (auto fetched = fetch(file, part, fetcher); !fetched) {
      ::unlink(part.c_str());
      return fetched;
    }
    if (auto renamed = rename_whole(part, kept); !renamed) return renamed;
    taken = take(kept, link, file.bytes());
  }
  if (!taken) return taken.error();
  if (!*taken) return Error{ErrorCode::corrupt, "it is not as long as its blocks"};
  links_.push_back(link);
  return {};
}

Result<bool> CachedFiles::take(const std::string& kept, const std::string& link, std::uint64_t bytes) const {
  struct stat about {};
  if (::lstat(kept.c_str(), &about) != 0) {
    if (errno == ENOENT) return false;
    return io_error("cannot look at " + kept);
  }
  if (!S_ISREG(about.st_mode) || static_cast<std::uint64_t>(about.st_size) != bytes) {
    ::unlink(kept.c_str());
    return false;
  }
  if (::link(kept.c_str(), link.c_str()) != 0) return io_error("cannot make " + link);
  ::utimensat(AT_FDCWD, kept.c_str(), nullptr, 0);  // used now
  return true;
}

Result<> CachedFiles::fetch(const CachedFile& file, const std::string& part, Fetcher& fetcher) {
  auto opened = make_room(part, file.bytes());
  if (!opened) return opened.error();
  FileAppender out(std::move(*opened));
  for (auto block : file.blocks) {
    block.first_record = 0;  // all of it
    const std::vector<BlockRead> whole{std::move(block)};
    SplitReader reader(whole, config_.blocks_dir, fetcher);
    auto read = reader.read([&out](std::string_view bytes) { return out.append(bytes); });
    local_bytes_ += reader.local_bytes();
    remote_bytes_ += reader.remote_bytes();
    if (!read) return read;
  }
  if (auto flushed = out.flush(); !flushed) return flushed;
  // The part is synced before it gets its name: a task that finds the file after a crash would take it as it
  // is. It is made read-only, too: nobody may write into what others read.
  if (::fsync(out.file().fd()) != 0 || ::fchmod(out.file().fd(), 0400) != 0) {
    return io_error("cannot write " + part);
  }
  return {};
}

/// Makes the part, as long as it will be from the start, so that others count it. Whoever fills the cache has
/// room himself, so waiting for him ends.
Result<OpenFile> CachedFiles::make_room(const std::string& part, std::uint64_t bytes) const {
  if (bytes > config_.max_bytes) {
    return Error{ErrorCode::invalid, "it has " + std::to_string(bytes) +
                                         " bytes, and the agent's setting cache is " +
                                         std::to_string(config_.max_bytes)};
  }
  for (int waits = 0; waits < kMostWaits; ++waits) {
    std::optional<std::string> in_use;
    {
      const auto lock = lock_file(config_.dir + "/.lock", LOCK_EX);
      if (!lock) return lock.error();
      ::unlink(part.c_str());
      in_use = drop_until_free(config_.dir, config_.max_bytes - bytes);
      if (!in_use) return make_part(part, bytes);
    }
    const auto waited = lock_file(*in_use, LOCK_EX);
    if (!waited) return waited.error();
  }
  return Error{ErrorCode::slow_down, "files that other tasks fetch fill the agent's cache"};
}

}  // namespace proffer::live
