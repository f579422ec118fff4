#include "study/readers/columns.hpp"

#include "proffer/names.hpp"

namespace proffer::study {

std::string_view to_string(TraceColumn column) {
  static constexpr std::array<std::string_view, kTraceColumns.size()> kNames{
      "job",      "framework",     "pool",    "user",        "bin",          "submit_s",
      "file",     "maps",          "reduces", "input_bytes", "output_bytes", "map_s",
      "reduce_s", "shuffle_bytes", "setup_s", "cleanup_s",   "file_bytes"};
  return enum_name(kNames, column);
}

}  // namespace proffer::study
