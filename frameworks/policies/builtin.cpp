// Every built-in policy, in one explicit table: registration by static objects would vanish from archives.
#include "frameworks/policies/greedy.hpp"
#include "frameworks/policies/skip.hpp"
#include "frameworks/policies/wait.hpp"
#include "proffer/check.hpp"
#include "proffer/frameworks/policy_registry.hpp"

namespace proffer {
namespace {

PolicyRegistry builtin_policies() {
  PolicyRegistry all;
  all.add<GreedyPolicy>("greedy", "takes every slot, with the nearest task of the neediest job");
  all.add<SkipPolicy>("skip", "delay scheduling: a job lets slots without local data pass, so many of them");
  all.add<WaitPolicy>("wait", "delay scheduling: a job lets slots without local data pass, for so long");
  PROFFER_CHECK(!all.error(), "the built-in policies are wrong");
  return all;
}

}  // namespace

PolicyRegistry& policies() {
  static PolicyRegistry all = builtin_policies();
  return all;
}

std::vector<std::string> policy_names() { return policies().names(); }

Result<std::unique_ptr<Policy>> make_policy(const PolicySpec& spec, Duration heartbeat) {
  return policies().make(spec, heartbeat);
}

}  // namespace proffer
