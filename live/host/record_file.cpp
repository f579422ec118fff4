#include "live/host/record_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "live/os/open_file.hpp"
#include "live/os/replace_file.hpp"
#include "live/store/crc32.hpp"

namespace proffer::live {
namespace {

constexpr std::string_view kVersion = "1";
constexpr std::size_t kLongest = 1 << 20;

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
  return replace_file_durably(path, text);
}

}  // namespace proffer::live
