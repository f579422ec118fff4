#include "tests/formats/document.hpp"

#include <fstream>

namespace proffer::formats {
namespace {

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

/// "| a | b |" -> {"a", "b"}
Row cells_of(std::string_view line) {
  Row cells;
  line.remove_prefix(1);
  while (!line.empty()) {
    const auto bar = line.find('|');
    cells.push_back(trimmed(line.substr(0, bar)));
    line.remove_prefix(bar == line.npos ? line.size() : bar + 1);
  }
  return cells;
}

bool is_rule(std::string_view line) { return line.starts_with("|--"); }

void take_heading(const std::string& line, std::vector<Section>& sections) {
  const auto level = line.find_first_not_of('#');
  Section section;
  section.level = static_cast<int>(level);
  section.title = trimmed(std::string_view(line).substr(level));
  section.chapter = level <= 2 || sections.empty() ? section.title : sections.back().chapter;
  sections.push_back(std::move(section));
}

}  // namespace

std::vector<Section> read_document(const std::string& path) {
  std::vector<Section> sections;
  std::ifstream in(path);
  bool in_table = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) {
      take_heading(line, sections);
    } else if (line.starts_with('|') && !is_rule(line)) {
      auto& tables = sections.back().tables;
      if (!in_table) {
        tables.push_back({cells_of(line), {}});
      } else {
        tables.back().rows.push_back(cells_of(line));
      }
    } else if (!line.starts_with('|') && !sections.empty()) {
      sections.back().text += line + "\n";
    }
    in_table = line.starts_with('|');
  }
  return sections;
}

}  // namespace proffer::formats
