#include "tests/formats/schema.hpp"

#include <algorithm>
#include <map>

#include "formats/fields/messages.hpp"
#include "formats/fields/traits.hpp"

namespace proffer::formats {
namespace {

/// Collects structures and unions as it meets them.
class Describer {
 public:
  Schema schema;

  template <class T>
  StructWords fields_of(std::string name, int number) {
    StructWords words{number, std::move(name), {}};
    for_each_field<T>([&](const auto& field) {
      using F = std::decay_t<decltype(field)>;
      words.fields.push_back(
          {std::string(field.name), type<typename F::rule>(std::type_identity<typename F::type>{})});
    });
    return words;
  }

  template <class T>
  void add_struct() {
    const std::string name(Layout<T>::name);
    if (std::any_of(schema.structs.begin(), schema.structs.end(),
                    [&](const auto& s) { return s.name == name; }))
      return;
    auto words = fields_of<T>(name, 0);  // what it is made of comes first
    schema.structs.push_back(std::move(words));
  }

 private:
  template <class Rule, class T>
  std::string type(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, bool>) {
      return "bool";
    } else if constexpr (std::is_integral_v<T>) {
      auto word = (std::is_signed_v<T> ? "i" : "u") + std::to_string(8 * sizeof(T));
      const bool bounded = most_of<Rule, T> < most_of<Plain, T>;
      return bounded ? word + " up to " + std::to_string(most_of<Rule, T>) : word;
    } else if constexpr (std::is_same_v<T, std::string>) {
      return text(Rule{});
    } else if constexpr (HasLayout<T>) {
      add_struct<T>();
      return std::string(Layout<T>::name);
    } else {
      return other(std::type_identity<T>{}, Rule{});
    }
  }

  template <class Rule>
  static std::string text(Rule) {
    return std::string(Rule::word);
  }
  template <std::size_t Most>
  static std::string text(Bytes<Most>) {
    return "bytes up to " + std::to_string(Most);
  }

  static std::string other(std::type_identity<DeclineReason>, Plain) { return "decline reason"; }
  static std::string other(std::type_identity<TaskState>, Plain) { return "task state"; }
  static std::string other(std::type_identity<TaskReason>, Plain) { return "task reason"; }
  static std::string other(std::type_identity<ErrorCode>, Plain) { return "error code"; }
  static std::string other(std::type_identity<Known>, Plain) { return "known"; }
  static std::string other(std::type_identity<Duration>, Plain) { return "duration"; }
  static std::string other(std::type_identity<Kind>, Plain) { return "kind"; }
  static std::string other(std::type_identity<Resources>, Plain) { return "resources"; }
  template <class Tag>
  static std::string other(std::type_identity<EpochCounter<Tag>>, Plain) {
    return "epoch id";
  }
  template <class Tag>
  static std::string other(std::type_identity<Id<Tag, Bits128>>, Plain) {
    return "id";
  }
  static std::string other(std::type_identity<TaskId>, Plain) { return std::string(Name::word); }
  template <class Tag, class Rep>
  std::string other(std::type_identity<Id<Tag, Rep>>, Plain) {
    return type<Plain>(std::type_identity<Rep>{});
  }

  template <class Rule>
  static std::string up_to() {
    return list_limit<Rule> == limits::kItems ? "" : " up to " + std::to_string(list_limit<Rule>);
  }
  static std::string other(std::type_identity<Quantities>, Plain) { return "quantities"; }
  template <class T, class Rule>
  std::string other(std::type_identity<std::vector<T>>, Rule) {
    return "list" + up_to<Rule>() + " of " + type<item_rule<Rule>>(std::type_identity<T>{});
  }
  template <class T, std::size_t N>
  std::string other(std::type_identity<std::array<T, N>>, Plain) {
    return std::to_string(N) + " times " + type<Plain>(std::type_identity<T>{});
  }
  template <class A, class B, class Rule>
  std::string other(std::type_identity<std::pair<A, B>>, Rule) {
    return "[" + type<first_rule<Rule>>(std::type_identity<A>{}) + ", " +
           type<second_rule<Rule>>(std::type_identity<B>{}) + "]";
  }
  template <class T, class Rule>
  std::string other(std::type_identity<std::optional<T>>, Rule) {
    return type<Rule>(std::type_identity<T>{}) + " or nil";
  }
  template <class T>
  std::string other(std::type_identity<std::shared_ptr<const T>>, Plain) {
    return type<Plain>(std::type_identity<T>{}) + " or nil";
  }
  std::string other(std::type_identity<Work>, Plain) { return add_union<Work>("work"); }
  std::string other(std::type_identity<TaskResult>, Plain) { return add_union<TaskResult>("result"); }
  std::string other(std::type_identity<DataName>, Plain) { return add_union<DataName>("data name"); }

  template <class Variant>
  std::string add_union(std::string name) {
    UnionWords words{name, {}};
    detail::for_each_alternative(std::type_identity<Variant>{}, [&](auto alternative) {
      words.alternatives.push_back(type<Plain>(alternative));
    });
    const bool known = std::any_of(schema.unions.begin(), schema.unions.end(),
                                   [&](const auto& u) { return u.name == name; });
    if (!known) schema.unions.push_back(std::move(words));
    return name;
  }
};

Schema describe() {
  Describer describer;
  describer.add_struct<Head>();
  std::map<int, StructWords> messages;
  for_each_message([&]<class M>(std::type_identity<M>) {
    const int number = Layout<M>::number;
    messages[number] = describer.fields_of<M>(std::string(type_name(M{})), number);
  });
  for (auto& [number, words] : messages) describer.schema.messages.push_back(std::move(words));
  return std::move(describer.schema);
}

}  // namespace

const Schema& schema() {
  static const auto all = describe();
  return all;
}

}  // namespace proffer::formats
