// The optional bases of a policy: their destructors, which anchor their type_infos in the program, and the
// casts that find them.
#include "proffer/frameworks/policy_abilities.hpp"

namespace proffer {

Policy::~Policy() = default;
ChoosesTasks::~ChoosesTasks() = default;
PlansOffers::~PlansOffers() = default;
KillsTasks::~KillsTasks() = default;
LooksSeveralTimes::~LooksSeveralTimes() = default;
AsksForOffers::~AsksForOffers() = default;
SeesEnds::~SeesEnds() = default;
HoldsOffers::~HoldsOffers() = default;
NeedsForesight::~NeedsForesight() = default;

PolicyAbilities::PolicyAbilities(Policy& policy)
    : chooses_tasks(dynamic_cast<ChoosesTasks*>(&policy)),
      plans_offers(dynamic_cast<PlansOffers*>(&policy)),
      kills_tasks(dynamic_cast<KillsTasks*>(&policy)),
      looks_several_times(dynamic_cast<LooksSeveralTimes*>(&policy)),
      asks_for_offers(dynamic_cast<AsksForOffers*>(&policy)),
      sees_ends(dynamic_cast<SeesEnds*>(&policy)),
      holds_offers(dynamic_cast<HoldsOffers*>(&policy)),
      needs_foresight(dynamic_cast<NeedsForesight*>(&policy)) {}

}  // namespace proffer
