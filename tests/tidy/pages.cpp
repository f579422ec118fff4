// Pages of documentation that can be read in an editor and compared line by line: short lines, short cells.
#include <algorithm>
#include <string>
#include <string_view>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

constexpr std::ptrdiff_t kColumns = 120;
constexpr std::ptrdiff_t kCell = 200;

/// In characters, not in bytes of UTF-8.
std::ptrdiff_t width(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

std::string_view bare(std::string_view cell) {
  const auto begin = cell.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return cell.substr(begin, cell.find_last_not_of(' ') - begin + 1);
}

std::ptrdiff_t widest_cell(std::string_view row) {
  std::ptrdiff_t widest = 0;
  for (std::size_t begin = 0; begin < row.size();) {
    const auto end = std::min(row.find('|', begin), row.size());
    widest = std::max(widest, width(bare(row.substr(begin, end - begin))));
    begin = end + 1;
  }
  return widest;
}

void check_line(const std::string& path, int number, std::string_view line, Findings& findings) {
  if (line.starts_with("|")) {
    if (const auto wide = widest_cell(line); wide > kCell) {
      findings.push_back({path, number,
                          "a cell of " + std::to_string(wide) + " characters; beyond " +
                              std::to_string(kCell) + " say it below the table"});
    }
  } else if (width(line) > kColumns) {
    findings.push_back({path, number,
                        std::to_string(width(line)) + " columns; lines of pages end before " +
                            std::to_string(kColumns + 1)});
  }
}

bool is_our_page(const std::string& path) {
  return path.ends_with(".md") &&
         (path.starts_with("docs/") || path.starts_with("tests/") || path.find('/') == std::string::npos);
}

void check_page(const Source& page, Findings& findings) {
  const std::string_view text = page.text();
  bool fenced = false;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto line = text.substr(begin, end - begin);
    ++number;
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced) check_line(page.path(), number, line, findings);
    begin = end + 1;
  }
}

}  // namespace

Findings check_pages(const Tree& tree) {
  Findings findings;
  for (const auto& source : tree) {
    if (is_our_page(source.path())) check_page(source, findings);
  }
  return findings;
}

}  // namespace proffer::tidy
