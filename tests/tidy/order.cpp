// The order of a hash container, or of addresses, must not reach an action: it differs from run to run.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "tests/tidy/floors.hpp"
#include "tests/tidy/rules.hpp"

namespace proffer::tidy {
namespace {

constexpr std::string_view kWhy =
    " is walked in hash order, which differs between libraries; keep a std::map, or sort what was collected "
    "right behind the loop";

/// The offset past the '>' that closes the '<' at `open`; npos when there is none.
std::size_t past_template(std::string_view code, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < code.size() && code[i] != ';' && code[i] != '{'; ++i) {
    if (code[i] == '<') ++depth;
    if (code[i] == '>' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

bool is_hash_container(std::string_view word) {
  return word.starts_with("unordered_") && (word.ends_with("map") || word.ends_with("set"));
}

/// Names declared with a hash container for a type, and names of such types.
std::set<std::string, std::less<>> hash_names(const Source& source) {
  const auto all = words(source);
  const std::string_view code = source.code();
  std::set<std::string, std::less<>> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& word = all[i];
    auto end = word.offset + word.text.size();
    if (is_hash_container(word.text) && first_from(code, end) == '<') {
      if (i >= 3 && all[i - 3].text == "using")
        names.emplace(all[i - 2].text);  // using NAME = std::unordered_map<
      if (i >= 2 && all[i - 2].text == "using") names.emplace(all[i - 1].text);
      end = past_template(code, code.find('<', end));
    } else if (!names.contains(word.text)) {
      continue;
    }
    if (end == std::string_view::npos) continue;
    const auto next = std::find_if(all.begin(), all.end(), [&](const Word& w) { return w.offset >= end; });
    const bool declares =
        next != all.end() &&
        code.substr(end, next->offset - end).find_first_not_of(" \n&*") == std::string_view::npos;
    if (declares) names.emplace(next->text);
  }
  return names;
}

std::string stem_of(const std::string& path) {
  const auto begin = path.rfind('/') + 1;
  return path.substr(begin, path.rfind('.') - begin);
}

/// Returns the names that `source` and its own header (same stem, same room) declare.
std::set<std::string, std::less<>> names_known_to(const Source& source, const Tree& tree) {
  std::set<std::string, std::less<>> names;
  for (const auto& other : tree) {
    const bool mine = stem_of(other.path()) == stem_of(source.path()) &&
                      room_of_file(other.path()) == room_of_file(source.path()) && other.is_cpp();
    if (mine) names.merge(hash_names(other));
  }
  return names;
}

/// The offset of the bracket that closes the one at `open`; the end of the code when there is none.
std::size_t closing(std::string_view code, std::size_t open, char opens, char closes) {
  int depth = 0;
  for (auto i = open; i < code.size(); ++i) {
    if (code[i] == opens) ++depth;
    if (code[i] == closes && --depth == 0) return i;
  }
  return code.size();
}

/// The name at the end of a range-for's range, e.g. `tasks_` of "for (auto& [id, task] : table.tasks_)";
/// `head` is what stands in its parentheses.
std::string_view range_name(std::string_view head) {
  int depth = 0;
  for (std::size_t i = 1; i + 1 < head.size(); ++i) {
    if (head[i] == ';') return {};
    if (head[i] == '(') ++depth;
    if (head[i] == ')') --depth;
    if (depth != 0 || head[i] != ':' || head[i + 1] == ':' || head[i - 1] == ':') continue;
    const auto range = head.substr(i + 1);
    return range.substr(range.find_last_of(" .>:*") + 1);
  }
  return {};
}

/// Returns whether the statement right behind a loop, whose head closes at `close`, sorts what the loop has
/// collected.
bool is_sorted_next(std::string_view code, std::size_t close) {
  const bool has_block = first_from(code, close + 1) == '{';
  const auto end = has_block ? closing(code, code.find('{', close), '{', '}') : code.find(';', close);
  if (end >= code.size()) return false;
  const auto next = code.find_first_not_of(" \n", end + 1);
  if (next == std::string_view::npos) return false;
  const auto statement = code.substr(next);
  return statement.starts_with("std::sort(") || statement.starts_with("std::ranges::sort(");
}

/// Returns whether a place is in the body of a check_invariants(): sums over all elements are the same in any
/// order, and nothing but an abort comes of them.
bool is_in_invariants(std::string_view code, const std::vector<Word>& all, std::size_t offset) {
  for (const auto& word : all) {
    if (word.text != "check_invariants") continue;
    const auto open = code.find_first_of(";{", word.offset);
    if (open == std::string_view::npos || code[open] == ';' || offset < open) continue;
    if (offset < closing(code, open, '{', '}')) return true;
  }
  return false;
}

/// Returns the name that is walked from this word on, in hash order; empty when nothing is.
std::string_view walked_at(std::string_view code, const Word& word,
                           const std::set<std::string, std::less<>>& names) {
  const auto end = word.offset + word.text.size();
  if (word.text == "for" && first_from(code, end) == '(') {
    const auto open = code.find('(', end);
    const auto close = closing(code, open, '(', ')');
    const auto name = range_name(code.substr(open + 1, close - open - 1));
    return names.contains(name) && !is_sorted_next(code, close) ? name : std::string_view{};
  }
  const auto rest = code.substr(end);
  const bool begins = rest.starts_with(".begin()") || rest.starts_with(".cbegin()");
  return begins && names.contains(word.text) ? word.text : std::string_view{};
}

void check_walks(const Source& source, const Tree& tree, Findings& findings) {
  const auto names = names_known_to(source, tree);
  if (names.empty()) return;
  const std::string_view code = source.code();
  const auto all = words(source);
  for (const auto& word : all) {
    const auto name = walked_at(code, word, names);
    if (name.empty() || is_in_invariants(code, all, word.offset)) continue;
    findings.push_back({source.path(), source.line_of(word.offset), std::string(name) + std::string(kWhy)});
  }
}

void check_addresses(const Source& source, Findings& findings) {
  constexpr std::array<std::string_view, 4> ordered{"map", "set", "multimap", "multiset"};
  const std::string_view code = source.code();
  for (const auto& word : words(source)) {
    const auto end = word.offset + word.text.size();
    if (std::find(ordered.begin(), ordered.end(), word.text) == ordered.end() || end >= code.size()) continue;
    if (code[end] != '<') continue;
    const auto key = code.substr(end, code.find_first_of(",>", end) - end);
    if (key.ends_with('*')) {
      findings.push_back({source.path(), source.line_of(word.offset),
                          "a " + std::string(word.text) +
                              " ordered by addresses, which differ from run to run; order by id or name"});
    }
  }
}

}  // namespace

Findings check_order(const Tree& tree) {
  Findings findings;
  for (const auto& source : tree) {
    const auto* room = room_of_file(source.path());
    if (room == nullptr || room->floor > 1 || !source.is_cpp()) continue;
    check_walks(source, tree, findings);
    check_addresses(source, findings);
  }
  return findings;
}

}  // namespace proffer::tidy
