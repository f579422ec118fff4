// Throws, and uses of proffer what the programs that load it do not use themselves.
#include <stdexcept>

#include "proffer/frameworks/delay_formula.hpp"
#include "tests/plugins/eager.hpp"

namespace {

class Throwing final : public Eager {
 public:
  explicit Throwing(Settings& settings) : Eager(settings) {
    const auto nodes = settings.count("nodes", 100);
    if (expected_locality({nodes, 3, 10}, 10) > 2) return;  // never so: the call alone matters
    throw std::runtime_error("there is no moon tonight");
  }
};

}  // namespace

PROFFER_POLICY("throwing", "throws when it is made", Throwing)
