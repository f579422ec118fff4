// A failed check as an exception: for worlds that try machines out, and have to say in which run one failed.
#pragma once

#include <string>

namespace proffer {

/// The exception that PROFFER_CHECK throws in a thread in which a ThrowFailedChecks lives.
struct FailedCheck {
  std::string what;  ///< file, line, condition and reason
};

/// Checks that fail in this thread throw instead of aborting, for as long as it lives. The object that was at
/// work is of no further use, but it can be destroyed.
class ThrowFailedChecks {
 public:
  ThrowFailedChecks();
  ~ThrowFailedChecks();
  ThrowFailedChecks(const ThrowFailedChecks&) = delete;
  ThrowFailedChecks& operator=(const ThrowFailedChecks&) = delete;

 private:
  bool before_;
};

}  // namespace proffer
