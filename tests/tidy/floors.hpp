// The rooms of the house, their folders, and the rooms that each may include.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proffer::tidy {

struct Room {
  std::string_view name;
  int floor = 0;
  std::vector<std::string_view> sees;  ///< besides itself
};

/// The house, lowest floor first.
const std::vector<Room>& rooms();
const Room* find_room(std::string_view name);

/// The room of a file ("allocator/x.cpp", "include/proffer/allocator/x.hpp", ...); null outside the house.
const Room* room_of_file(std::string_view path);

/// The room that a quoted include reaches into; null when it is no header of the house.
const Room* room_of_include(std::string_view path);

/// "policies" for frameworks/policies/... and include/proffer/frameworks/policies/..., "" outside the parts
/// that are blind to each other.
std::string_view part_of(std::string_view path);

}  // namespace proffer::tidy
