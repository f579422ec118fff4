#include "tests/plugins/eager.hpp"

PROFFER_POLICY("Eager,now", "has a name that cannot be written", Eager)
