// What commands print: tables for people, JSON for programs; data on stdout, chatter on stderr.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "proffer/result.hpp"

namespace proffer::cli {

/// Columns padded to their widest cell, two spaces apart; cells that look like numbers are set right, and
/// control characters show as '?'.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// "proffer: <sentence>" on stderr, and the exit code that its kind of error has.
int report(const Error& error);
int usage_error(const std::string& sentence);

/// A file that is there whole or as it was before; `io`.
Result<> write_whole(const std::string& path, const std::string& text);

inline constexpr std::size_t kColumns = 100;  // of a terminal
/// The text in lines of so many columns, all but the first behind so many spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = kColumns);

/// "1.5 MiB"
std::string human_bytes(std::uint64_t bytes);

}  // namespace proffer::cli
