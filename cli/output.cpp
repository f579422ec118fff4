#include "cli/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>

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

Result<> write_whole(const std::string& path, const std::string& text) {
  const auto temporary = path + ".part";
  std::ofstream out(temporary, std::ios::binary);
  out << text;
  out.close();
  if (out && std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  std::remove(temporary.c_str());
  return Error{ErrorCode::io, "cannot write to " + path};
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column > indent && column + 1 + word.size() > columns) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) out += ' ';
    column += word.size() + (column > indent ? 1 : 0);
    out += word;
  }
  return out;
}

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
