#include "tests/formats/tree.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "formats/fields/kept.hpp"
#include "formats/fields/messages.hpp"
#include "formats/fields/traits.hpp"

namespace proffer::formats {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Named: structures as objects, bytes in hexadecimal. Positional: as on the wire.
enum class Shape { named, positional };

template <Shape S>
class ToTree {
 public:
  using Tree = std::conditional_t<S == Shape::named, ordered_json, json>;

  template <class Rule, class T>
  static Tree tree(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<std::uint64_t>(value);
    } else if constexpr (std::is_integral_v<T>) {
      return value;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return is_bytes<Rule> ? binary(value) : Tree(value);
    } else if constexpr (HasLayout<T>) {
      Tree out = empty();
      add_fields(out, value);
      return out;
    } else {
      return other(value, Rule{});
    }
  }

  template <class T>
  static void add_fields(Tree& out, const T& value) {
    for_each_field<T>([&](const auto& field) {
      add(out, field.name, tree<typename std::decay_t<decltype(field)>::rule>(value.*field.member));
    });
  }
  static Tree empty() { return S == Shape::named ? Tree::object() : Tree::array(); }
  static void add(Tree& out, std::string_view name, Tree value) {
    if (S == Shape::named) {
      out[std::string(name)] = std::move(value);
    } else {
      out.push_back(std::move(value));
    }
  }

 private:
  static Tree binary(const std::string& bytes) {
    if constexpr (S == Shape::named) return to_hex_text(bytes);
    return Tree::binary({bytes.begin(), bytes.end()});
  }
  static Tree other(Duration value, Plain) { return to_us(value); }
  static Tree other(Kind value, Plain) { return std::string(value.name()); }
  template <class Tag>
  static Tree other(const Id<Tag, Bits128>& id, Plain) {
    return binary(id.value.is_nil() ? "" : from_hex_text(to_hex(id.value)));
  }
  template <class Tag, class Rep>
  static Tree other(const Id<Tag, Rep>& id, Plain) {
    return id.value;
  }
  template <class Tag>
  static Tree other(const EpochCounter<Tag>& id, Plain) {
    return Tree::array({id.epoch, id.n});
  }
  static Tree other(const Resources& bag, Plain) { return list<Plain>(bag); }
  static Tree other(const Quantities& quantities, Plain) { return list<Plain>(quantities); }
  template <class T, class Rule>
  static Tree other(const std::vector<T>& items, Rule) {
    return list<item_rule<Rule>>(items);
  }
  template <class T, std::size_t N>
  static Tree other(const std::array<T, N>& items, Plain) {
    return list<Plain>(items);
  }
  template <class A, class B, class Rule>
  static Tree other(const std::pair<A, B>& pair, Rule) {
    return Tree::array({tree<first_rule<Rule>>(pair.first), tree<second_rule<Rule>>(pair.second)});
  }
  template <class T, class Rule>
  static Tree other(const std::optional<T>& value, Rule) {
    return value ? tree<Rule>(*value) : Tree();
  }
  template <class T>
  static Tree other(const std::shared_ptr<const T>& value, Plain) {
    return value ? tree<Plain>(*value) : Tree();
  }
  template <class... Ts>
  static Tree other(const std::variant<Ts...>& value, Plain) {
    Tree out = empty();
    add(out, "tag", value.index());
    std::visit(
        [&]<class T>(const T& held) {
          if constexpr (HasLayout<T>) {
            add_fields(out, held);
          } else {
            add(out, "value", tree<Plain>(held));
          }
        },
        value);
    return out;
  }
  template <class Rule, class List>
  static Tree list(const List& items) {
    auto out = Tree::array();
    for (const auto& item : items) out.push_back(tree<Rule>(item));
    return out;
  }
};

/// The inverse of the named shape. Throws on what does not fit: the vectors are ours.
class FromTree {
 public:
  using Tree = ordered_json;

