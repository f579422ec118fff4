// Plug-ins are built by others, and at another time.
#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/policy_plugin.hpp"
#include "tests/plugins/vocabulary.hpp"

namespace proffer {
namespace {

TEST(PolicyInterface, IsRaisedWhenTypesThatPoliciesSeeChangeTheirSize) {
  const std::vector<std::size_t> sizes{sizeof(AgentInfo),   sizeof(SlotLook),       sizeof(Standing),
                                       sizeof(Choice),      sizeof(PolicySpec),     sizeof(Settings),
                                       sizeof(Policy),      sizeof(PolicyRegistry), sizeof(WaitingTask),
                                       sizeof(RunningTask), sizeof(Offer)};
  EXPECT_THAT(sizes, ::testing::ElementsAre(112, 48, 40, 64, 80, 88, 8, 96, 56, 88, 232))
      << "raise PROFFER_POLICY_INTERFACE, and note the sizes here";
  EXPECT_STREQ(PROFFER_POLICY_INTERFACE, "9");
}

}  // namespace
}  // namespace proffer
