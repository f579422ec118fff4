#include "cli/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "proffer/formats/text.hpp"

namespace proffer::cli {
namespace {

bool numeric(const std::string& cell) {
  return !cell.empty() && std::isdigit(static_cast<unsigned char>(cell[0])) != 0 &&
         std::all_of(cell.begin(), cell.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0 || c == '.' || c == '%'; });
}

}  // namespace

void Table::add(std::vector<std::string> row) {
  for (auto& cell : row) cell = formats::printable(cell);
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line += numeric(row[i]) ? fmt::format("{:>{}}", row[i], widths[i])
                              : fmt::format("{:<{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

int report(const Error& error) {
  std::fprintf(stderr, "proffer: %s\n", formats::printable(error.message, "\n").c_str());
  switch (error.code) {
    case ErrorCode::unreachable:
      return kNoAllocator;
    case ErrorCode::timed_out:
      return kTimedOut;
    case ErrorCode::invalid:
    case ErrorCode::unknown_pool:
    case ErrorCode::unknown_kind:
      return kUsage;
    default:
      return kFailed;
  }
}

int usage_error(const std::string& sentence) { return report({ErrorCode::invalid, sentence}); }

std::string human_bytes(std::uint64_t bytes) {
  static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace proffer::cli
