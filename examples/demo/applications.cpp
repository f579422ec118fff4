// Four tenants with work of their own. Mappers choose or add up, so that what is shuffled stays small beside
// what is read; keys are all a reducer depends on.
#include <fmt/format.h>

#include <array>

#include "examples/demo/demo.hpp"

namespace proffer::demo {

const Application& application(int framework) {
  static const std::array<Application, 4> kApplications{{
      {"includes",
       R"(awk '$1 == "#include" {n[$2]++} $1 == "#" && $2 == "include" {n[$3]++} END {for (k in n) print k "\t" n[k]}')",
       R"(awk -F'\t' '{n[$1] += $2} END {for (k in n) print k "\t" n[k]}' | LC_ALL=C sort)", 2},
      {"widths", R"(awk '{n[length($0)]++} END {for (k in n) print k "\t" n[k]}')",
       R"(awk -F'\t' '{n[$1] += $2} END {for (k in n) print k "\t" n[k]}' | LC_ALL=C sort)", 1},
      {"licences",
       R"(grep -ioE 'copyright|licen[sc]e|warranty|permission|redistribut[a-z]*' | tr A-Z a-z | LC_ALL=C sort | uniq -c | awk '{print $2 "\t" $1}')",
       R"(awk -F'\t' '{n[$1] += $2} END {for (k in n) print k "\t" n[k]}' | LC_ALL=C sort)", 1},
      {"macros",
       R"(awk '$1 == "#define" {sub(/\(.*/, "", $2); print substr($2, 1, 2) "\t1"}' | LC_ALL=C sort | uniq -c | awk '{print $2 "\t" $1}')",
       R"(awk -F'\t' '{n[$1] += $2} END {for (k in n) print k "\t" n[k]}' | LC_ALL=C sort)", 2},
  }};
  return kApplications[static_cast<std::size_t>(framework) % kApplications.size()];
}

std::string job_name(int framework, int slice) { return fmt::format("{}-{}", framework, slice); }

}  // namespace proffer::demo
