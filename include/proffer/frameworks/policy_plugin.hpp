// The header that a plug-in with decline policies includes (docs/POLICIES.md). One line at the end of the
// plug-in's source registers them:
//
//   PROFFER_POLICY("patient", "what it does, in one line", Patient)        a class with Patient(Settings&)
//   PROFFER_POLICIES(registry) { registry.add<Patient>("patient", "..."); registry.add<Hasty>(...); }
//
// The contract of a policy in a plug-in is that of the built-in ones: one thread at a time calls the policy,
// which takes time only from `now`, keeps no state outside of itself, and throws from its constructor only.
// Keep its class in an unnamed namespace: programs export their symbols to plug-ins, and a class of the same
// name as one of theirs would become that one.
//
// A plug-in links nothing of proffer; the program that loads it has it all.
#pragma once

#include <version>

#include "proffer/frameworks/policy.hpp"
#include "proffer/frameworks/policy_registry.hpp"

// The text on which program and plug-in must agree: the number of the interface, which is raised with every
// change of what a policy sees (its types, virtual functions, optional bases, Settings, PolicyRegistry), and
// whatever changes the layout of types of the standard library. Both compilers of Debian agree with each
// other.
#define PROFFER_POLICY_INTERFACE "9"
#ifdef _LIBCPP_VERSION
#define PROFFER_STANDARD_LIBRARY "libc++"
#elif defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
#define PROFFER_STANDARD_LIBRARY "libstdc++"
#else
#define PROFFER_STANDARD_LIBRARY "libstdc++ with old strings"
#endif
#ifdef _GLIBCXX_DEBUG
#define PROFFER_CHECKED_CONTAINERS ", checked containers"
#else
#define PROFFER_CHECKED_CONTAINERS ""
#endif
#define PROFFER_POLICY_ABI \
  "policies " PROFFER_POLICY_INTERFACE ", " PROFFER_STANDARD_LIBRARY PROFFER_CHECKED_CONTAINERS

extern "C" {
/// Returns PROFFER_POLICY_ABI of the plug-in. The name of this function never changes, so that every version
/// can refuse every other.
__attribute__((visibility("default"))) const char* proffer_policies_abi();
/// Registers the policies of the plug-in.
__attribute__((visibility("default"))) void proffer_policies_v1(::proffer::PolicyRegistry& registry);
}

#define PROFFER_POLICIES(registry)                                             \
  extern "C" const char* proffer_policies_abi() { return PROFFER_POLICY_ABI; } \
  extern "C" void proffer_policies_v1(::proffer::PolicyRegistry& registry)

#define PROFFER_POLICY(name, about, Class) \
  PROFFER_POLICIES(registry) { registry.add<Class>(name, about); }
