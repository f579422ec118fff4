#include "tests/tidy/source.hpp"

#include <algorithm>
#include <cctype>

namespace proffer::tidy {
namespace {

bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Walks through C++ text once and blanks what is no code.
class Blanker {
 public:
  Blanker(std::string& code, std::vector<Include>& includes) : code_(code), includes_(includes) {}

  void run() {
    while (at_ < code_.size()) {
      if (starts_with("//")) {
        blank_until(code_.find('\n', at_));
      } else if (starts_with("/*")) {
        blank_past("*/", at_ + 2);
      } else if (code_[at_] == '#' && last_before_on_line() == '\0') {
        directive();
      } else if (code_[at_] == '"') {
        quoted();
      } else if (code_[at_] == '\'' && !is_digit_separator()) {
        blank_literal('\'');
      } else {
        step();
      }
    }
  }

 private:
  bool starts_with(std::string_view what) const {
    return std::string_view(code_).substr(at_).starts_with(what);
  }
  bool is_digit_separator() const { return at_ > 0 && is_word_char(code_[at_ - 1]); }

  char last_before_on_line() const {
    for (auto i = at_; i > 0 && code_[i - 1] != '\n'; --i) {
      if (code_[i - 1] != ' ') return code_[i - 1];
    }
    return '\0';
  }

  void step() {
    if (code_[at_++] == '\n') ++line_;
  }

  void blank_until(std::size_t end) {
    end = std::min(end, code_.size());
    for (; at_ < end; step()) {
      if (code_[at_] != '\n') code_[at_] = ' ';
    }
  }

  void blank_past(std::string_view closing, std::size_t from) {
    const auto found = code_.find(closing, from);
    blank_until(found == std::string::npos ? found : found + closing.size());
  }

  /// The quotes stay, so that a call with a literal still looks like one.
  void blank_literal(char quote) {
    step();
    auto end = at_;
    while (end < code_.size() && code_[end] != quote && code_[end] != '\n') end += code_[end] == '\\' ? 2 : 1;
    blank_until(end);
    if (at_ < code_.size() && code_[at_] == quote) step();
  }

  void quoted() {
    if (at_ == 0 || code_[at_ - 1] != 'R') return blank_literal('"');
    const auto open = code_.find('(', at_);
    if (open == std::string::npos) return blank_literal('"');
    blank_past(")" + code_.substr(at_ + 1, open - at_ - 1) + "\"", open);
  }

  void directive() {
    const auto end = std::min(code_.find('\n', at_), code_.size());
    auto name = code_.find_first_not_of(' ', at_ + 1);
    if (name == std::string::npos || code_.compare(name, 7, "include") != 0) return step();
    const auto open = code_.find_first_of("<\"", name);
    if (open >= end) return step();
    const bool angled = code_[open] == '<';
    const auto close = code_.find(angled ? '>' : '"', open + 1);
    if (close >= end) return step();
    includes_.push_back({line_, code_.substr(open + 1, close - open - 1), angled});
    blank_until(end);
  }

  std::string& code_;
  std::vector<Include>& includes_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

Source::Source(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), code_(text_) {
  if (is_cpp()) Blanker(code_, includes_).run();
}

int Source::line_of(std::size_t offset) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size()));
  return 1 + static_cast<int>(std::count(text_.begin(), end, '\n'));
}

int Source::lines() const { return static_cast<int>(std::count(text_.begin(), text_.end(), '\n')); }

std::vector<Word> words(const Source& source) {
  const std::string_view code = source.code();
  std::vector<Word> found;
  for (std::size_t i = 0; i < code.size();) {
    const auto begin = i;
    while (i < code.size() && is_word_char(code[i])) ++i;
    if (i > begin) found.push_back({code.substr(begin, i - begin), begin});
    if (i == begin) ++i;
  }
  return found;
}

char last_before(std::string_view code, std::size_t offset) {
  const auto found = offset == 0 ? std::string_view::npos : code.find_last_not_of(" \n\t", offset - 1);
  return found == std::string_view::npos ? '\0' : code[found];
}

char first_from(std::string_view code, std::size_t offset) {
  const auto found = code.find_first_not_of(" \n\t", offset);
  return found == std::string_view::npos ? '\0' : code[found];
}

std::string to_string(const Finding& finding) {
  return finding.path + ":" + std::to_string(finding.line) + ": " + finding.message;
}

}  // namespace proffer::tidy
