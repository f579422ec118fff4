#include "live/host/record_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "live/run/plain_file.hpp"
#include "live/store/crc32.hpp"
#include "live/store/open_file.hpp"

namespace proffer::live {
namespace {

constexpr std::string_view kVersion = "1";
constexpr std::size_t kLongest = 1 << 20;

Error io(const std::string& verb, const std::string& path) {
  return {ErrorCode::io, "cannot " + verb + " " + path + ": " + std::strerror(errno)};
}
/// Before anything was synced, so that a full disk has changed nothing.
Error unwritten(const std::string& path) {
  auto error = io("write", path);
  if (errno == ENOSPC || errno == EDQUOT) error.code = ErrorCode::no_space;
  return error;
}

std::string checksum(std::string_view text) {
  Crc32 crc;
  crc.add(text);
  return fmt::format("crc32 {:08x}\n", crc.value());
}

/// The values between the first line and the checksum's; none when the text is not what was written.
std::optional<Record> parse(const std::string& text, std::string_view header) {
  const auto last = text.rfind("crc32 ");
  if (last == std::string::npos || text.substr(last) != checksum(text.substr(0, last))) return {};
  std::istringstream lines(text.substr(header.size(), last - header.size()));
  Record record;
  for (std::string line; std::getline(lines, line);) {
    const auto space = line.find(' ');
    if (space == std::string::npos) return {};
    record[line.substr(0, space)] = line.substr(space + 1);
  }
  return record;
}

Result<> write_durably(const std::string& path, const std::string& text) {
  const auto file = make_plain(path, O_WRONLY);
  if (!file) return file.error();
  Result<> result;
  for (std::string_view rest = text; result && !rest.empty();) {
    const auto written = ::write(file->get(), rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      result = unwritten(path);
    }
  }
  if (result && ::fdatasync(file->get()) != 0) result = io("sync", path);
  if (!result) ::unlink(path.c_str());
  return result;
}

/// Else the new name might not survive what the file's contents would.
Result<> sync_folder(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return io("open", folder);
  auto result = ::fsync(fd) == 0 ? Result<>() : Result<>(io("sync", folder));
  ::close(fd);
  return result;
}

}  // namespace

Result<std::optional<Record>> load_record(const std::string& path, const std::string& kind) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    if (error) return Error{ErrorCode::io, "cannot read " + path + ": " + error.message()};
    return std::optional<Record>();
  }
  const auto file = OpenFile::to_read(path);
  if (!file) return file.error();
  const auto read = file->read_at(0, kLongest);
  if (!read) return read.error();
  const auto& text = *read;
  const auto magic = "proffer " + kind + " ";
  if (!text.starts_with(magic)) return Error{ErrorCode::corrupt, path + " is no file of proffer's " + kind};
  const auto header = magic + std::string(kVersion) + "\n";
  if (!text.starts_with(header)) {
    return Error{ErrorCode::version, path + " was written by another version of proffer"};
  }
  auto record = parse(text, header);
  if (!record) return Error{ErrorCode::corrupt, path + " is damaged: its checksum does not hold"};
  return record;
}

Result<> save_record(const std::string& path, const std::string& kind, const Record& record) {
  auto text = fmt::format("proffer {} {}\n", kind, kVersion);
  for (const auto& [key, value] : record) text += key + " " + value + "\n";
  text += checksum(text);
  return replace_file(path, text);
}

Result<> replace_file(const std::string& path, const std::string& text) {
  const auto fresh = path + ".new";
  if (auto written = write_durably(fresh, text); !written) return written;
  if (::rename(fresh.c_str(), path.c_str()) != 0) return unwritten(path);
  return sync_folder(std::filesystem::path(path).parent_path());
}

Result<> remove_file(const std::string& path) {
  if (::unlink(path.c_str()) == 0) return sync_folder(std::filesystem::path(path).parent_path());
  if (errno == ENOENT) return {};
  return io("remove", path);
}

}  // namespace proffer::live
