// Paths in the store, as far as a job needs to compose them; what is a valid one is for the catalog to say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proffer/ids.hpp"

namespace proffer::mapreduce {

/// Writes a path as the catalog does, "/a/b" for "a//b/", so that listings can be compared with it; "/" when
/// nothing is named.
std::string store_path(std::string_view text);

/// True when a component of `path` below `folder` begins with _ or . (both as store_path gives them).
bool is_hidden_below(std::string_view folder, std::string_view path);

std::string temporary_path(const std::string& output);
/// The path of the claim on an output, which becomes its _SUCCESS.
std::string claim_path(const std::string& output);
std::string success_path(const std::string& output);
std::string part_name(std::uint32_t index);
/// The path at which an attempt writes its part until the job publishes it.
std::string attempt_path(const std::string& output, const TaskId& attempt, std::uint32_t index);

}  // namespace proffer::mapreduce
