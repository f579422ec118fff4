// Both ends of a session, a clock, and what docs/PROTOCOL.md says of them.
#pragma once

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "proffer/session/client_session.hpp"
#include "proffer/session/server_session.hpp"

namespace proffer::session {

inline Time at_ms(int ms) { return Time{} + std::chrono::milliseconds(ms); }

/// The text of docs/PROTOCOL.md with each run of white space as one space.
inline std::string protocol_text() {
  std::ifstream file(PROFFER_SOURCE_DIR "/docs/PROTOCOL.md");
  std::stringstream text;
  for (std::string word; file >> word;) text << word << ' ';
  return text.str();
}

/// Whether the page still has that sentence, word by word.
inline bool protocol_says(const std::string& sentence) {
  static const auto text = protocol_text();
  return text.find(sentence) != std::string::npos;
}

/// A server of epoch 1 that opens a session for each hello but a repeated one, and a client of it.
struct Ends {
  static constexpr PeerId kPeer{7};
  static constexpr Duration kBeat = std::chrono::seconds(1);

  Ends() : Ends(ClientSession::Settings{}) {}
  explicit Ends(ClientSession::Settings settings) : client(patient(settings)) {}

  static ClientSession::Settings patient(ClientSession::Settings settings) {
    settings.silent_after = std::chrono::seconds(5);
    return settings;
  }

  /// The answer to a hello that is sent without a session.
  Envelope welcome(Time now) {
    client.end(random, now);
    client.attempted(random, now);
    server.emplace(kPeer, random.session(), now);
    return server->wrap(identity, Subscribed{});
  }
  void open(Time now) {
    const auto answer = welcome(now);
    ASSERT_EQ(client.check(answer, true, now), ClientSession::Verdict::take);
    ASSERT_TRUE(client.begin(answer, kBeat, now));
  }
  Envelope from_server() { return server->wrap(identity, Rescind{}); }
  /// The server is started again, without the sessions that it had.
  void restart_server() {
    ++identity.epoch.value;
    server.emplace(kPeer, random.session(), at_ms(0));
  }

  Random random{1};
  ServerIdentity identity{ClusterId{{1, 2}}, Epoch{1}};
  std::optional<ServerSession> server;
  ClientSession client;
};

}  // namespace proffer::session
