#include "core/sharing/dominant_filling.hpp"

#include <algorithm>
#include <utility>

#include "core/sharing/int128.hpp"
#include "proffer/check.hpp"

namespace proffer::sharing {
namespace {

/// 1, as a level and as a part of a demand: both are fixed-point numbers.
constexpr std::int64_t kOne = std::int64_t{1} << 60;
/// More than what fixed-point numbers cut off a share, as a part of a unit.
constexpr std::int64_t kCutOff = kOne >> 10;

/// The filling under way. A claim that rises has the part of its demand that belongs to the level; the part
/// of one that has stopped stays.
class Filling {
 public:
  Filling(const Amounts& capacity, const Amounts& available, const std::vector<BulkClaim>& claims)
      : available_(available), claims_(claims), parts_(claims.size()), rises_(claims.size(), true) {
    for (const auto& claim : claims) dominants_.push_back(dominant(capacity, claim));
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (dominants_[i].den == 0) rises_[i] = false;
    }
  }

  std::vector<Amounts> run() {
    for (std::int64_t level = 0; any_rises();) {
      level = highest_from(level);
      stop_at(level);
    }
    std::vector<Amounts> shares;
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      shares.emplace_back();
      for (const auto units : claims_[i].demand) shares.back().push_back(whole_units(parts_[i], units));
    }
    return shares;
  }

 private:
  /// The largest part of a capacity that a demand comes to, num / den; den = 0: of nothing, or of a kind that
  /// there is not.
  static Ratio dominant(const Amounts& capacity, const BulkClaim& claim) {
    Ratio largest{0, 1};
    for (std::size_t k = 0; k < capacity.size(); ++k) {
      if (claim.demand[k] == 0) continue;
      if (capacity[k] == 0) return {0, 0};
      largest = std::max(largest, Ratio{claim.demand[k], capacity[k]});
    }
    return largest.num == 0 ? Ratio{0, 0} : largest;
  }
  static std::int64_t whole_units(std::int64_t part, std::int64_t units) {
    return std::min(static_cast<std::int64_t>((Int128{part} * units + kCutOff) / kOne), units);
  }
  bool any_rises() const { return std::find(rises_.begin(), rises_.end(), true) != rises_.end(); }

  /// The part of its demand that a claim has at a level, which is a dominant share by weight.
  std::int64_t part_at(std::size_t i, std::int64_t level) const {
    if (!rises_[i]) return parts_[i];
    const auto dominant_share = std::min(Int128{level} * claims_[i].weight, Int128{kOne});
    return static_cast<std::int64_t>(
        std::min(dominant_share * dominants_[i].den / dominants_[i].num, Int128{kOne}));
  }
  bool is_enough(std::size_t kind, std::int64_t level) const {
    Int128 taken = 0;
    for (std::size_t i = 0; i < claims_.size(); ++i)
      taken += Int128{part_at(i, level)} * claims_[i].demand[kind];
    return taken <= Int128{available_[kind]} * kOne;
  }
  bool is_enough(std::int64_t level) const {
    for (std::size_t kind = 0; kind < available_.size(); ++kind) {
      if (!is_enough(kind, level)) return false;
    }
    return true;
  }
  /// The highest level that there is enough for, kOne at most. There is for `low`.
  std::int64_t highest_from(std::int64_t low) const {
    if (is_enough(kOne)) return kOne;
    for (auto high = kOne; high - low > 1;) {
      const auto middle = low + (high - low) / 2;
      (is_enough(middle) ? low : high) = middle;
    }
    return low;
  }
  /// Stops the claims that have all they want, and those that need a kind of which there is no more.
  void stop_at(std::int64_t level) {
    std::vector<bool> used_up;
    for (std::size_t kind = 0; kind < available_.size(); ++kind) {
      used_up.push_back(level < kOne && !is_enough(kind, level + 1));
    }
    const auto lacks = [&](const BulkClaim& claim) {
      for (std::size_t kind = 0; kind < used_up.size(); ++kind) {
        if (used_up[kind] && claim.demand[kind] > 0) return true;
      }
      return false;
    };
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      parts_[i] = part_at(i, level);
      if (level == kOne || parts_[i] == kOne || lacks(claims_[i])) rises_[i] = false;
    }
  }

  const Amounts& available_;
  const std::vector<BulkClaim>& claims_;
  std::vector<Ratio> dominants_;
  std::vector<std::int64_t> parts_;  ///< of its demand that a claim has, as of the last stop
  std::vector<bool> rises_;
};

}  // namespace

std::vector<Amounts> dominant_filling(const Amounts& capacity, const Amounts& available,
                                      const std::vector<BulkClaim>& claims) {
  PROFFER_CHECK(capacity.size() == available.size(), "as many capacities as kinds");
  for (const auto& claim : claims) {
    PROFFER_CHECK(claim.weight > 0 && claim.demand.size() == capacity.size(), "a claim out of range");
  }
  return Filling(capacity, available, claims).run();
}

}  // namespace proffer::sharing
