// A client that is driven by hand: messages over a real connection, with what a session needs filled in.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "proffer/formats/codec.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live::test {

class WireClient {
 public:
  explicit WireClient(const std::string& endpoint)
      : port_(ConnectedPort::connect(context_, endpoint).value()) {}

  void say(Message message) {
    std::string frame;
    encode({cluster, epoch, session, session.value == 0 ? 0 : ++seq_, std::move(message)}, frame);
    say_bytes(std::move(frame));
  }
  void say_bytes(std::string frame) { EXPECT_EQ(port_->send({}, std::move(frame)), Sent::yes); }

  /// The next message of type M, whatever comes before it; fails the test when none comes within 20 s.
  template <class M>
  M receive() {
    return hear_either<M, M>() ? std::get<M>(last.message) : M{};
  }
  /// The next message of type A or B is `last`; whether it is an A.
  template <class A, class B>
  bool hear_either() {
    const auto deadline = steady_now() + std::chrono::seconds(20);
    while (steady_now() < deadline) {
      const auto frame = next_frame();
      if (!frame) continue;
      auto envelope = decode(frame->bytes);
      EXPECT_TRUE(envelope.ok()) << (envelope.ok() ? "" : envelope.error().message);
      if (!envelope.ok()) continue;
      last = std::move(*envelope);
      if (std::holds_alternative<A>(last.message)) return true;
      if (std::holds_alternative<B>(last.message)) return false;
    }
    ADD_FAILURE() << "no " << type_name(Message(A{})) << " came";
    return false;
  }

  /// Opens a session: what the answer says is filled in from now on.
  template <class Welcome>
  Welcome greet(Message hello) {
    say(std::move(hello));
    auto welcome = receive<Welcome>();
    session = last.session;
    cluster = last.cluster;
    epoch = last.epoch;
    seq_ = 0;
    return welcome;
  }

  ClusterId cluster;
  Epoch epoch;
  SessionId session;
  Envelope last;

 private:
  std::optional<PortFrame> next_frame() {
    port_->flush();
    if (auto frame = port_->receive()) return frame;
    Poller poller;
    poller.wait({{port_.get(), -1}}, std::chrono::milliseconds(100));
    return port_->receive();
  }

  Context context_;
  std::unique_ptr<ConnectedPort> port_;
  std::uint64_t seq_ = 0;
};

}  // namespace proffer::live::test
