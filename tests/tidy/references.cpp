// References to documents: in code "NAME §n" and "docs/NAME.md", in pages links as well. Each has to lead to
// a page, and to a heading of it, that the repository has. In pages, paths in backquotes have to lead to a
// file or a folder, too.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

const std::array<std::string, 5> kUnknown{"RELIABILITY", "TARGETS", "DESIGN.md", "UX.md", "STYLE.md"};

constexpr std::size_t kLongestName = 40;

bool is_build_file(const std::string& path) {
  return path.ends_with("CMakeLists.txt") || path.ends_with(".cmake");
}

bool is_page(const std::string& path) { return path.ends_with(".md") && !path.starts_with("third_party/"); }

/// Planted cases name documents that there are not.
bool may_name_anything(const std::string& path) {
  return path.starts_with("tests/tidy/") || path.starts_with("third_party/");
}

/// Files and folders of the repository.
class Places {
 public:
  explicit Places(const Tree& tree) {
    for (const auto& source : tree) {
      const auto& path = source.path();
      places_.insert(path);
      for (auto at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
        places_.insert(path.substr(0, at));
      }
    }
  }
  bool has(const std::string& path) const { return places_.contains(path); }
  /// Returns whether a page may name this path: a file, a folder, or a source without its .cpp or .hpp.
  bool has_named(std::string path) const {
    while (path.ends_with('/')) path.pop_back();
    return has(path) || has(path + ".cpp") || has(path + ".hpp");
  }

 private:
  std::set<std::string> places_;
};

/// Returns the path up to the first part that begins with a capital, and so stands for any name, as in
/// "include/proffer/ROOM/" or "study/report/X_figure.cpp".
std::string without_placeholders(const std::string& path) {
  for (auto at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    if (at + 1 < path.size() && std::isupper(static_cast<unsigned char>(path[at + 1])) != 0) {
      return path.substr(0, at);
    }
  }
  return path;
}

/// Folders of results are nobody's to check, and XML, pictures and libraries are not among the texts of a
/// Tree.
bool is_not_looked_up(const std::string& path) {
  static const std::regex other("^(results|reproduction)/|\\.(xml|png|svg|so)$");
  return std::regex_search(path, other);
}

/// The name by which a link leads to a heading: small letters, digits, dashes for spaces.
std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    } else if (c == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

/// What links and references may name: pages with the anchors of their headings.
class Pages {
 public:
  explicit Pages(const Tree& tree) {
    static const std::regex heading("(?:^|\n)#+ ([^\n]*)");
    for (const auto& source : tree) {
      files_.insert(source.path());
      if (!is_page(source.path())) continue;
      auto& anchors = anchors_[source.path()];
      const auto& text = source.text();
      for (std::sregex_iterator at(text.begin(), text.end(), heading), end; at != end; ++at) {
        anchors.insert(anchor_of((*at)[1].str()));
      }
    }
  }
  bool has(const std::string& path) const { return files_.contains(path); }
  bool has(const std::string& path, const std::string& anchor) const {
    const auto page = anchors_.find(path);
    return page != anchors_.end() && page->second.contains(anchor);
  }
  /// A heading such as "7. The analysis".
  bool has_section(const std::string& path, const std::string& number) const {
    const auto page = anchors_.find(path);
    return page != anchors_.end() &&
           std::any_of(page->second.begin(), page->second.end(),
                       [&](const std::string& anchor) { return anchor.starts_with(number + "-"); });
  }

 private:
  std::set<std::string> files_;
  std::map<std::string, std::set<std::string>> anchors_;
};

void check_unknown(const Source& source, Findings& findings) {
  const auto& text = source.text();
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const auto& name : kUnknown) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const auto end = at + name.size();
      if ((at > 0 && is_of_word(text[at - 1])) || (end < text.size() && is_of_word(text[end]))) continue;
      findings.push_back({source.path(), source.line_of(at), name + " is no document of this repository"});
    }
  }
}

