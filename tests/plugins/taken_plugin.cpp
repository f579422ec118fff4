// One good name, and one that the built-in policies have.
#include "tests/plugins/eager.hpp"

PROFFER_POLICIES(registry) {
  registry.add<Eager>("eager", "takes all");
  registry.add<Eager>("wait", "does not wait");
}
