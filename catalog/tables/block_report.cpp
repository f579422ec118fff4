#include "catalog/tables/block_report.hpp"

#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

constexpr std::size_t kChangesWhileReporting = 1024;
constexpr std::size_t kBlocksWhileReporting = limits::kItems;  // in all of these together

}  // namespace

ReportAssembly::Added ReportAssembly::add(const BlockReport& page) {
  if (page.page != next_page_) return Added::gap;
  if (blocks_.size() + page.blocks.size() > limits::kReplicasPerAgent) return Added::too_many;
  ++next_page_;
  for (const auto& [block, length] : page.blocks) blocks_[block] = length;
  return page.last ? Added::last : Added::more;
}

bool ReportAssembly::keep(const BlocksChanged& changed) {
  const auto blocks = changed.added.size() + changed.removed.size();
  if (changes_.size() >= kChangesWhileReporting || kept_ + blocks > kBlocksWhileReporting) return false;
  kept_ += blocks;
  changes_.push_back(changed);
  return true;
}

}  // namespace proffer::catalog
