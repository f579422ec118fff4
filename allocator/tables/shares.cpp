#include "allocator/tables/shares.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::allocator {
FrameworkIndex Shares::add(const std::string& pool, const std::string& name, const std::string& user,
                           Priority priority) {
  LeafSpec spec{.name = name, .submitted = ++submitted_};
  spec.user = user;
  spec.priority = priority;
  return tree_.add_leaf(pool, std::move(spec)).value();
}

void Shares::remove(FrameworkIndex framework) {
  for (const auto kind : kinds_) {
    PROFFER_CHECK(tree_.used(framework, kind) == 0, "a framework is removed with what it holds");
    hungry_.erase({kind, framework});
  }
  tree_.remove_leaf(framework);
  show_admitted();  // its place may be another's now
}

void Shares::reserve(FrameworkIndex framework, Kind kind, std::int64_t units) {
  tree_.set_used(framework, kind, tree_.used(framework, kind) + units);
}

void Shares::give_back(FrameworkIndex framework, Kind kind, std::int64_t units) {
  // A framework that wanted more all the time has been shown the idle slots already.
  const bool wanted = wants(framework, kind);
  tree_.set_used(framework, kind, tree_.used(framework, kind) - units);
  if (!wanted) note_hungry(framework, kind);
}

void Shares::reserve(FrameworkIndex framework, const Resources& resources) {
  for (const auto& [kind, units] : resources) reserve(framework, kind, units);
}

void Shares::give_back(FrameworkIndex framework, const Resources& resources) {
  for (const auto& [kind, units] : resources) give_back(framework, kind, units);
}

void Shares::set_demand(FrameworkIndex framework, Kind kind, std::int64_t units) {
  const bool wanted = wants(framework, kind);
  tree_.set_demand(framework, kind, units);
  if (!wanted) note_hungry(framework, kind);
}

bool Shares::knows(Kind kind) const { return std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end(); }

void Shares::add_kind(Kind kind, PeerId brought_by) {
  kinds_.push_back(kind);
  kinds_brought_.add(brought_by);
}

void Shares::add_capacity(const Resources& slots) {
  for (const auto& [kind, units] : slots) tree_.set_capacity(kind, tree_.capacity(kind) + units);
}

void Shares::remove_capacity(const Resources& slots) {
  for (const auto& [kind, units] : slots) tree_.set_capacity(kind, tree_.capacity(kind) - units);
}

void Shares::show_admitted() {
  for (const auto framework : tree_.pop_admitted()) {
    for (const auto kind : kinds_) note_hungry(framework, kind);
  }
}

void Shares::note_hungry(FrameworkIndex framework, Kind kind) {
  if (wants(framework, kind)) hungry_.insert({kind, framework});
}

}  // namespace proffer::allocator
