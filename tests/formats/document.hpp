// docs/PROTOCOL.md as data: its headings with the tables below them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proffer::formats {

using Row = std::vector<std::string>;

struct Table {
  Row head;
  std::vector<Row> rows;
};

struct Section {
  int level = 0;  // how many #
  std::string title;
  std::string chapter;  // the title of the level-2 section it is in
  std::string text;     // all but the tables
  std::vector<Table> tables;
};

std::vector<Section> read_document(const std::string& path);

}  // namespace proffer::formats
