// Pieces of HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proffer::study::reporting {

/// Text between tags or in a quoted attribute.
std::string html_text(std::string_view text);
/// JSON inside a script element: no tag can begin or end in it.
std::string html_json(std::string_view json);

struct HtmlColumn {
  std::string title;
  bool number = false;
  std::string css{};  ///< class of its cells
};

class HtmlTable {
 public:
  explicit HtmlTable(std::vector<HtmlColumn> columns) : columns_(std::move(columns)) {}
  /// Texts, one a column, which it escapes.
  void add(const std::vector<std::string>& row);
  bool empty() const { return body_.empty(); }
  std::string html() const;

 private:
  std::vector<HtmlColumn> columns_;
  std::string body_;
};

}  // namespace proffer::study::reporting
