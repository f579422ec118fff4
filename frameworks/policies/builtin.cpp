// Every built-in policy, in one explicit table: registration by static objects would vanish from archives.
#include "frameworks/policies/adversaries.hpp"
#include "frameworks/policies/auto.hpp"
#include "frameworks/policies/dsfs.hpp"
#include "frameworks/policies/greedy.hpp"
#include "frameworks/policies/matchmaking.hpp"
#include "frameworks/policies/oracle.hpp"
#include "frameworks/policies/quincy.hpp"
#include "frameworks/policies/skip.hpp"
#include "frameworks/policies/wait.hpp"
#include "proffer/check.hpp"
#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/policy_registry.hpp"

namespace proffer {
namespace {

PolicyRegistry builtin_policies() {
  using namespace policies;
  PolicyRegistry all;
  all.add<GreedyPolicy>("greedy", "takes every slot, with the nearest task of the neediest job");
  all.add<SkipPolicy>("skip", "delay scheduling: a job lets slots without local data pass, so many of them");
  all.add<WaitPolicy>("wait", "delay scheduling: a job lets slots without local data pass, for so long");
  all.add<AutoPolicy>("auto", "delay scheduling that finds the wait for a wanted locality by itself");
  all.add<DsfsPolicy>("dsfs", "node-local until t1, rack-local until t2, then anything; no levels");
  all.add<MatchmakingPolicy>("matchmaking",
                             "every agent gets one pass without non-local work before it gets any");
  all.add<HoardPolicy>("hoard", "an adversary: answers late, and launches little on what it was offered");
  all.add<RandomDeclinePolicy>("random-decline", "a control group: declines offers at random");
  all.add<NeverAcceptPolicy>("never-accept", "an adversary: wants slots, and declines all");
  all.add<QuincyPolicy>("quincy", "plans all slots at once, as a flow that moves the least data");
  all.add<OraclePolicy>("oracle", "delay scheduling that knows when slots come free; of simulations only");
  PROFFER_CHECK(!all.error(), "the built-in policies are wrong");
  return all;
}

}  // namespace

PolicyRegistry& policy_registry() {
  static PolicyRegistry all = builtin_policies();
  return all;
}

std::vector<std::string> policy_names() { return policy_registry().names(); }

Result<std::unique_ptr<Policy>> make_policy(const PolicySpec& spec, Duration heartbeat) {
  return policy_registry().make(spec, heartbeat);
}

Result<> give_foresight(Policy& policy, const PolicySpec& spec, const Foresight* foresight) {
  auto* needs = PolicyAbilities(policy).needs_foresight;
  if (needs == nullptr) return {};
  if (foresight == nullptr) {
    return Error{ErrorCode::invalid, "the policy " + spec.name +
                                         " must know when slots will be released, which only a simulation "
                                         "can tell; choose another one here"};
  }
  needs->foresee(*foresight);
  return {};
}

}  // namespace proffer
