// Uses what nobody has.
#include "tests/plugins/eager.hpp"

extern "C" void nobody_has_this();

PROFFER_POLICIES(registry) {
  nobody_has_this();
  registry.add<Eager>("unresolved", "cannot be loaded");
}
