#include "formats/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <utility>

namespace proffer::formats {
namespace {

using boost::property_tree::ptree;

/// Goes from a '<' to where the next one may begin a tag: past a comment or the like, in which none does.
std::size_t past_markup(std::string_view text, std::size_t at) {
  constexpr std::pair<std::string_view, std::string_view> kOpaque[] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
  for (const auto& [begin, end] : kOpaque) {
    if (!text.substr(at).starts_with(begin)) continue;
    return std::min(text.find(end, at + begin.size()), text.size());
  }
  return at + 1;
}

/// Returns the lines of start tags. The property tree does not keep lines, but it keeps the order of
/// elements, which is that of their tags.
std::vector<std::uint32_t> lines_of_start_tags(std::string_view text) {
  std::vector<std::uint32_t> lines;
  std::uint32_t line = 1;
  std::size_t counted = 0;
  for (auto at = text.find('<'); at < text.size(); at = text.find('<', past_markup(text, at))) {
    line += static_cast<std::uint32_t>(std::count(text.begin() + counted, text.begin() + at, '\n'));
    counted = at;
    const auto next = text.substr(at + 1, 1);
    if (next != "!" && next != "?" && next != "/") lines.push_back(line);
  }
  return lines;
}

class Elements {
 public:
  explicit Elements(std::vector<std::uint32_t> lines) : lines_(std::move(lines)) {}

  XmlElement take(const std::string& name, const ptree& node) {
    XmlElement element;
    element.name = name;
    if (next_ < lines_.size()) element.line = lines_[next_++];
    element.text = boost::trim_copy(node.data());
    for (const auto& [key, child] : node) {
      if (key != "<xmlattr>") {
        element.children.push_back(take(key, child));
        continue;
      }
      for (const auto& [attribute, value] : child) element.attributes[attribute] = value.data();
    }
    return element;
  }

 private:
  std::vector<std::uint32_t> lines_;
  std::size_t next_ = 0;
};

}  // namespace

Result<XmlElement> parse_xml(std::string_view text, std::string_view file) {
  namespace xml = boost::property_tree::xml_parser;
  ptree tree;
  try {
    std::istringstream in{std::string(text)};
    xml::read_xml(in, tree, xml::trim_whitespace | xml::no_comments);
  } catch (const xml::xml_parser_error& error) {
    return Error{ErrorCode::invalid,
                 fmt::format("{}:{}: this is not XML: {}", file, error.line(), error.message())};
  }
  if (tree.empty()) return Error{ErrorCode::invalid, fmt::format("{}:1: there is no element in it", file)};
  const auto& [name, root] = tree.front();
  return Elements(lines_of_start_tags(text)).take(name, root);
}

}  // namespace proffer::formats