  template <class Rule, class T>
  static void read(const Tree& from, T& value) {
    if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(from.get<std::uint64_t>());
    } else if constexpr (std::is_integral_v<T>) {
      value = from.get<T>();
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = is_bytes<Rule> ? from_hex_text(from.get<std::string>()) : from.get<std::string>();
    } else if constexpr (HasLayout<T>) {
      read_fields(from, value);
    } else {
      other(from, value, Rule{});
    }
  }

  template <class T>
  static void read_fields(const Tree& from, T& value) {
    for_each_field<T>([&](const auto& field) {
      read<typename std::decay_t<decltype(field)>::rule>(from.at(std::string(field.name)),
                                                         value.*field.member);
    });
  }

 private:
  static void other(const Tree& from, Duration& value, Plain) { value = Duration{from.get<std::int64_t>()}; }
  static void other(const Tree& from, Kind& value, Plain) { value = Kind(from.get<std::string>()); }
  template <class Tag>
  static void other(const Tree& from, Id<Tag, Bits128>& id, Plain) {
    const auto hex = from.get<std::string>();
    id.value = hex.empty() ? Bits128{} : bits_from_hex(hex).value();
  }
  template <class Tag, class Rep>
  static void other(const Tree& from, Id<Tag, Rep>& id, Plain) {
    id.value = from.get<Rep>();
  }
  template <class Tag>
  static void other(const Tree& from, EpochCounter<Tag>& id, Plain) {
    id = {from.at(0).get<std::uint64_t>(), from.at(1).get<std::uint64_t>()};
  }
  static void other(const Tree& from, Quantities& quantities, Plain) {
    for (const auto& item : from)
      quantities[Kind(item.at(0).get<std::string>())] = item.at(1).get<std::int64_t>();
  }
  static void other(const Tree& from, Resources& bag, Plain) {
    for (const auto& item : from)
      bag.set(Kind(item.at(0).get<std::string>()), item.at(1).get<std::int64_t>());
  }
  template <class T, class Rule>
  static void other(const Tree& from, std::vector<T>& items, Rule) {
    for (const auto& item : from) read<item_rule<Rule>>(item, items.emplace_back());
  }
  template <class T, std::size_t N>
  static void other(const Tree& from, std::array<T, N>& items, Plain) {
    for (std::size_t i = 0; i < N; ++i) read<Plain>(from.at(i), items[i]);
  }
  template <class A, class B, class Rule>
  static void other(const Tree& from, std::pair<A, B>& pair, Rule) {
    read<first_rule<Rule>>(from.at(0), pair.first);
    read<second_rule<Rule>>(from.at(1), pair.second);
  }
  template <class T, class Rule>
  static void other(const Tree& from, std::optional<T>& value, Rule) {
    value.reset();
    if (!from.is_null()) read<Rule>(from, value.emplace());
  }
  template <class T>
  static void other(const Tree& from, std::shared_ptr<const T>& value, Plain) {
    if (from.is_null()) return;
    auto read_into = std::make_shared<T>();
    read<Plain>(from, *read_into);
    value = std::move(read_into);
  }
  template <class... Ts>
  static void other(const Tree& from, std::variant<Ts...>& value, Plain) {
    const auto tag = from.at("tag").get<std::size_t>();
    std::size_t place = 0;
    ((place++ == tag ? alternative(from, value.template emplace<Ts>()) : void()), ...);
  }
  template <class T>
  static void alternative(const Tree& from, T& value) {
    if constexpr (HasLayout<T>) {
      read_fields(from, value);
    } else {
      read<Plain>(from.at("value"), value);
    }
  }
};

template <Shape S>
auto tree_of(const Envelope& envelope) {
  auto out = ToTree<S>::empty();
  std::visit(
      [&]<class M>(const M& message) {
        const Head head{limits::kProtocolVersion, Layout<M>::number, envelope.cluster,
                        envelope.epoch,           envelope.session,  envelope.seq};
        ToTree<S>::add_fields(out, head);
        ToTree<S>::add(out, "body", ToTree<S>::template tree<Plain>(message));
      },
      envelope.message);
  return out;
}

json read_bytes(std::string_view bytes) { return json::from_msgpack(bytes.begin(), bytes.end()); }

std::string bytes_of(const json& tree) {
  const auto bytes = json::to_msgpack(tree);
  return {bytes.begin(), bytes.end()};
}

