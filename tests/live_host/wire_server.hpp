// An allocator or catalog that is driven by hand.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "proffer/formats/codec.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live::test {

class WireServer {
 public:
  explicit WireServer(const std::string& endpoint = "tcp://127.0.0.1:0")
      : port_(BoundPort::bind(context_, endpoint).value()) {}
  const std::string& endpoint() const { return port_->endpoint(); }

  /// The next message of type M, whatever comes before it; fails the test when none comes within 20 s. Its
  /// peer is the one that say() then speaks to.
  template <class M>
  M receive() {
    const auto deadline = steady_now() + std::chrono::seconds(20);
    while (steady_now() < deadline) {
      const auto frame = next_frame();
      if (!frame) continue;
      auto envelope = decode(frame->bytes);
      EXPECT_TRUE(envelope.ok());
      if (!envelope.ok()) continue;
      const auto* message = std::get_if<M>(&envelope->message);
      if (message == nullptr) continue;
      peer_ = frame->peer;
      return *message;
    }
    ADD_FAILURE() << "no " << type_name(Message(M{})) << " came";
    return {};
  }

  /// Sends a message in the one session that there is.
  void say(Message message) {
    std::string frame;
    encode({{{7, 7}}, {1}, {42}, ++seq_, std::move(message)}, frame);
    EXPECT_EQ(port_->send(peer_, std::move(frame)), Sent::yes);
  }
  /// Outside of sessions.
  void refuse(Error error) {
    std::string frame;
    encode({{{7, 7}}, {1}, {}, 0, ErrorMessage{std::move(error), 0}}, frame);
    EXPECT_EQ(port_->send(peer_, std::move(frame)), Sent::yes);
  }

 private:
  std::optional<PortFrame> next_frame() {
    port_->flush();
    if (auto frame = port_->receive()) return frame;
    Poller poller;
    poller.wait({{port_.get(), -1}}, std::chrono::milliseconds(50));
    return port_->receive();
  }

  Context context_;
  std::unique_ptr<BoundPort> port_;
  PeerId peer_;
  std::uint64_t seq_ = 0;
};

}  // namespace proffer::live::test
