#include "proffer/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace proffer {

void check_failed(const char* condition, const char* file, int line, std::string_view why) {
  std::fprintf(stderr, "%s:%d: check failed: %s: %.*s\n", file, line, condition, static_cast<int>(why.size()),
               why.data());
  std::abort();
}

}  // namespace proffer
