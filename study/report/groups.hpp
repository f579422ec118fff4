// Tenants as they are told apart by colour: no more than a reader can.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proffer/study/report.hpp"

namespace proffer::study::reporting {

/// Frameworks; their pools when there are more than sixteen; the largest fifteen and the rest when those are
/// too many as well.
class Groups {
 public:
  /// Over all runs that `cells` show.
  explicit Groups(const std::vector<const ReportCell*>& cells);
  const std::string& of(const std::string& framework) const;
  /// By name; what stands for the rest is last.
  const std::vector<std::string>& names() const { return names_; }
  std::string what() const { return what_; }  ///< "framework" or "pool"

 private:
  std::map<std::string, std::string> group_;  // of a framework
  std::vector<std::string> names_;
  std::string what_ = "framework";
  std::string rest_ = "others";
};

}  // namespace proffer::study::reporting
