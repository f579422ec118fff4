// Tenants as they are told apart by colour: no more than a reader can.
#pragma once

#include <string>
#include <vector>

#include "proffer/study/report.hpp"

namespace proffer::study::reporting {

/// Frameworks; the fifteen of most tasks and the rest when there are more than sixteen.
class Groups {
 public:
  /// Over all runs that `cells` show.
  explicit Groups(const std::vector<const ReportCell*>& cells);
  const std::string& of(const std::string& framework) const;
  /// Returns the groups by name; the one that stands for the rest is last.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::string rest_ = "others";
};

}  // namespace proffer::study::reporting
