// Words that do not belong into the repository. They are put together from pieces, so that this file passes.
#include <array>
#include <cctype>
#include <string>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

const std::array<std::string, 3> kMachinePaths{std::string("/wo") + "rk/", std::string("/fa") + "rm/",
                                               std::string("/ro") + "ot/"};
const std::array<std::string, 3> kNotes{std::string("TO") + "DO", std::string("FIX") + "ME",
                                        std::string("XX") + "X"};

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

}  // namespace

Findings check_text(const Tree& tree) {
  Findings findings;
  for (const auto& source : tree) {
    check_paths(source, findings);
    check_notes(source, findings);
  }
  return findings;
}

}  // namespace proffer::tidy