json& at(json& root, const Place& place) {
  auto* node = &root;
  for (const auto index : place) node = &node->at(index);
  return *node;
}

void add_places(const json& node, Place& place, std::vector<Place>& all) {
  if (!node.is_array()) return;
  for (std::size_t i = 0; i < node.size(); ++i) {
    place.push_back(i);
    all.push_back(place);
    add_places(node[i], place, all);
    place.pop_back();
  }
}

json value_of(Planted what) {
  switch (what) {
    case Planted::nil:
      return {};
    case Planted::yes:
      return true;
    case Planted::number_5:
      return 5;
    case Planted::negative:
      return -7;
    case Planted::huge:
      return std::numeric_limits<std::uint64_t>::max();
    case Planted::fraction:
      return 1.5;
    case Planted::text:
      return "a/b\0c";
    case Planted::bytes:
      return json::binary({1, 2, 3});
    case Planted::empty_array:
      return json::array();
    case Planted::map:
      return {{"a", 1}};
  }
  return {};
}

}  // namespace

std::string to_json(const Envelope& envelope) { return tree_of<Shape::named>(envelope).dump(); }

Envelope from_json(std::string_view text) {
  const auto tree = ordered_json::parse(text);
  Head head;
  FromTree::read_fields(tree, head);
  Envelope envelope{head.cluster, head.epoch, head.session, head.seq, {}};
  for_each_message([&]<class M>(std::type_identity<M>) {
    if (Layout<M>::number == head.type) FromTree::read<Plain>(tree.at("body"), envelope.message.emplace<M>());
  });
  return envelope;
}

std::string expected_elements(const Envelope& envelope) {
  return tree_of<Shape::positional>(envelope).dump();
}

std::string to_json(const Kept& record) { return ToTree<Shape::named>::tree<Plain>(record).dump(); }
Kept record_from_json(std::string_view text) {
  Kept record;
  FromTree::read<Plain>(ordered_json::parse(text), record);
  return record;
}
std::string expected_elements(const Kept& record) {
  return ToTree<Shape::positional>::tree<Plain>(record).dump();
}

std::string elements_of(std::string_view bytes) { return read_bytes(bytes).dump(); }

std::string print_vectors(const std::vector<TestVector>& vectors) {
  std::string text = "[\n";
  for (const auto& vector : vectors) {
    text += fmt::format("{}{{\"name\": {},\n \"message\": {},\n \"bytes\": \"{}\"}}",
                        text.size() > 2 ? ",\n" : "", json(vector.name).dump(), vector.message,
                        to_hex_text(vector.bytes));
  }
  return text + "\n]\n";
}

std::vector<TestVector> parse_vectors(std::string_view text) {
  std::vector<TestVector> vectors;
  for (const auto& item : ordered_json::parse(text)) {
    vectors.push_back({item.at("name").get<std::string>(), item.at("message").dump(),
                       from_hex_text(item.at("bytes").get<std::string>())});
  }
  return vectors;
}

std::vector<Place> places_of(std::string_view bytes) {
  std::vector<Place> all;
  Place place;
  add_places(read_bytes(bytes), place, all);
  return all;
}

std::string planted(std::string_view bytes, const Place& place, Planted what) {
  auto tree = read_bytes(bytes);
  at(tree, place) = value_of(what);
  return bytes_of(tree);
}

std::string longer(std::string_view bytes, const Place& array) {
  auto tree = read_bytes(bytes);
  at(tree, array).push_back(nullptr);
  return bytes_of(tree);
}

std::string shorter(std::string_view bytes, const Place& array) {
  auto tree = read_bytes(bytes);
  auto& items = at(tree, array);
  items.erase(items.size() - 1);
  return bytes_of(tree);
}

bool is_array(std::string_view bytes, const Place& place) {
  auto tree = read_bytes(bytes);
  return at(tree, place).is_array();
}

std::size_t size_of(std::string_view bytes, const Place& array) {
  auto tree = read_bytes(bytes);
  return at(tree, array).size();
}

std::string to_hex_text(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

std::string from_hex_text(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

}  // namespace proffer::formats
