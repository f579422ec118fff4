// The stores' view of kept.hpp: records in the order of Kept. Fields may be added at the end of a record; a
// store of a version before them has to be taken over then, see live/store/record_store.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "formats/fields/agent.hpp"
#include "formats/fields/field.hpp"
#include "formats/fields/framework.hpp"
#include "formats/fields/traits.hpp"
#include "proffer/kept.hpp"

namespace proffer::formats {

template <>
inline constexpr std::uint64_t kEnumSize<AgentWish> = static_cast<std::uint64_t>(AgentWish::drain) + 1;
template <>
inline constexpr std::uint64_t kEnumSize<ServerRole> = static_cast<std::uint64_t>(ServerRole::catalog) + 1;

template <>
struct Layout<KeptFramework> {
  static constexpr std::string_view name = "framework";
  static constexpr auto fields = std::tuple{field("id", &KeptFramework::id),
                                            field("secret", &KeptFramework::secret),
                                            field("name", &KeptFramework::name, Name{}),
                                            field("user", &KeptFramework::user, Short{}),
                                            field("priority", &KeptFramework::priority, Short{}),
                                            field("pool", &KeptFramework::pool, Pool{}),
                                            field("asked", &KeptFramework::asked, Pool{}),
                                            field("failover_timeout", &KeptFramework::failover_timeout),
                                            field("epoch", &KeptFramework::epoch),
                                            field("instance", &KeptFramework::instance)};
};

template <>
struct Layout<KeptAgent> {
  static constexpr std::string_view name = "agent";
  static constexpr auto fields = std::tuple{
      field("info", &KeptAgent::info), field("secret", &KeptAgent::secret), field("run", &KeptAgent::run),
      field("wish", &KeptAgent::wish), field("unreachable", &KeptAgent::unreachable)};
};

template <>
struct Layout<RetiredAgent> {
  static constexpr std::string_view name = "retired agent";
  static constexpr auto fields =
      std::tuple{field("id", &RetiredAgent::id), field("name", &RetiredAgent::name, Name{})};
};

template <>
struct Layout<KeptLaunch> {
  static constexpr std::string_view name = "launch";
  static constexpr auto fields =
      std::tuple{field("launch", &KeptLaunch::launch),       field("framework", &KeptLaunch::framework),
                 field("task", &KeptLaunch::task),           field("job", &KeptLaunch::job),
                 field("resources", &KeptLaunch::resources), field("seq", &KeptLaunch::seq),
                 field("statuses", &KeptLaunch::statuses),   field("end_asked", &KeptLaunch::end_asked),
                 field("ended", &KeptLaunch::ended),         field("settled", &KeptLaunch::settled)};
};

template <>
struct Layout<KeptServer> {
  static constexpr std::string_view name = "server";
  static constexpr auto fields =
      std::tuple{field("role", &KeptServer::role), field("cluster", &KeptServer::cluster),
                 field("epoch", &KeptServer::epoch), field("incarnation", &KeptServer::incarnation)};
};

template <>
struct Layout<KeptBoot> {
  static constexpr std::string_view name = "boot";
  static constexpr auto fields = std::tuple{field("boot", &KeptBoot::boot, Short{})};
};

template <>
struct Layout<KeptIdentity> {
  static constexpr std::string_view name = "identity";
  static constexpr auto fields =
      std::tuple{field("id", &KeptIdentity::id), field("secret", &KeptIdentity::secret),
                 field("epoch", &KeptIdentity::epoch)};
};

template <>
struct Layout<KeptTask> {
  static constexpr std::string_view name = "task";
  static constexpr auto fields =
      std::tuple{field("task", &KeptTask::task),           field("agent", &KeptTask::agent),
                 field("resources", &KeptTask::resources), field("number", &KeptTask::number),
                 field("state", &KeptTask::state),         field("seq", &KeptTask::seq)};
};

template <>
struct Layout<KeptNote> {
  static constexpr std::string_view name = "note";
  static constexpr auto fields = std::tuple{field("key", &KeptNote::key, Bytes<limits::kTextBytes / 2>{}),
                                            field("value", &KeptNote::value, Bytes<limits::kNoteBytes>{})};
};

namespace detail {
template <class... Kinds>
constexpr auto names_of(const std::variant<Kinds...>*) {
  return std::array{std::string_view(Layout<Kinds>::name)...};
}
}  // namespace detail

/// The names of records' kinds, by their place in Kept.
inline constexpr auto kRecordKinds = detail::names_of(static_cast<const Kept*>(nullptr));

}  // namespace proffer::formats
