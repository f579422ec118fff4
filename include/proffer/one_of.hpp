// A std::variant whose copies, moves, comparisons and end are compiled once, in the source that says
// PROFFER_ONE_OF (core/one_of.hpp), and not in every source that handles one: with forty alternatives that is
// most of what a source costs to compile.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace proffer {

namespace detail {
template <class T, class Variant>
inline constexpr bool kIsAlternative = false;
template <class T, class... Ts>
inline constexpr bool kIsAlternative<T, std::variant<Ts...>> = (std::is_same_v<T, Ts> || ...);
}  // namespace detail

/// A variant described by a set: Set::variant is the std::variant, whose first alternative should be cheap to
/// construct; Set::comparable says whether all its alternatives have operator==.
template <class Set>
class OneOf : public Set::variant {
 public:
  using variant = typename Set::variant;

  OneOf();
  template <class T>
    requires detail::kIsAlternative<T, typename Set::variant>
  OneOf(T value) : OneOf() {
    set(std::move(value));
  }
  OneOf(const OneOf& other);
  OneOf(OneOf&& other) noexcept;
  OneOf& operator=(const OneOf& other);
  OneOf& operator=(OneOf&& other) noexcept;
  ~OneOf();
  bool operator==(const OneOf& other) const
    requires(Set::comparable);

  template <class T>
  void set(T&& value);
};

}  // namespace proffer
