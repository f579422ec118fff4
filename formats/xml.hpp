// An XML document as a tree that knows the position of everything. The only door to the XML library.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/result.hpp"

namespace proffer::formats {

struct XmlElement {
  std::string name;
  std::uint32_t line = 0;  ///< line of its start tag, from 1
  std::string text;        ///< text between its tags, without the blanks around it
  std::map<std::string, std::string> attributes;
  std::vector<XmlElement> children;  ///< children in the order of the file, without comments

  /// Returns an attribute; empty when there is none of that name.
  std::string attribute(const std::string& wanted) const {
    const auto at = attributes.find(wanted);
    return at == attributes.end() ? std::string() : at->second;
  }
};

/// Parses a document into its root element. `invalid` with "FILE:LINE: " for text that is no XML, or has no
/// element.
Result<XmlElement> parse_xml(std::string_view text, std::string_view file);

}  // namespace proffer::formats
