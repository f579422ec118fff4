// Assertions that stay on in every build: they are for programming errors, never for input.
#pragma once

#include <string_view>

namespace proffer {
[[noreturn]] void check_failed(const char* condition, const char* file, int line, std::string_view why);
}

/// Aborts with file, line, condition and `why` unless `condition` holds.
#define PROFFER_CHECK(condition, why) \
  (static_cast<bool>(condition) ? void(0) : ::proffer::check_failed(#condition, __FILE__, __LINE__, (why)))
