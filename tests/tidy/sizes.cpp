// Long functions and files. Functions are found by their braces, which is enough for formatted code.
#include <array>
#include <string>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

constexpr int kFunctionLines = 70;
constexpr int kFileLines = 600;

/// Directives may open braces that they do not close.
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

/// `head` without what stands in angle brackets, so that template parameters are out of the way.
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

enum class Brace { scope, function, initializer };

/// What the brace opens that comes after `head` (all since the last statement) and is followed by `next`.
Brace classify(std::string_view head, char next) {
  const auto plain = without_templates(head);
  if (has_word(plain, "namespace") || has_word(plain, "extern")) return Brace::scope;
  const bool has_parens = plain.find('(') != std::string::npos;
  for (const auto* word : {"class", "struct", "union", "enum"}) {
    if (has_word(plain, word) && !has_parens) return Brace::scope;
  }
  if (next == ',' || next == '{' || next == ')' || next == ';' || !has_parens) return Brace::initializer;
  return Brace::function;
}

/// The word before the first parenthesis; for TEST(Suite, Name) what is in it.
std::string name_in(std::string_view head) {
  const auto open = head.find('(');
  const auto end = head.find_last_not_of(' ', open - 1);
  const auto begin = head.find_last_of(" \n*&", end);
  const auto name = head.substr(begin + 1, end - begin);
  if (!name.starts_with("TEST")) return std::string(name);
  return std::string(head.substr(begin + 1, head.find(')', open) - begin));
}

void check_functions(const Source& source, Findings& findings) {
  const auto code = without_directives(source);
  std::size_t head_begin = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == ';' || code[i] == '}') head_begin = i + 1;
    if (code[i] != '{') continue;
    const auto head = std::string_view(code).substr(head_begin, i - head_begin);
    const auto close = closing_brace(code, i);
    const auto kind = classify(head, first_from(code, close + 1));
    if (kind == Brace::scope) {
      head_begin = i + 1;
      continue;
    }
    if (kind == Brace::function) {
      const auto lines = source.line_of(close) - source.line_of(i) + 1;
      if (lines > kFunctionLines) {
        findings.push_back({source.path(), source.line_of(i),
                            name_in(head) + " has " + std::to_string(lines) + " lines; " +
                                std::to_string(kFunctionLines) +
                                " are the most, and good ones have about ten"});
      }
      head_begin = close + 1;
    }
    i = close;  // an initializer belongs to the head of what follows
  }
}

bool has_limited_length(const Source& source) {
  constexpr std::array<std::string_view, 6> endings{".cpp", ".hpp", ".sh", ".py", ".cmake", "CMakeLists.txt"};
  for (const auto ending : endings) {
    if (source.path().ends_with(ending)) return true;
  }
  return false;
}

}  // namespace

Findings check_sizes(const Tree& tree) {
  Findings findings;
  for (const auto& source : tree) {
    if (has_limited_length(source) && source.lines() > kFileLines) {
      findings.push_back({source.path(), kFileLines + 1,
                          "the file has " + std::to_string(source.lines()) + " lines; " +
                              std::to_string(kFileLines) +
                              " are the most, so give each noun a file of its own"});
    }
    if (source.is_cpp()) check_functions(source, findings);
  }
  return findings;
}

}  // namespace proffer::tidy
