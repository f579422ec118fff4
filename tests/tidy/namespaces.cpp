// Namespaces are folders. What one program takes for one type has one definition: two private types of one
// name in `proffer` would silently share their functions.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/tidy/braces.hpp"
#include "tests/tidy/floors.hpp"
#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

struct Home {
  std::string_view folder;
  std::string_view space;
};

/// The namespace of each folder, inner folders before outer ones.
constexpr std::array<Home, 19> kHomes{{{"agent/", "proffer::agent"},
                                       {"allocator/", "proffer::allocator"},
                                       {"bench/", "proffer::bench"},
                                       {"catalog/", "proffer::catalog"},
                                       {"cli/", "proffer::cli"},
                                       {"core/session/", "proffer::session"},
                                       {"core/sharing/", "proffer::sharing"},
                                       {"core/", "proffer"},
                                       {"examples/demo/", "proffer::demo"},
                                       {"formats/", "proffer::formats"},
                                       {"frameworks/batch/", "proffer::batch"},
                                       {"frameworks/drivers/", "proffer::drivers"},
                                       {"frameworks/mapreduce/", "proffer::mapreduce"},
                                       {"frameworks/policies/", "proffer::policies"},
                                       {"frameworks/", "proffer::frameworks"},
                                       {"live/", "proffer::live"},
                                       {"plugins/", "proffer::plugins"},
                                       {"sim/", "proffer::sim"},
                                       {"study/", "proffer::study"}}};

const Home* home_of(std::string_view path) {
  const auto* const found = std::find_if(kHomes.begin(), kHomes.end(),
                                         [&](const Home& home) { return path.starts_with(home.folder); });
  return found == kHomes.end() ? nullptr : found;
}

bool is_within(std::string_view space, std::string_view outer) {
  return space == outer || (space.starts_with(outer) && space.substr(outer.size()).starts_with("::"));
}

/// Returns whether `space` is the namespace of `home` or one inside of it that is no other folder's.
bool is_of(std::string_view space, const Home& home) {
  if (!is_within(space, home.space)) return false;
  return std::none_of(kHomes.begin(), kHomes.end(), [&](const Home& other) {
    return other.space.size() > home.space.size() && is_within(space, other.space);
  });
}

/// A declaration at namespace scope.
struct Declaration {
  std::string space;        ///< "proffer::agent"; "" is the global namespace
  bool is_unnamed = false;  ///< it is within a namespace without a name
  std::string type;         ///< the type that it defines, as written there; "" for anything else
  bool is_forward = false;  ///< it only says that there is a type of some name
  std::size_t offset = 0;   ///< of its first character
};

std::string_view left_trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \n");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

/// Takes `word` from the front of `text` if it stands there.
bool take(std::string_view word, std::string_view& text) {
  if (!text.starts_with(word) || text.find_first_of(" \n", word.size()) != word.size()) return false;
  text = left_trimmed(text.substr(word.size()));
  return true;
}

/// Returns the characters before `ends` says so of one that is not in angle brackets.
template <class Ends>
std::size_t length_until(std::string_view text, const Ends& ends) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && ends(i)) return i;
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
  }
  return text.size();
}

std::string_view without_template_head(std::string_view head) {
  while (head.starts_with("template")) {
    const auto rest = left_trimmed(head.substr(8));
    if (!rest.starts_with('<')) break;
    head = left_trimmed(rest.substr(length_until(rest, [&](std::size_t i) { return i > 0; })));
  }
  return head;
}

/// Returns the type whose declaration begins with `head`, with what its name is qualified by; "" if it
/// declares something else.
std::string type_in(std::string_view head) {
  head = without_template_head(head);
  if (take("enum", head)) {
    take("class", head);
  } else if (!take("struct", head) && !take("class", head) && !take("union", head)) {
    return {};
  }
  if (head.starts_with("[[")) head = left_trimmed(head.substr(std::min(head.find("]]") + 2, head.size())));
  const auto ends = [&](std::size_t i) {
    const bool is_base = head[i] == ':' && head.substr(i, 2) != "::" && (i == 0 || head[i - 1] != ':');
    return head[i] == ' ' || head[i] == '\n' || is_base;
  };
  std::string name(head.substr(0, length_until(head, ends)));
  std::erase_if(name, [](char c) { return c == ' ' || c == '\n'; });
  return name;
}

/// Returns the name of the namespace that a brace after `head` opens; none: it opens something else.
std::optional<std::string> namespace_in(std::string_view head) {
  auto rest = head;
  take("inline", rest);
  if (!rest.starts_with("namespace") || rest.find_first_of("=(") != std::string_view::npos) return {};
  rest = left_trimmed(rest.substr(9));
  return std::string(rest.substr(0, rest.find_first_of(" \n")));
}

class Reader {
 public:
  explicit Reader(std::string_view code) : code_(code) {}