/// "NAME §n": docs/NAME.md with a heading "n. ...". Names of papers are not of capital letters alone.
void check_section_numbers(const Source& source, const Pages& pages, Findings& findings) {
  static const std::string sign(" §");
  static const std::regex name("(?:^|[^A-Za-z0-9_/-])([A-Z]{4,})$"), number("^[0-9]+");
  const auto& text = source.text();
  for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at + 1)) {
    const auto before = text.substr(at < kLongestName ? 0 : at - kLongestName, std::min(at, kLongestName));
    const auto after = text.substr(at + sign.size(), kLongestName);
    std::smatch named, numbered;
    if (!std::regex_search(before, named, name) || !std::regex_search(after, numbered, number)) continue;
    const auto page = "docs/" + named.str(1) + ".md";
    if (pages.has_section(page, numbered.str())) continue;
    findings.push_back({source.path(), source.line_of(at), page + " has no section " + numbered.str()});
  }
}

void check_page_paths(const Source& source, const Pages& pages, Findings& findings) {
  static const std::string folder("docs/");
  static const std::regex page("^docs/[A-Za-z0-9_-]+\\.md");
  const auto& text = source.text();
  for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder, at + 1)) {
    const auto rest = text.substr(at, kLongestName);
    std::smatch path;
    if (!std::regex_search(rest, path, page) || pages.has(path.str())) continue;
    findings.push_back({source.path(), source.line_of(at), path.str() + ": there is no such page"});
  }
}

/// Links within the repository: "(PAGE.md)", "(PAGE.md#heading)", "(#heading)", from the folder of the page.
void check_links(const Source& source, const Pages& pages, Findings& findings) {
  static const std::regex link("\\]\\(([^)#:\\s]*)(?:#([^)\\s]*))?\\)");
  const auto& text = source.text();
  const auto folder = source.path().substr(0, source.path().rfind('/') + 1);
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
    const auto name = (*at)[1].str();
    const auto anchor = (*at)[2].str();
    auto path = name.empty() ? source.path() : folder + name;
    if (name.starts_with("../")) path = name.substr(3);
    const bool leads = anchor.empty() ? pages.has(path) || !is_page(path) : pages.has(path, anchor);
    if (leads) continue;
    findings.push_back({source.path(), source.line_of(static_cast<std::size_t>(at->position())),
                        "the link to " + name + (anchor.empty() ? "" : "#" + anchor) + " leads nowhere"});
  }
}

/// Paths in backquotes whose first part is a top folder, such as `core/ids.cpp` or `core/ids`.
void check_paths_in_quotes(const Source& page, const Places& places, Findings& findings) {
  static const std::regex quoted("`([A-Za-z0-9_.-]+)(/[A-Za-z0-9_./-]*)`");
  const auto& text = page.text();
  for (std::sregex_iterator at(text.begin(), text.end(), quoted), end; at != end; ++at) {
    const auto top = (*at)[1].str();
    const auto path = top + (*at)[2].str();
    if (!places.has(top) || is_not_looked_up(path) || places.has_named(path)) continue;
    const auto folder = without_placeholders(path);
    if (folder != path && places.has(folder)) continue;
    findings.push_back({page.path(), page.line_of(static_cast<std::size_t>(at->position())),
                        path + ": there is no such file or folder"});
  }
}

}  // namespace

Findings check_references(const Tree& tree) {
  Findings findings;
  const Pages pages(tree);
  const Places places(tree);
  for (const auto& source : tree) {
    if (may_name_anything(source.path())) continue;
    if (!is_build_file(source.path())) check_unknown(source, findings);
    check_section_numbers(source, pages, findings);
    check_page_paths(source, pages, findings);
    if (!is_page(source.path())) continue;
    check_links(source, pages, findings);
    check_paths_in_quotes(source, places, findings);
  }
  return findings;
}

}  // namespace proffer::tidy
