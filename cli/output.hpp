// The output of commands: tables for people, JSON for programs; data on stdout, chatter on stderr.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "proffer/result.hpp"

namespace proffer::cli {

/// A table: columns are padded to their widest cell, two spaces apart; cells that look like numbers are set
/// right, and control characters show as '?'.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Prints "proffer: <sentence>" on stderr; returns the exit code for that kind of error.
int report(const Error& error);
int usage_error(const std::string& sentence);

/// Writes a file so that it is there whole or as it was before; `io`.
Result<> write_whole(const std::string& path, const std::string& text);

inline constexpr std::size_t kColumns = 100;  // width of a terminal
/// Breaks the text into lines of at most `columns`, all but the first behind `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = kColumns);

/// Formats a size, as "1.5 MiB".
std::string human_bytes(std::uint64_t bytes);

}  // namespace proffer::cli
