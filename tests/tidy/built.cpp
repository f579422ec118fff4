// Sources that no target builds rot unseen.
#include "tests/tidy/floors.hpp"
#include "tests/tidy/rules.hpp"

namespace proffer::tidy {

Findings check_all_built(const Tree& tree, const std::set<std::string>& compiled) {
  Findings findings;
  for (const auto& source : tree) {
    if (!source.path().ends_with(".cpp") || room_of_file(source.path()) == nullptr) continue;
    if (compiled.contains(source.path())) continue;
    findings.push_back(
        {source.path(), 1, "no target builds this source; configure again if it is new, else delete it"});
  }
  return findings;
}

}  // namespace proffer::tidy
