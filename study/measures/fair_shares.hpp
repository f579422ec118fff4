// Fair shares as real numbers: weighted max-min with guarantees, level by level of the tree of pools
// (SEMANTICS §1). The allocator's own tree has whole slots, and what rounding takes from one tenant for hours
// is no deficit; and a measure that asked the allocator what is fair could not tell that it is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/study/plan.hpp"

namespace proffer::study {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// The claim of one sibling: it is to get at least min(min, demand), and beyond that by weight.
struct RealClaim {
  double weight = 1;
  double min = 0;
  double demand = 0;  ///< may be kNoLimit

  double guaranteed() const { return demand < min ? demand : min; }
};
/// Returns the share of each claim: min(demand, max(r · weight, min(min, demand))) with the r for which they
/// sum to min(units, total demand). Guarantees beyond `units` are scaled down in proportion.
std::vector<double> fill(double units, const std::vector<RealClaim>& claims);

/// The tree of the allocator's pools with the frameworks in it. Tenants (the frameworks) are numbered in the
/// order in which they come; none ever leaves.
class FairShares {
 public:
  explicit FairShares(const Plan& plan);

  struct Tenant {
    std::string name = {};
    std::string pool = {};  ///< dotted; "" is the root
    std::string user = {};
    Priority priority = Priority::normal;
  };
  void add(const Tenant& tenant);
  std::size_t size() const { return tenants_.size(); }
  /// Returns whether a limit of running frameworks holds the tenant: none of its demand counts beyond what it
  /// runs.
  bool waits(std::size_t tenant) const { return nodes_[tenants_[tenant]].waits; }
  /// Returns whether a share may rest on another tenant's demand although that tenant has less than it wants.
  bool looks_at_demand() const { return looks_at_demand_; }

  /// Returns the share of each tenant in so many slots of the kind. `demands`: by tenant.
  std::vector<double> split(Kind kind, double slots, const std::vector<double>& demands) const;

 private:
  using NodeNo = std::size_t;
  struct Node {
    std::string name = {};
    std::optional<NodeNo> parent = {};
    double weight = 1;
    std::vector<NodeNo> children = {};       // pools by name, then tenants as they came
    std::optional<std::size_t> tenant = {};  // none: a pool
    PoolSpec pool = {};
    std::string user = {};
    Priority priority = Priority::normal;
    bool waits = false;
  };
  using Numbers = std::vector<double>;  // by node
  NodeNo pool_of(const std::string& path);
  NodeNo child_pool(NodeNo parent, const std::string& name);
  void admit();
  std::uint32_t most_of_user(NodeNo pool, const std::string& user) const;
  Numbers sums_of(const std::vector<double>& demands) const;
  Numbers split_level(NodeNo pool, Kind kind, double units, const Numbers& demands) const;
  Numbers split_in_order(const Node& pool, double units, const Numbers& demands) const;
  Numbers split_within_limits(const Node& pool, double units, std::vector<RealClaim> claims) const;

  std::vector<Node> nodes_;  // parents before their children
  std::vector<NodeNo> tenants_;
  std::map<std::string, std::uint32_t> user_limits_;
  bool looks_at_demand_ = false;
};

}  // namespace proffer::study
