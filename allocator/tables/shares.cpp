#include "allocator/tables/shares.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::allocator {
LeafId Shares::add(const std::string& pool, const std::string& name, const std::string& user,
                   Priority priority) {
  LeafSpec spec{.name = name, .submitted = ++submitted_};
  spec.user = user;
  spec.priority = priority;
  return tree_.add_leaf(pool, std::move(spec)).value();
}

void Shares::remove(LeafId leaf) {
  for (const auto kind : kinds_) {
    PROFFER_CHECK(tree_.used(leaf, kind) == 0, "a framework is removed with what it holds");
    hungry_.erase({kind, leaf});
  }
  tree_.remove_leaf(leaf);
  show_admitted();
}

void Shares::take(LeafId leaf, Kind kind, std::int64_t units) {
  tree_.set_used(leaf, kind, tree_.used(leaf, kind) + units);
}

void Shares::give_back(LeafId leaf, Kind kind, std::int64_t units) {
  const bool wanted = wants(leaf, kind);
  tree_.set_used(leaf, kind, tree_.used(leaf, kind) - units);
  if (!wanted) note_hungry(leaf, kind);
}

void Shares::take(LeafId leaf, const Resources& resources) {
  for (const auto& [kind, units] : resources) take(leaf, kind, units);
}

void Shares::give_back(LeafId leaf, const Resources& resources) {
  for (const auto& [kind, units] : resources) give_back(leaf, kind, units);
}

void Shares::set_demand(LeafId leaf, Kind kind, std::int64_t units) {
  const bool wanted = wants(leaf, kind);
  tree_.set_demand(leaf, kind, units);
  if (!wanted) note_hungry(leaf, kind);
}

bool Shares::knows(Kind kind) const { return std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end(); }

void Shares::add_capacity(const Resources& slots) {
  for (const auto& [kind, units] : slots) tree_.set_capacity(kind, tree_.capacity(kind) + units);
}

void Shares::remove_capacity(const Resources& slots) {
  for (const auto& [kind, units] : slots) tree_.set_capacity(kind, tree_.capacity(kind) - units);
}

void Shares::show_admitted() {
  for (const auto leaf : tree_.pop_admitted()) {
    for (const auto kind : kinds_) note_hungry(leaf, kind);
  }
}

void Shares::note_hungry(LeafId leaf, Kind kind) {
  if (wants(leaf, kind)) hungry_.insert({kind, leaf});
}

}  // namespace proffer::allocator
