// Traces of real clusters that tests run on where they are present.
#pragma once

#include <string>

namespace proffer::study {

/// Returns the path of a file below PROFFER_SHARED or beside the sources; empty where there is no such file.
std::string shared_data(const std::string& name);

/// Returns the message of an error; "no error" if there is none.
template <class T>
std::string error_of(const T& result) {
  return result ? "no error" : result.error().message;
}

}  // namespace proffer::study

/// Ends the test, visibly, where the data is not there.
#define PROFFER_NEEDS_DATA(path) \
  if ((path).empty()) GTEST_SKIP() << "no shared data here; PROFFER_SHARED names its folder"
