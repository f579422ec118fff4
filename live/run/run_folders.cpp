#include "live/run/run_folders.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "live/os/replace_file.hpp"

namespace proffer::live {
namespace {
namespace fs = std::filesystem;

std::optional<Packet> record_in(const std::string& path, LaunchId launch, PacketType type) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  auto record = from_wire(bytes.str());
  if (!record || record->launch != launch || record->type != type) return {};
  return record;
}

}  // namespace

std::string name_of(LaunchId launch) { return std::to_string(launch.epoch) + "." + std::to_string(launch.n); }

std::optional<LaunchId> launch_of(const std::string& name) {
  LaunchId launch;
  const auto* end = name.data() + name.size();
  const auto first = std::from_chars(name.data(), end, launch.epoch);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.') return {};
  const auto second = std::from_chars(first.ptr + 1, end, launch.n);
  if (second.ec != std::errc() || second.ptr != end) return {};
  return launch;
}

Result<> RunFolders::make(LaunchId launch) const { return make_private_folders(of(launch)); }

void RunFolders::remove(LaunchId launch) const {
  std::error_code ignored;
  fs::remove_all(of(launch), ignored);
}

std::vector<LaunchId> RunFolders::all() const {
  std::vector<LaunchId> found;
  std::error_code failure;
  for (fs::directory_iterator it(dir_ + "/runs", failure), end; !failure && it != end;
       it.increment(failure)) {
    if (const auto launch = launch_of(it->path().filename().string())) found.push_back(*launch);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Result<> RunFolders::write_started(const Packet& record) const {
  return replace_file(of(record.launch) + "/started", to_wire(record));
}

Result<> RunFolders::write_exit(const Packet& record) const {
  return replace_file(of(record.launch) + "/exit", to_wire(record));
}

std::optional<Packet> RunFolders::started(LaunchId launch) const {
  return record_in(of(launch) + "/started", launch, PacketType::started);
}

std::optional<Packet> RunFolders::exit(LaunchId launch) const {
  return record_in(of(launch) + "/exit", launch, PacketType::exited);
}

}  // namespace proffer::live
