#include "proffer/resources.hpp"

#include <algorithm>

#include "proffer/bulk.hpp"
#include "proffer/check.hpp"

namespace proffer {

Kind::Kind(std::string_view name) {
  PROFFER_CHECK(valid(name), "a kind's name is 1-15 bytes of [a-z0-9_]");
  std::copy(name.begin(), name.end(), text_.begin());
}

bool Kind::valid(std::string_view name) {
  if (name.empty() || name.size() > 15) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::string_view Kind::name() const {
  return {text_.data(),
          static_cast<std::size_t>(std::find(text_.begin(), text_.end(), '\0') - text_.begin())};
}

Resources::Resources(std::initializer_list<Entry> entries) {
  for (const auto& [kind, quantity] : entries) add(kind, quantity);
}

std::int64_t Resources::operator[](Kind kind) const {
  for (const auto& entry : entries_) {
    if (entry.first == kind) return entry.second;
  }
  return 0;
}

void Resources::set(Kind kind, std::int64_t quantity) {
  PROFFER_CHECK(quantity >= 0, "a quantity below zero");
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), kind,
                                   [](const Entry& entry, Kind wanted) { return entry.first < wanted; });
  const bool known = at != entries_.end() && at->first == kind;
  if (quantity == 0) {
    if (known) entries_.erase(at);
  } else if (known) {
    at->second = quantity;
  } else {
    entries_.insert(at, {kind, quantity});
  }
}

Resources& Resources::operator+=(const Resources& other) {
  for (const auto& [kind, quantity] : other) add(kind, quantity);
  return *this;
}

Resources& Resources::operator-=(const Resources& other) {
  for (const auto& [kind, quantity] : other) add(kind, -quantity);
  return *this;
}

bool Resources::contains(const Resources& other) const {
  return std::all_of(other.begin(), other.end(),
                     [this](const Entry& entry) { return (*this)[entry.first] >= entry.second; });
}

std::int64_t tasks_in(const Resources& room, const Resources& need) {
  PROFFER_CHECK(!need.empty(), "a task that needs nothing");
  auto tasks = room[need.begin()->first] / need.begin()->second;
  for (const auto& [kind, quantity] : need) tasks = std::min(tasks, room[kind] / quantity);
  return tasks;
}

}  // namespace proffer
