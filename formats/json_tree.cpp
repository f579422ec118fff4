#include "proffer/formats/json_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "proffer/check.hpp"

namespace proffer::formats {
namespace {

constexpr std::size_t kDeepest = 200;      // trees are walked and destroyed by recursion
constexpr std::size_t kLongestQuote = 40;  // longest quotation of the input, in a sentence about it

/// The reading position in a text. `line` is that of the last character read, so that it still holds for a
/// number when the parser has looked one character past its end.
struct Cursor {
  explicit Cursor(std::string_view text) : next(text.data()), end(text.data() + text.size()) {}

  void advance() {
    line = line_of_next();
    ++next;
    any_read = true;
  }
  void retreat() { --next; }
  std::uint32_t line_of_next() const { return line + (any_read && next[-1] == '\n' ? 1 : 0); }
  bool skip_space() {
    while (next != end && std::isspace(static_cast<unsigned char>(*next)) != 0) advance();
    return next != end;
  }

  const char* next;
  const char* end;
  std::uint32_t line = 1;
  bool any_read = false;
};

/// The iterator that the library reads from: copies share one cursor. Two are equal only at the end.
class CursorIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CursorIterator() = default;
  explicit CursorIterator(Cursor& cursor) : cursor_(&cursor) {}
  reference operator*() const { return *cursor_->next; }
  CursorIterator& operator++() {
    cursor_->advance();
    return *this;
  }
  bool operator==(const CursorIterator& other) const { return at_end() == other.at_end(); }

 private:
  bool at_end() const { return cursor_ == nullptr || cursor_->next == cursor_->end; }
  Cursor* cursor_ = nullptr;
};

/// Returns the library's sentence without its code, its position and long quotations.
std::string plain(std::string_view what) {
  if (const auto end = what.find("] "); what.starts_with("[json.exception.") && end != what.npos) {
    what.remove_prefix(end + 2);
  }
  if (const auto colon = what.find(": "); what.starts_with("parse error at ") && colon != what.npos) {
    what.remove_prefix(colon + 2);
  }
  std::string text(what);
  const auto quote = text.find("; last read: '");
  if (quote == text.npos) return text;
  const auto quote_end = std::min(text.find("'; expected ", quote), text.size() - 1) + 1;
  const auto quoted = std::string_view(text).substr(quote, quote_end - quote);
  const bool readable =
      quoted.size() <= kLongestQuote &&
      std::all_of(quoted.begin(), quoted.end(), [](char c) { return c >= ' ' && c < 0x7f; });
  if (!readable) text.erase(quote, quote_end - quote);
  return text;
}

/// Builds a tree from the events of the library's parser.
class TreeBuilder {
 public:
  explicit TreeBuilder(const Cursor& cursor) : cursor_(cursor) {}
  JsonNode take() { return std::move(root_); }
  const std::string& fault() const { return fault_; }
  std::uint32_t fault_line() const { return fault_line_; }

  bool null() { return scalar({}); }
  bool boolean(bool value) { return scalar(JsonNode(value)); }
  bool number_integer(std::int64_t value) { return scalar(JsonNode(value)); }
  bool number_unsigned(std::uint64_t value) {
    if (value > std::numeric_limits<std::int64_t>::max()) return scalar(JsonNode(static_cast<double>(value)));
    return scalar(JsonNode(static_cast<std::int64_t>(value)));
  }
  bool number_float(double value, const std::string&) { return scalar(JsonNode(value)); }
  bool string(std::string& value) { return scalar(JsonNode(std::move(value))); }
  bool binary(nlohmann::json::binary_t&) { return fail("binary data has no place in text", cursor_.line); }
  bool key(std::string& name) {
    open_.back()->members.emplace_back(std::move(name), JsonNode{});
    return true;
  }
  bool start_object(std::size_t) { return open(JsonNode::object()); }
  bool start_array(std::size_t) { return open(JsonNode::array()); }
  bool end_array() { return close(); }
  bool end_object() { return names_are_unique(open_.back()->members) && close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    return fail(plain(error.what()), cursor_.line);
  }

 private:
  using Members = std::vector<std::pair<std::string, JsonNode>>;

  bool fail(std::string what, std::uint32_t line) {
    fault_ = std::move(what);
    fault_line_ = line;
    return false;
  }

