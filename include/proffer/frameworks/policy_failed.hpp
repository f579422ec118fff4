// The one exception that leaves a policy at work.
#pragma once

#include <stdexcept>

namespace proffer {

/// A policy that is a program of its own has ended, is silent, or says what cannot be understood. Whoever
/// drives the framework ends the run with this sentence: to go on by another policy would falsify what is
/// measured.
struct PolicyFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace proffer
