// An agent reduced to its store: a data server, and what it tells the catalog.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "live/host/loop.hpp"
#include "live/store/data_server.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

class TestAgent final : public LoopPart {
 public:
  struct Config {
    std::uint64_t number = 1;
    std::string rack;
    std::string dir;
    std::optional<std::uint64_t> uplink_bytes_per_s;
  };
  TestAgent(Context& context, Config config, const std::string& catalog_endpoint);

  void connect(const std::string& catalog_endpoint);
  /// Stops serving without a word to the catalog.
  void stop_serving() { server_.reset(); }
  /// Stops serving, and its connection ends.
  void die() {
    server_.reset();
    port_.reset();
  }
  const std::string& endpoint() const { return endpoint_; }
  AgentId id() const { return {Bits128{config_.number, config_.number}}; }

  void prepare(PollSet& polled) override;
  void turn(const Readiness& ready, Time now) override;

 private:
  void report();
  void take(const Envelope& envelope);
  void take_event(const Event& event);
  void say(Message message);

  Context& context_;
  Config config_;
  std::unique_ptr<DataServer> server_;
  std::unique_ptr<ConnectedPort> port_;
  std::string endpoint_;
  std::vector<std::pair<BlockId, std::uint64_t>> blocks_;
  SessionId session_;
  std::uint64_t changes_ = 0;
};

}  // namespace proffer::live
