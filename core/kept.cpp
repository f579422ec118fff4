#include "proffer/kept.hpp"

#include <type_traits>

#include "core/one_of.hpp"

namespace proffer {

PROFFER_ONE_OF(KeptSet);

namespace {

template <class T, class... Kinds>
constexpr std::size_t kind_in(const std::variant<Kinds...>*) {
  std::size_t kind = 0;
  const bool known = ((std::is_same_v<T, Kinds> || (++kind, false)) || ...);
  return known ? kind : sizeof...(Kinds);
}

template <class T>
constexpr std::size_t kind_of() {
  return kind_in<T>(static_cast<const Kept::variant*>(nullptr));
}

std::string text(LaunchId launch) { return std::to_string(launch.epoch) + "." + std::to_string(launch.n); }

std::string key(const KeptFramework& record) { return to_hex(record.id.value); }
std::string key(const KeptAgent& record) { return to_hex(record.info.id.value); }
std::string key(const RetiredAgent& record) { return to_hex(record.id.value); }
std::string key(const KeptLaunch& record) { return text(record.launch); }
std::string key(const KeptServer& record) {
  return record.role == ServerRole::allocator ? "allocator" : "catalog";
}
std::string key(const KeptBoot&) { return {}; }
std::string key(const KeptIdentity&) { return {}; }
std::string key(const KeptTask& record) { return record.task.value; }
std::string key(const KeptNote& record) { return record.key; }

}  // namespace

KeptKey key_of(const Kept& record) {
  return {record.index(), std::visit([](const auto& one) { return key(one); }, record)};
}
KeptKey key_of(FrameworkId framework) { return {kind_of<KeptFramework>(), to_hex(framework.value)}; }
KeptKey key_of(AgentId agent) { return {kind_of<KeptAgent>(), to_hex(agent.value)}; }
KeptKey key_of(LaunchId launch) { return {kind_of<KeptLaunch>(), text(launch)}; }
KeptKey key_of(const TaskId& task) { return {kind_of<KeptTask>(), task.value}; }
KeptKey key_of_note(const std::string& key) { return {kind_of<KeptNote>(), key}; }

}  // namespace proffer
