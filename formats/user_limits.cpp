#include "proffer/formats/user_limits.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "proffer/formats/settings.hpp"

namespace proffer::formats {
namespace {

std::span<const Setting<UserLimit>> user_keys() {
  using S = UserLimit;
  static constexpr std::array kKeys{
      setting<S, AsText<Short>, [](auto& s) -> auto& { return s.name; }>("name"),
      setting<S, AsCount<0>, [](auto& s) -> auto& { return s.max_running; }>("max_running"),
  };
  return kKeys;
}

bool has_key(const TomlNode& table, std::string_view key) {
  return std::any_of(table.members.begin(), table.members.end(),
                     [key](const auto& member) { return member.key.name == key; });
}

Result<UserLimit> read_user_limit(const TomlNode& table, std::string_view what, std::string_view file) {
  UserLimit user;
  if (auto read = read_settings(table, user_keys(), what, file, user); !read) return read.error();
  if (user.name.empty()) return error_at(file, table.position, fmt::format("{}: a user needs a name", what));
  if (has_key(table, "max_running")) return user;
  return error_at(file, table.position,
                  fmt::format("{}: the user \"{}\" needs max_running; 0 is no limit", what, user.name));
}

}  // namespace

Result<std::vector<UserLimit>> read_user_limits(const TomlNode& list, std::string_view what,
                                                std::string_view file) {
  if (list.type != TomlType::array) {
    return error_at(
        file, list.position,
        fmt::format("{} is a list of tables such as {{ name = \"ann\", max_running = 2 }}", what));
  }
  std::vector<UserLimit> users;
  std::map<std::string, Position> seen;
  for (const auto& table : list.items) {
    auto user = read_user_limit(table, what, file);
    if (!user) return user.error();
    const auto [first, is_new] = seen.try_emplace(user->name, table.position);
    if (!is_new) {
      return error_at(
          file, table.position,
          fmt::format("the user \"{}\" stands in line {} already", first->first, first->second.line));
    }
    users.push_back(std::move(*user));
  }
  return users;
}

std::string print_user_limits(const std::vector<UserLimit>& users) {
  std::string text;
  for (const auto& user : users) text += "\n[[user]]\n" + print_settings(user, user_keys());
  return text;
}

}  // namespace proffer::formats