  /// Returns the node for the next value. Pointers to open nodes hold: only the innermost one grows.
  JsonNode& place() {
    if (open_.empty()) return root_;
    auto& parent = *open_.back();
    return parent.type == JsonType::object ? parent.members.back().second : parent.items.emplace_back();
  }
  bool scalar(JsonNode value) {
    value.line = cursor_.line;
    place() = std::move(value);
    return true;
  }
  bool open(JsonNode container) {
    if (open_.size() >= kDeepest) {
      return fail(fmt::format("nested more than {} levels deep", kDeepest), cursor_.line);
    }
    container.line = cursor_.line;
    auto& node = place();
    node = std::move(container);
    open_.push_back(&node);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  bool names_are_unique(const Members& members) {
    std::vector<const Members::value_type*> sorted;
    sorted.reserve(members.size());
    for (const auto& member : members) sorted.push_back(&member);
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* a, const auto* b) { return std::tie(a->first, a) < std::tie(b->first, b); });
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end(),
                                          [](const auto* a, const auto* b) { return a->first == b->first; });
    if (twice == sorted.end()) return true;
    const auto& [name, value] = **std::next(twice);
    return fail(fmt::format("the member \"{}\" is there twice in one object", name), value.line);
  }

  const Cursor& cursor_;
  JsonNode root_;
  std::vector<JsonNode*> open_;
  std::string fault_;
  std::uint32_t fault_line_ = 0;
};

enum class After : std::uint8_t { nothing, more };

Result<JsonNode> read_document(Cursor& cursor, std::string_view file, After after) {
  TreeBuilder builder(cursor);
  const bool strict = after == After::nothing;
  if (!nlohmann::json::sax_parse(CursorIterator(cursor), CursorIterator(), &builder,
                                 nlohmann::json::input_format_t::json, strict)) {
    return Error{ErrorCode::invalid, fmt::format("{}:{}: {}", file, builder.fault_line(), builder.fault())};
  }
  return builder.take();
}

/// Undoes the reading of the character behind a number: only for a number the parser reads one too many.
void give_back_lookahead(Cursor& cursor, const JsonNode& read) {
  const bool is_number = read.type == JsonType::integer || read.type == JsonType::number;
  if (is_number && std::isdigit(static_cast<unsigned char>(cursor.next[-1])) == 0) cursor.retreat();
}

using Json = nlohmann::ordered_json;

Json to_library(const JsonNode& node) {
  switch (node.type) {
    case JsonType::null:
      return nullptr;
    case JsonType::boolean:
      return node.boolean;
    case JsonType::integer:
      return node.integer;
    case JsonType::number:
      return node.number;
    case JsonType::string:
      return node.text;
    case JsonType::array: {
      auto json = Json::array();
      for (const auto& item : node.items) json.push_back(to_library(item));
      return json;
    }
    case JsonType::object: {
      auto json = Json::object();
      for (const auto& [name, value] : node.members) json[name] = to_library(value);
      return json;
    }
  }
  PROFFER_CHECK(false, "a type of JSON node that does not exist");
}

}  // namespace

JsonNode::JsonNode(bool value) : type(JsonType::boolean), boolean(value) {}
JsonNode::JsonNode(std::int64_t value)
    : type(JsonType::integer), integer(value), number(static_cast<double>(value)) {}
JsonNode::JsonNode(double value) : type(JsonType::number), number(value) {}
JsonNode::JsonNode(std::string value) : type(JsonType::string), text(std::move(value)) {}

JsonNode JsonNode::array(std::vector<JsonNode> items) {
  JsonNode node;
  node.type = JsonType::array;
  node.items = std::move(items);
  return node;
}

JsonNode JsonNode::object(std::vector<std::pair<std::string, JsonNode>> members) {
  JsonNode node;
  node.type = JsonType::object;
  node.members = std::move(members);
  return node;
}

const JsonNode* JsonNode::find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [name](const auto& member) { return member.first == name; });
  return found == members.end() ? nullptr : &found->second;
}

void JsonNode::set(std::string name, JsonNode value) {
  PROFFER_CHECK(type == JsonType::object, "only an object has members");
  PROFFER_CHECK(find(name) == nullptr, "a member is set once");
  members.emplace_back(std::move(name), std::move(value));
}

Result<JsonNode> parse_json(std::string_view text, std::string_view file) {
  Cursor cursor(text);
  return read_document(cursor, file, After::nothing);
}

Result<std::vector<JsonNode>> parse_json_sequence(std::string_view text, std::string_view file) {
  std::vector<JsonNode> documents;
  Cursor cursor(text);
  while (cursor.skip_space()) {
    auto document = read_document(cursor, file, After::more);
    if (!document) return document.error();
    documents.push_back(std::move(*document));
    give_back_lookahead(cursor, documents.back());
  }
  return documents;
}

std::string dump_json(const JsonNode& node, int indent) {
  return to_library(node).dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace proffer::formats
