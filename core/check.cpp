#include "proffer/check.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "proffer/failed_check.hpp"

namespace proffer {
namespace {

thread_local bool throws = false;

}  // namespace

void check_failed(const char* condition, const char* file, int line, std::string_view why) {
  if (throws) {
    throw FailedCheck{std::string(file) + ":" + std::to_string(line) + ": check failed: " + condition + ": " +
                      std::string(why)};
  }
  std::fprintf(stderr, "%s:%d: check failed: %s: %.*s\n", file, line, condition, static_cast<int>(why.size()),
               why.data());
  std::abort();
}

ThrowFailedChecks::ThrowFailedChecks() : before_(std::exchange(throws, true)) {}
ThrowFailedChecks::~ThrowFailedChecks() { throws = before_; }

}  // namespace proffer