  std::vector<Declaration> read() {
    scope(0, code_.size(), {}, false);
    return std::move(found_);
  }

 private:
  void scope(std::size_t begin, std::size_t end, const std::string& space, bool is_unnamed) {
    for (auto i = begin; i < end; ++i) {
      if (code_[i] != ';' && code_[i] != '{') continue;
      const auto first = std::min(code_.find_first_not_of(" \n", begin), i);
      const auto head = code_.substr(first, i - first);
      if (code_[i] == ';') {
        const bool is_forward = !type_in(head).empty() && head.find_first_of("(=") == std::string_view::npos;
        if (!head.empty()) found_.push_back({space, is_unnamed, {}, is_forward, first});
      } else {
        const auto close = closing_brace(code_, i);
        if (const auto name = namespace_in(head)) {
          const auto* const between = space.empty() || name->empty() ? "" : "::";
          scope(i + 1, close, space + between + *name, is_unnamed || name->empty());
        } else {
          found_.push_back({space, is_unnamed, type_in(head), false, first});
        }
        i = close;
      }
      begin = i + 1;
    }
  }

  std::string_view code_;
  std::vector<Declaration> found_;
};

std::string named(std::string_view space) {
  return space.empty() ? "the global namespace" : std::string(space);
}

std::string room_of(const Home& home) { return "private code of " + std::string(home.folder); }

/// Says what is wrong with where a declaration of a private file stands; "" when nothing is. A type with a
/// qualified name (X::Impl, a specialization of std::hash) belongs to what it is declared in.
std::string why_not_there(const Source& source, const Home& home, const Declaration& declaration) {
  const bool is_qualified = declaration.type.find("::") != std::string::npos;
  if (declaration.is_forward || is_of(declaration.space, home)) return {};
  if (source.is_header()) {
    if (is_qualified) return {};
    return "this stands in " + named(declaration.space) + "; headers with " + room_of(home) + " declare in " +
           std::string(home.space);
  }
  if (!declaration.space.empty() && declaration.space != "proffer") {
    return "this stands in " + declaration.space + "; " + room_of(home) + " opens " +
           std::string(home.space) + ", and proffer to define what include/proffer/ declares";
  }
  if (declaration.type.empty() || declaration.is_unnamed || is_qualified) return {};
  return declaration.type + " stands in " + named(declaration.space) + "; a type of " + room_of(home) +
         " stands in " + std::string(home.space) + " or in a namespace without a name";
}

/// Each place in a file that is wrong once: what follows it in its namespace is as wrong.
void check_places(const Source& source, const std::vector<Declaration>& declarations, Findings& findings) {
  const auto* home = home_of(source.path());
  const auto* room = room_of_file(source.path());
  if (source.path().starts_with("include/") || room == nullptr) return;
  if (home == nullptr) {
    if (room->name == "tests" || room->name == "examples") return;
    findings.push_back({source.path(), 1, "this folder has no namespace; give it one in namespaces.cpp"});
    return;
  }
  std::string said;
  for (const auto& declaration : declarations) {
    auto why = why_not_there(source, *home, declaration);
    if (why.empty() || why == said) continue;
    findings.push_back({source.path(), source.line_of(declaration.offset), why});
    said = std::move(why);
  }
}

/// Returns the folder of a test ("tests/agent"), which is one program with all of the house; "" for the
/// house.
std::string_view program_of(std::string_view path) {
  return path.starts_with("tests/") ? path.substr(0, path.rfind('/')) : std::string_view{};
}

/// The types that have been defined so far, each with its file, by program.
class Definitions {
 public:
  void add(const Source& source, const Declaration& declaration, Findings& findings) {
    if (declaration.type.empty() || declaration.is_unnamed) return;
    const auto name = declaration.space + "::" + declaration.type;
    const auto program = program_of(source.path());
    for (const auto& there : {std::string_view{}, program}) {
      const auto found = files_.find({std::string(there), name});
      if (found == files_.end() || found->second == source.path()) continue;
      findings.push_back(
          {source.path(), source.line_of(declaration.offset),
           name + " is defined in " + found->second + " as well; one program has one type " + "of a name"});
      return;
    }
    files_.try_emplace({std::string(program), name}, source.path());
  }

 private:
  std::map<std::pair<std::string, std::string>, std::string> files_;
};

}  // namespace

Findings check_namespaces(const Tree& tree) {
  Findings findings;
  Definitions definitions;
  for (const bool tests : {false, true}) {  // the house first: tests are held against it
    for (const auto& source : tree) {
      if (!source.is_cpp() || source.path().starts_with("tests/") != tests) continue;
      const auto code = without_directives(source);
      const auto declarations = Reader(code).read();
      check_places(source, declarations, findings);
      for (const auto& declaration : declarations) definitions.add(source, declaration, findings);
    }
  }
  return findings;
}

}  // namespace proffer::tidy
