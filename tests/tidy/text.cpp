// Words that do not belong into the repository, put together from pieces so that this file passes; and
// comments that are too wide.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

const std::array<std::string, 3> kMachinePaths{std::string("/wo") + "rk/", std::string("/fa") + "rm/",
                                               std::string("/ro") + "ot/"};
const std::array<std::string, 3> kNotes{std::string("TO") + "DO", std::string("FIX") + "ME",
                                        std::string("XX") + "X"};

constexpr std::size_t kColumns = 110;

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Not within a longer path, such as tests/…/ or $DIR/….
bool begins_a_path(const std::string& text, std::size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  return !is_of_word(before) && before != '.' && before != '/' && before != '}' && before != '-' &&
         before != '>';
}

bool is_whole_word(const std::string& text, std::size_t at, std::size_t length) {
  return (at == 0 || !is_of_word(text[at - 1])) &&
         (at + length >= text.size() || !is_of_word(text[at + length]));
}

void check_paths(const Source& source, Findings& findings) {
  const auto& text = source.text();
  for (const auto& path : kMachinePaths) {
    for (auto at = text.find(path); at != std::string::npos; at = text.find(path, at + 1)) {
      if (!begins_a_path(text, at)) continue;
      findings.push_back(
          {source.path(), source.line_of(at), path + " is a path of one machine; take it as a setting"});
    }
  }
}

void check_notes(const Source& source, Findings& findings) {
  const auto& text = source.text();
  for (const auto& note : kNotes) {
    for (auto at = text.find(note); at != std::string::npos; at = text.find(note, at + 1)) {
      if (!is_whole_word(text, at, note.size())) continue;
      findings.push_back({source.path(), source.line_of(at), note + ": do it now, or write an issue"});
    }
  }
}

/// The number of characters of a line in UTF-8.
std::size_t columns(std::string_view line) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins));
}

/// True when a comment ends the line; `code`: the line without comments and literals.
bool has_comment(std::string_view line, std::string_view code) {
  const auto last = code.find_last_not_of(' ');
  line.remove_prefix(last == std::string_view::npos ? 0 : last + 1);
  return line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("//");
}

/// clang-format breaks long lines of code, but leaves comments as they are.
void check_widths(const Source& source, Findings& findings) {
  const std::string_view text = source.text();
  const std::string_view code = source.code();
  for (std::size_t from = 0, line = 1; from < text.size(); ++line) {
    const auto length = std::min(text.find('\n', from), text.size()) - from;
    const auto wide = columns(text.substr(from, length));
    if (wide > kColumns && has_comment(text.substr(from, length), code.substr(from, length))) {
      findings.push_back(
          {source.path(), static_cast<int>(line),
           "a comment of " + std::to_string(wide) + " columns; wrap it at " + std::to_string(kColumns)});
    }
    from += length + 1;
  }
}

}  // namespace

Findings check_text(const Tree& tree) {
  Findings findings;
  for (const auto& source : tree) {
    check_paths(source, findings);
    check_notes(source, findings);
    if (source.is_cpp()) check_widths(source, findings);
  }
  return findings;
}

}  // namespace proffer::tidy
