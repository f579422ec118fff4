#include "test_agent.hpp"
#include "live/transport/envelope.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "proffer/formats/codec.hpp"

namespace proffer::live {

TestAgent::TestAgent(Context& context, Config config, const std::string& catalog_endpoint)
    : context_(context), config_(std::move(config)) {
  DataServerConfig serving;
  serving.blocks_dir = config_.dir + "/blocks";
  serving.outputs_dir = config_.dir + "/outputs";
  serving.uplink_bytes_per_s = config_.uplink_bytes_per_s;
  auto server = DataServer::start(context, serving);
  PROFFER_CHECK(server.ok(), server ? "" : server.error().message);
  server_ = std::move(*server);
  endpoint_ = server_->endpoint();
  blocks_ = server_->blocks_at_start();
  connect(catalog_endpoint);
}

void TestAgent::connect(const std::string& catalog_endpoint) {
  auto port = ConnectedPort::connect(context_, catalog_endpoint);
  PROFFER_CHECK(port.ok(), port ? "" : port.error().message);
  port_ = std::move(*port);
  session_ = {};
  report();
}

void TestAgent::report() {
  changes_ = 0;
  const auto name = "a" + std::to_string(config_.number);
  say(BlockReport{id(), name, config_.rack, endpoint_, 0, true, blocks_, {id().value}});
}

void TestAgent::say(Message message) {
  std::string bytes;
  encode(bare_envelope(std::move(message), session_), bytes);
  EXPECT_EQ(port_->send({}, std::move(bytes)), Sent::yes);
}

void TestAgent::prepare(PollSet& polled) {
  if (port_) polled.add_port(*port_);
  if (server_) polled.add_fd(server_->event_fd());
}

void TestAgent::turn(const Readiness&, Time) {
  while (port_) {
    const auto frame = port_->receive();
    if (!frame) break;
    const auto envelope = decode(frame->bytes);
    ASSERT_TRUE(envelope.ok());
    take(*envelope);
  }
  if (!server_) return;
  for (const auto& event : server_->take_events()) take_event(event);
}

void TestAgent::take(const Envelope& envelope) {
  if (const auto* welcome = std::get_if<CatalogWelcome>(&envelope.message)) {
    session_ = envelope.session;
    if (server_) server_->set_token(welcome->token);
  } else if (const auto* deletion = std::get_if<DeleteBlocks>(&envelope.message)) {
    for (const auto block : deletion->blocks) {
      if (server_) server_->drop_block(block);
    }
  } else if (const auto* copy = std::get_if<CopyBlock>(&envelope.message)) {
    if (server_) server_->fetch_block({copy->block, copy->length, copy->sources, copy->token});
  } else if (std::holds_alternative<SendBlockReport>(envelope.message)) {
    report();
  } else if (std::holds_alternative<Heartbeat>(envelope.message)) {
    say(Heartbeat{});
  }
}

void TestAgent::take_event(const Event& event) {
  if (const auto* failed = std::get_if<BlockNotFetched>(&event)) {
    if (port_) say(CopyFailed{failed->block, failed->error});
    return;
  }
  BlocksChanged changed{changes_ + 1, {}, {}};
  if (const auto* stored = std::get_if<BlockStored>(&event)) {
    blocks_.emplace_back(stored->block, stored->length);
    changed.added.push_back(blocks_.back());
  } else if (const auto* vanished = std::get_if<BlockVanished>(&event)) {
    std::erase_if(blocks_, [&](const auto& one) { return one.first == vanished->block; });
    changed.removed.push_back(vanished->block);
  }
  if (session_.value == 0) return;  // the report that opens the session will tell
  ++changes_;
  if (port_) say(changed);
}

}  // namespace proffer::live
