// The meaning of a rule for the items, halves and bounds of a type.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "proffer/decline_reason.hpp"
#include "proffer/formats/rules.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/result.hpp"
#include "proffer/task_state.hpp"
#include "proffer/topology.hpp"

namespace proffer::formats {

namespace detail {

template <class Rule>
struct OfList {  // a list without a rule of its own
  static constexpr std::size_t most = limits::kItems;
  using item = Rule;
};
template <std::size_t Most, class Inner>
struct OfList<List<Most, Inner>> {
  static constexpr std::size_t most = Most;
  using item = Inner;
};

template <class Rule>
struct OfPair {
  using first = Plain;
  using second = Plain;
};
template <class First, class Second>
struct OfPair<Pair<First, Second>> {
  using first = First;
  using second = Second;
};

template <class Rule>
struct OfBytes : std::false_type {};
template <std::size_t Most>
struct OfBytes<Bytes<Most>> : std::true_type {};

template <class Rule, class T>
struct OfNumber {
  static constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
};
template <std::uint64_t Most, class T>
struct OfNumber<UpTo<Most>, T> {
  static constexpr std::uint64_t most = Most;
};

}  // namespace detail

template <class Rule>
inline constexpr std::size_t list_limit = detail::OfList<Rule>::most;
template <class Rule>
using item_rule = typename detail::OfList<Rule>::item;
template <class Rule>
using first_rule = typename detail::OfPair<Rule>::first;
template <class Rule>
using second_rule = typename detail::OfPair<Rule>::second;
template <class Rule>
inline constexpr bool is_bytes = detail::OfBytes<Rule>::value;
/// The largest legal value of an integer.
template <class Rule, class T>
inline constexpr std::uint64_t most_of = detail::OfNumber<Rule, T>::most;

/// The number of values of an enumeration, from 0 without gaps.
template <class Enum>
inline constexpr std::uint64_t kEnumSize = 0;
template <>
inline constexpr std::uint64_t kEnumSize<DeclineReason> = kDeclineReasons;
template <>
inline constexpr std::uint64_t kEnumSize<TaskState> = kTaskStates;
template <>
inline constexpr std::uint64_t kEnumSize<TaskReason> = static_cast<std::uint64_t>(TaskReason::drained) + 1;
template <>
inline constexpr std::uint64_t kEnumSize<ErrorCode> = static_cast<std::uint64_t>(ErrorCode::split_brain) + 1;
template <>
inline constexpr std::uint64_t kEnumSize<Known> = static_cast<std::uint64_t>(Known::unknown) + 1;
template <>
inline constexpr std::uint64_t kEnumSize<Locality> = static_cast<std::uint64_t>(Locality::any) + 1;

}  // namespace proffer::formats
