#include "tests/study_readers/data.hpp"

#include <cstdlib>
#include <filesystem>

namespace proffer::study {

std::string shared_data(const std::string& name) {
  const char* named = std::getenv("PROFFER_SHARED");
  const std::filesystem::path folder = named != nullptr ? named : PROFFER_SOURCE_DIR "/../shared";
  const auto path = folder / "data" / name;
  return std::filesystem::exists(path) ? path.string() : "";
}

}  // namespace proffer::study
