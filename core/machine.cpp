#include "proffer/machine.hpp"

#include "core/one_of.hpp"

namespace proffer {

PROFFER_ONE_OF(EventSet);
PROFFER_ONE_OF(ActionSet);

}  // namespace proffer
