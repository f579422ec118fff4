// Sentences for people about a share tree.
#include "proffer/sharing/share_tree.hpp"

namespace proffer {

std::string in_words(const ShareTree::Warning& warning, std::string_view whole) {
  const auto promised =
      std::to_string(warning.promised) + " slots of kind " + std::string(warning.kind.name());
  const auto share = std::to_string(warning.share);
  if (warning.pool.empty()) {
    return "pools are promised " + promised + " and " + std::string(whole) + " " + share +
           ": each gets its part of them";
  }
  return "the pools in '" + warning.pool + "' are promised " + promised + ", and it gets " + share +
         " when all want more: each gets its part of them";
}

std::string pools_in_words(const ShareTree& tree) {
  constexpr std::size_t kMost = 20;
  const auto pools = tree.pools(Kind("any"));
  std::string names;
  for (std::size_t i = 1; i < pools.size() && i <= kMost; ++i) {
    names += (names.empty() ? "'" : ", '") + pools[i].name + "'";
  }
  if (names.empty()) return "this cluster has none";
  return "the pools are " + names + (pools.size() > kMost + 1 ? ", ..." : "");
}

}  // namespace proffer
