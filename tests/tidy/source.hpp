// One file of the tree as the rules see it: its text, and the same text with comments and literals blanked
// out.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace proffer::tidy {

struct Include {
  int line = 0;
  std::string path;
  bool angled = false;
};

class Source {
 public:
  /// `path` is relative to the root of the repository.
  Source(std::string path, std::string text);

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  /// As long as text(), line by line the same, but comments, include lines and what stands in quotes are
  /// spaces.
  const std::string& code() const { return code_; }
  const std::vector<Include>& includes() const { return includes_; }

  bool is_cpp() const { return path_.ends_with(".cpp") || is_header(); }
  bool is_header() const { return path_.ends_with(".hpp"); }
  /// Returns the line of a character, from 1.
  int line_of(std::size_t offset) const;
  int lines() const;

 private:
  std::string path_;
  std::string text_;
  std::string code_;
  std::vector<Include> includes_;
};

/// An identifier or keyword in code().
struct Word {
  std::string_view text;
  std::size_t offset = 0;
};
std::vector<Word> words(const Source& source);

/// The last character before `offset` (the first from `offset` on) that is not white space; 0 when there is
/// none.
char last_before(std::string_view code, std::size_t offset);
char first_from(std::string_view code, std::size_t offset);

/// A place that breaks a rule.
struct Finding {
  std::string path;
  int line = 0;
  std::string message;
  auto operator<=>(const Finding&) const = default;
};
using Findings = std::vector<Finding>;

/// path:line: message
std::string to_string(const Finding& finding);

}  // namespace proffer::tidy
