// Long functions and files, and classes with many members. Functions and classes are found by their braces,
// which is enough for formatted code.
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "tests/tidy/braces.hpp"
#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

constexpr int kFunctionLines = 70;
constexpr int kFileLines = 600;
constexpr std::size_t kDataMembers = 20;
constexpr std::size_t kMemberFunctions = 30;

enum class Brace { scope, function, initializer };

/// Returns what a brace opens that comes after `head` (all since the last statement); `next` follows its end.
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

/// A class as far as its braces and semicolons tell. Of functions with one name, the overloads, it has one.
struct Members {
  std::size_t data = 0;
  std::set<std::string> functions;
};

/// Returns whether the `<` at `at` opens template arguments: formatted code has a space before a comparison.
bool opens_template(std::string_view text, std::size_t at) {
  const auto next = at + 1 < text.size() ? text[at + 1] : ' ';
  const auto before = at > 0 ? text[at - 1] : ' ';
  return (before != ' ' && before != '<' && next != '<') || text.substr(0, at).ends_with("template ");
}

/// Returns a statement without what stands in angle brackets, and in parentheses but for the first character
/// in them, which tells a pointer to a function from a function.
std::string outline(std::string_view text) {
  std::string plain;
  int angles = 0;
  int parens = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool template_ends = c == '>' && angles > 0 && parens == 0;
    if (c == '<' && parens == 0 && opens_template(text, i)) ++angles;
    if (c == ')' && angles == 0) --parens;
    if (angles == 0 && (parens == 0 || plain.back() == '(')) plain += c;
    if (c == '(' && angles == 0) ++parens;
    if (template_ends) --angles;
  }
  return plain;
}

bool is_no_member(std::string_view outlined) {
  for (const auto* word : {"using", "typedef", "friend", "static_assert", "enum", "operator"}) {
    if (has_word(outlined, word)) return true;
  }
  return outlined.find_first_not_of(" \n") == std::string_view::npos;
}

/// Returns whether a function of that name and outline is no further verb of its class: a constructor or
/// destructor, or an override, which counts in the class that declares it first.
bool is_no_verb(std::string_view name, std::string_view outlined, std::string_view of_class) {
  if (name.starts_with('~') || name == of_class) return true;
  for (const auto* word : {"override", "default", "delete"}) {
    if (has_word(outlined, word)) return true;
  }
  return false;
}

/// Adds the member that a statement in a class declares, if it is one: not an alias, a friend, a nested type,
/// a constant, or a function that is no verb.
void add_member(std::string_view statement, std::string_view of_class, Members& members) {
  const auto plain = outline(statement);
  if (is_no_member(plain)) return;
  const auto paren = plain.find('(');
  const auto equals = plain.find('=');
  if (paren < equals && plain[paren + 1] != '*') {
    auto name = name_in(plain);
    if (!is_no_verb(name, plain, of_class)) members.functions.insert(std::move(name));
    return;
  }
  for (const auto* word : {"static", "constexpr"}) {
    if (has_word(plain, word)) return;
  }
  const auto kind = plain.find_first_not_of(" \n");
  const bool declares_type = plain.compare(kind, 6, "struct") == 0 || plain.compare(kind, 5, "class") == 0;
  if (declares_type && equals == std::string::npos) return;
  ++members.data;
  for (const char c : plain) members.data += c == ',' ? 1u : 0u;
}

/// Returns what follows the last access specifier ("public:") of a head.
std::string_view without_access(std::string_view head) {
  for (const std::string_view access : {"public:", "protected:", "private:"}) {
    const auto at = head.rfind(access);
    if (at != std::string_view::npos) head.remove_prefix(at + access.size());
  }
  return head;
}

/// Returns the members of a class; `body` is what stands between its braces.
Members members_of(std::string_view body, std::string_view of_class) {
  Members members;
  std::string statement;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == ';') {
      add_member(without_access(statement), of_class, members);
      statement.clear();
    } else if (body[i] == '{') {
      const auto close = closing_brace(body, i);
      const auto kind = classify(statement, first_from(body, close + 1));
      if (kind == Brace::function) add_member(without_access(statement), of_class, members);
      if (kind != Brace::initializer) statement.clear();
      i = close;
    } else {
      statement += body[i];
    }
  }
  return members;
}

/// Returns the name of the class that a brace after `head` opens; none: it opens something else.
std::optional<std::string> class_in(std::string_view head) {
  const auto plain = without_templates(without_access(head));
  if (has_word(plain, "enum") || has_word(plain, "namespace")) return {};
  for (const std::string_view word : {"class", "struct"}) {
    if (!has_word(plain, word)) continue;
    const auto begin = plain.find_first_not_of(" \n", plain.find(word) + word.size());
    if (begin == std::string::npos) return "a class without a name";
    return plain.substr(begin, plain.find_first_of(" \n", begin) - begin);
  }
  return {};
}

void check_class(const Source& source, std::string_view head, std::size_t open, std::string_view body,
                 Findings& findings) {
  const auto name = class_in(head);
  if (!name) return;
  const auto members = members_of(body, std::string_view(*name).substr(name->rfind(':') + 1));
  const auto find = [&](std::size_t count, std::size_t most, const std::string& what) {
    if (count <= most) return;
    findings.push_back({source.path(), source.line_of(open),
                        *name + " has " + std::to_string(count) + what + std::to_string(most) +
                            " are the most, so give each noun in it a class with one invariant"});
  };
  find(members.data, kDataMembers, " data members; ");
  // A fixture of tests has a function for each word of their language, and is none the worse for many.
  if (source.path().starts_with("tests/")) return;
  find(members.functions.size(), kMemberFunctions, " member functions; ");
}

void check_functions_and_classes(const Source& source, Findings& findings) {
  const auto code = without_directives(source);
  std::size_t head_begin = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == ';' || code[i] == '}') head_begin = i + 1;
    if (code[i] != '{') continue;
    const auto head = std::string_view(code).substr(head_begin, i - head_begin);
    const auto close = closing_brace(code, i);
    const auto kind = classify(head, first_from(code, close + 1));
    if (kind == Brace::scope) {
      check_class(source, head, i, std::string_view(code).substr(i + 1, close - i - 1), findings);
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
    if (source.is_cpp()) check_functions_and_classes(source, findings);
  }
  return findings;
}

}  // namespace proffer::tidy
