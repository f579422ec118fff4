// Messages of machines are read by the codec as they were meant: every test that drives a machine checks all
// of them.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "proffer/formats/codec.hpp"
#include "proffer/machine.hpp"

namespace proffer {

inline void expect_reads_back(const Envelope& envelope) {
  std::string bytes;
  encode(envelope, bytes);
  const auto back = decode(bytes);
  ASSERT_TRUE(back) << type_name(envelope.message) << ": " << back.error().message;
  EXPECT_EQ(*back, envelope) << type_name(envelope.message);
}

/// Checks the actions that follow an event, unless it was a message that no codec would have let in.
inline void expect_reads_back(const Actions& actions, const Event& cause) {
  if (const auto* in = std::get_if<MessageReceived>(&cause)) {
    std::string bytes;
    encode(in->envelope, bytes);
    if (!decode(bytes)) return;
  }
  for (const auto& action : actions) {
    if (const auto* send = std::get_if<Send>(&action)) expect_reads_back(send->envelope);
  }
}

}  // namespace proffer
