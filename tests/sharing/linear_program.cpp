#include "tests/sharing/linear_program.hpp"

#include <glpk.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "proffer/check.hpp"

namespace proffer::sharing {
namespace {

constexpr double kTolerance = 1e-9;

/// One linear program: maximize `objective` over the parts, which are in [0, 1], and the level.
class Program {
 public:
  Program(const Amounts& capacity, const std::vector<BulkClaim>& claims)
      : claims_(claims), capacity_(capacity) {
    for (const auto& claim : claims) {
      double dominant = 0;
      for (std::size_t k = 0; k < capacity.size(); ++k) {
        dominant = std::max(dominant, double(claim.demand[k]) / double(capacity[k]));
      }
      shares_.push_back(1000 * dominant / double(claim.weight));
    }
  }

  /// The dominant share by weight of a claim that has all it wants.
  double share(std::size_t claim) const { return shares_[claim]; }

  /// Maximizes the part of `of`, or the level. Parts that are not fixed have at least the share `level`.
  double maximize(std::optional<std::size_t> of, const std::vector<std::optional<double>>& fixed,
                  double level) const {
    const std::unique_ptr<glp_prob, decltype(&glp_delete_prob)> lp(glp_create_prob(), glp_delete_prob);
    const auto parts = static_cast<int>(claims_.size());
    glp_set_obj_dir(lp.get(), GLP_MAX);
    glp_add_cols(lp.get(), parts + 1);
    for (int i = 1; i <= parts; ++i) {
      const auto known = fixed[std::size_t(i - 1)];
      known ? glp_set_col_bnds(lp.get(), i, GLP_FX, *known, *known)
            : glp_set_col_bnds(lp.get(), i, GLP_DB, 0, 1);
      glp_set_obj_coef(lp.get(), i, of == std::size_t(i - 1) ? 1 : 0);
    }
    glp_set_col_bnds(lp.get(), parts + 1, GLP_LO, level, 0);
    glp_set_obj_coef(lp.get(), parts + 1, of ? 0 : 1);
    for (std::size_t k = 0; k < capacity_.size(); ++k) {
      std::vector<double> row;
      for (const auto& claim : claims_) row.push_back(double(claim.demand[k]) / double(capacity_[k]));
      row.push_back(0);
      add_row(lp.get(), row, GLP_UP, 1);
    }
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      if (fixed[i]) continue;
      std::vector<double> row(claims_.size() + 1);
      row[i] = shares_[i];
      if (of) {
        add_row(lp.get(), row, GLP_LO, level);
      } else {
        row.back() = -1;
        add_row(lp.get(), row, GLP_LO, 0);
      }
    }
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    PROFFER_CHECK(glp_simplex(lp.get(), &options) == 0 && glp_get_status(lp.get()) == GLP_OPT, "no optimum");
    return glp_get_obj_val(lp.get());
  }

 private:
  static void add_row(glp_prob* lp, const std::vector<double>& row, int type, double bound) {
    std::vector<int> columns{0};
    std::vector<double> values{0};
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == 0) continue;
      columns.push_back(static_cast<int>(i) + 1);
      values.push_back(row[i]);
    }
    const auto number = glp_add_rows(lp, 1);
    glp_set_row_bnds(lp, number, type, bound, bound);
    glp_set_mat_row(lp, number, static_cast<int>(columns.size()) - 1, columns.data(), values.data());
  }

  const std::vector<BulkClaim>& claims_;
  const Amounts& capacity_;
  std::vector<double> shares_;
};

}  // namespace

std::vector<double> dominant_parts_by_linear_programs(const Amounts& capacity,
                                                      const std::vector<BulkClaim>& claims) {
  const Program program(capacity, claims);
  std::vector<std::optional<double>> fixed(claims.size());
  double level = 0;
  while (std::find(fixed.begin(), fixed.end(), std::nullopt) != fixed.end()) {
    // A claim that may not rise alone while the others stay where they are has what it gets.
    std::vector<std::size_t> blocked;
    level = program.maximize({}, fixed, level);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      if (fixed[i]) continue;
      const auto most = program.maximize(i, fixed, level * (1 - kTolerance));
      if (most * program.share(i) <= level * (1 + 1000 * kTolerance)) blocked.push_back(i);
    }
    PROFFER_CHECK(!blocked.empty(), "nobody is in the way of a higher level");
    for (const auto i : blocked) fixed[i] = std::min(level / program.share(i), 1.0);
  }
  std::vector<double> parts;
  for (const auto& part : fixed) parts.push_back(*part);
  return parts;
}

}  // namespace proffer::sharing
