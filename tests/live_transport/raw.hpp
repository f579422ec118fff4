// Peers that do not play by the rules: bare ZeroMQ sockets. raw.cpp alone knows ZeroMQ's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace proffer::live::test {

class RawPeer {
 public:
  /// `routing_id` empty: an automatic one.
  explicit RawPeer(const std::string& endpoint, const std::string& routing_id = {});
  ~RawPeer();
  /// All frames of one message. False when it cannot be sent within 20 s.
  bool send(const std::vector<std::string>& frames);
  /// The first frame of the next message within 20 s.
  std::optional<std::string> receive();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A bare ROUTER.
class RawServer {
 public:
  RawServer();
  ~RawServer();
  std::string endpoint() const;
  /// Waits for a message and answers it with these, each a list of frames. False after 20 s.
  bool answer_next(const std::vector<std::vector<std::string>>& answers);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the beginnings of the next `count` automatic routing ids of a ROUTER that is made now, if rand()
/// were in this state. Leaves rand() as srand(seed) would.
std::vector<std::string> coming_routing_ids(unsigned seed, int count);

/// A ROUTER in a context whose rand() nobody has seeded, a squatter on the coming id and an ordinary peer.
void replay_squatting_on_an_unseeded_router();

}  // namespace proffer::live::test
