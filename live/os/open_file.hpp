// Opening, reading and writing files where tasks can write. All that lies below an agent's folder is within
// the reach of its tasks, so a name there may stand for a fifo (opening one waits for ever), a link to
// elsewhere, a device or a folder.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "live/os/descriptor.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Opens the regular file of that name; never waits, and never follows a link in its place. `flags` are those
/// of open(2), without O_TRUNC and with O_CREAT where the file may be missing. `not_found`, or `io`.
Result<Descriptor> open_plain(const std::string& path, int flags);

/// Makes a new, empty file in place of whatever has that name; a folder stays, and is an error. Nothing that
/// was there is opened or written to. `flags` are those beside O_CREAT and O_EXCL. `io`.
Result<Descriptor> make_plain(const std::string& path, int flags, mode_t mode = 0600);

/// A regular file that is open. `called` names it in the messages of errors: "a file".
class OpenFile {
 public:
  /// No file: everything but moving another one here fails.
  OpenFile() = default;

  /// Opens an existing regular file for reading; a symbolic link is none. `not_found` or `io`.
  static Result<OpenFile> to_read(const std::string& path, const char* called = kAnyFile);
  /// Makes a file where there is none, for writing. `exists`, `no_space` or `io`.
  static Result<OpenFile> to_create(const std::string& path);
  /// Makes a file for writing and reading, in place of one that has that name. `no_space` or `io`.
  static Result<OpenFile> to_replace(const std::string& path, const char* called = kAnyFile);
  /// Makes a file below `folder` without a name: it is gone with its last descriptor. `not_found` when there
  /// is no such folder, `no_space` or `io`.
  static Result<OpenFile> nameless(const std::string& folder, const char* called = kAnyFile);

  int fd() const { return file_.get(); }
  Result<std::uint64_t> size() const;
  /// Reads up to `length` bytes from `offset` on into `to`; fewer only at the end of the file.
  Result<std::size_t> read_at(std::uint64_t offset, char* to, std::size_t length) const;
  /// Returns up to `length` bytes from `offset` on; fewer only at the end of the file.
  Result<std::string> read_at(std::uint64_t offset, std::size_t length) const;
  /// Appends all of `bytes`, or says why not.
  Result<> write(std::string_view bytes);
  /// Writes all of `bytes` from `offset` on, or says why not. Not for a file to which write() appends.
  Result<> write_at(std::uint64_t offset, std::string_view bytes);
  Result<> truncate(std::uint64_t size);

 private:
  static constexpr const char* kAnyFile = "a file";

  OpenFile(Descriptor file, const char* called) : file_(std::move(file)), called_(called) {}

  Descriptor file_;
  const char* called_ = kAnyFile;
};

}  // namespace proffer::live
