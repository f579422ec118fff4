// The connections between processes, as ZeroMQ's: in order, connected again by themselves, and cut off after
// some seconds in which the other end is not heard; with all that may go wrong with them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"
#include "sim/storm/agenda.hpp"
#include "sim/storm/plan.hpp"
#include "sim/storm/process.hpp"
#include "sim/storm/record.hpp"

namespace proffer::sim::storm {

/// A client's way to a server, whatever connection it has at the time.
using LineNo = std::size_t;

class Links {
 public:
  using Deliver = std::function<void(Pid, Event)>;
  Links(const Plan& plan, Agenda& agenda, Record& record, Deliver deliver);

  /// `as`: the name of the server at the client.
  LineNo add(Pid client, Pid server, PeerId as);
  std::size_t lines() const { return lines_.size(); }

  void started(Pid process);
  /// The way in which a process has ended.
  enum class End : std::uint8_t {
    orderly,   ///< last words arrive, if nothing is in the way
    killed,    ///< last words may be lost
    silently,  ///< as killed, and the others do not notice before they miss it
  };
  void died(Pid process, End how);
  void paused(Pid process);
  void resumed(Pid process);

  void send(Pid from, const Send& message);
  /// The server ends the connection; its client is told.
  void close(Pid server, PeerId peer);

  // Faults.
  void cut(LineNo line, bool up, bool down);
  void mend(LineNo line);
  void clog(LineNo line, Duration time);
  void half_open(LineNo line, bool client_knows);
  /// `stale`: what was under way arrives over the new connection.
  void reconnect(LineNo line, bool stale);
  /// Has no message lost, doubled or late from now on.
  void calm() { faulty_ = false; }

  /// The process at the other end of a connection, in the life in which it began; none: it has ended.
  struct Caller {
    Pid process = 0;
    std::uint64_t life = 0;
  };
  std::optional<Caller> caller(PeerId peer) const;
  Pid client_of(LineNo line) const { return lines_[line].client; }
  std::uint64_t messages() const { return messages_; }

 private:
  struct Direction {
    std::deque<Envelope> queue;
    std::size_t owed = 0;  // of them, those that would have arrived if nothing was in the way
    Time newest{};         // arrival of the last
  };
  struct Connection {
    PeerId id;
    LineNo line = 0;
    std::uint64_t client_life = 0;
    bool client_end = true;
    bool server_end = true;
    bool drains = false;  // its client has ended in good order
    bool met = false;     // the server has heard something from it
    Lag lag = Lag::none;
    Direction up;    // to the server
    Direction down;  // to the client

    Direction& way(bool to_server) { return to_server ? up : down; }
  };
  using ConnectionPtr = std::shared_ptr<Connection>;
  struct Line {
    Pid client = 0;
    Pid server = 0;
    PeerId as;
    bool up_cut = false;
    bool down_cut = false;
    std::uint64_t cuts = 0;
    Time clogged_until{};
    ConnectionPtr connection;  // as the client sees it
    std::deque<Envelope> waiting;
    std::uint64_t waits = 0;
    std::uint64_t attempts = 0;
  };
  struct Party {
    bool up = false;
    bool paused = false;
    std::uint64_t lives = 0;
    std::uint64_t pauses = 0;
    std::vector<LineNo> lines;
  };

  bool blocked(const Connection& connection, bool up) const;
  void send_up(Pid from, const Send& message);
  void transmit(const ConnectionPtr& connection, bool up, Envelope envelope);
  void hand_over(Connection& connection, bool up);
  void release(const ConnectionPtr& connection, bool up);
  void release(LineNo line);
  void wait(LineNo line, Envelope envelope);
  void connect_later(LineNo line, Duration at_most);
  void connect(LineNo line);
  void flush(Connection& connection, bool up);
  void lose(const ConnectionPtr& connection, bool at_client);
  void lose_later(const ConnectionPtr& connection, bool at_client, Duration delay);
  void note_lag(Connection& connection);
  std::vector<ConnectionPtr> connections_of(Pid process);

  const Plan& plan_;
  Agenda& agenda_;
  Record& record_;
  Deliver deliver_;
  Random random_;
  bool faulty_ = true;
  std::deque<Line> lines_;
  std::vector<Party> parties_;
  std::map<PeerId, ConnectionPtr> at_servers_;  // those that the server believes in
  std::uint64_t last_id_ = 100;
  std::uint64_t messages_ = 0;
};

}  // namespace proffer::sim::storm
