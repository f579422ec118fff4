#include "tests/tidy/braces.hpp"

#include <cctype>

namespace proffer::tidy {

std::string without_directives(const Source& source) {
  std::string code = source.code();
  bool in_directive = false;
  char first = '\0';
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (first == '\0' && c != ' ' && c != '\n') {
      first = c;
      in_directive |= c == '#';
    }
    if (c == '\n') {
      first = '\0';
      in_directive = in_directive && i > 0 && code[i - 1] == '\\';
    } else if (in_directive && !(c == '\\' && i + 1 < code.size() && code[i + 1] == '\n')) {
      code[i] = ' ';
    }
  }
  return code;
}

std::size_t closing_brace(std::string_view code, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < code.size(); ++i) {
    if (code[i] == '{') ++depth;
    if (code[i] == '}' && --depth == 0) return i;
  }
  return code.size();
}

std::string without_templates(std::string_view head) {
  std::string plain;
  int depth = 0;
  for (const char c : head) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>' && depth > 0) --depth;
  }
  return plain;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + word.size() >= text.size() || !is_word(text[at + word.size()]);
    if (starts && ends) return true;
  }
  return false;
}

}  // namespace proffer::tidy
