#include "study/report/html.hpp"

#include "proffer/check.hpp"

namespace proffer::study::reporting {
namespace {

std::string class_of(const HtmlColumn& column) {
  const auto& name = column.number ? "number" : column.css;
  return name.empty() ? "" : " class=\"" + name + "\"";
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";  // outside of strings JSON has no such sign
    } else {
      out += c;
    }
  }
  return out;
}

void HtmlTable::add(const std::vector<std::string>& row) {
  PROFFER_CHECK(row.size() == columns_.size(), "a row has one cell a column");
  body_ += "<tr>";
  for (std::size_t i = 0; i < row.size(); ++i) {
    body_ += "<td" + class_of(columns_[i]) + ">" + html_text(row[i]) + "</td>";
  }
  body_ += "</tr>\n";
}

std::string HtmlTable::html() const {
  std::string head = "<tr>";
  for (const auto& column : columns_) {
    head += std::string("<th scope=\"col\"") + (column.number ? " class=\"number\"" : "") + ">" +
            html_text(column.title) + "</th>";
  }
  return "<div class=\"scroll\"><table>\n<thead>" + head + "</tr></thead>\n<tbody>\n" + body_ +
         "</tbody></table></div>\n";
}

}  // namespace proffer::study::reporting
