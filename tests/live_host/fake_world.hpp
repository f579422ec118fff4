// A machine that records and does as it is told, with its host, on free ports.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "live/host/host.hpp"
#include "live/transport/envelope.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/formats/event_log.hpp"

namespace proffer::live::test {

struct FakeMachine {
  std::vector<Event> seen;
  std::function<void(const Event&, Actions&, Time)> react;
  std::optional<Time> deadline;

  void step(const Event& event, Actions& actions, Time now) {
    seen.push_back(event);
    if (react) react(event, actions, now);
  }
  std::optional<Time> next_deadline() const { return deadline; }
  void check_invariants() const {}

  template <class E>
  std::vector<E> all() const {
    std::vector<E> found;
    for (const auto& event : seen) {
      if (const auto* e = std::get_if<E>(&event)) found.push_back(*e);
    }
    return found;
  }
};

/// Records what it is asked to do, in order.
struct FakeEffects final : Effects {
  std::vector<std::string> done;
  Result<> commit_result;
  std::vector<StoreRoom> reserve;  // what make_room() has left to give, the next one last

  void on_trace(const Trace& trace, Time) override { done.push_back(std::string(trace_name(trace))); }
  Result<> persist(const Persist&) override {
    done.push_back("persist");
    return {};
  }
  Result<> keep_record(const KeepRecord&) override {
    done.push_back("keep");
    return {};
  }
  Result<> drop_record(const DropRecord&) override {
    done.push_back("drop");
    return {};
  }
  Result<> commit() override {
    done.push_back("commit");
    return commit_result;
  }
  std::optional<StoreRoom> make_room(const Error&) override {
    if (reserve.empty()) return {};
    done.push_back("make room");
    const auto room = reserve.back();
    reserve.pop_back();
    if (reserve.empty()) commit_result = {};
    return room;
  }
  void carry_out(const Action&) override { done.push_back("other"); }
};

struct FakeWorld {
  Context context;
  Loop loop;
  FakeMachine machine;
  FakeEffects effects;
  MachineAdapter<FakeMachine> driven{machine};
  Host host{context, loop, driven, effects, {{{1, 2}}, {3}}};

  FakeWorld() { loop.add(host); }

  /// Binds another port for the machine.
  std::string serve() {
    auto port = BoundPort::bind(context, "tcp://127.0.0.1:0").value();
    const auto endpoint = port->endpoint();
    host.serve(std::move(port));
    return endpoint;
  }
  std::unique_ptr<ConnectedPort> client(const std::string& endpoint) {
    return ConnectedPort::connect(context, endpoint).value();
  }
  /// Turns until `done`; false after 20 s.
  bool turn_until(const std::function<bool()>& done) {
    const auto deadline = steady_now() + std::chrono::seconds(20);
    while (!done()) {
      if (steady_now() >= deadline) return false;
      loop.turn(std::chrono::milliseconds(10));
    }
    return true;
  }
};

inline std::string frame_of(Message message) {
  std::string frame;
  encode(bare_envelope(std::move(message)), frame);
  return frame;
}

}  // namespace proffer::live::test
