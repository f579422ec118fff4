#include "sim/storm/links.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::sim::storm {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Words of a client without a connection are given up after so long.
constexpr Duration kGiveUpAfter = seconds(5);

}  // namespace

Links::Links(const Plan& plan, Agenda& agenda, Record& record, Deliver deliver)
    : plan_(plan), agenda_(agenda), record_(record), deliver_(std::move(deliver)), random_(plan.random(10)) {}

Links::Party& Links::end_of(Pid process) {
  if (ends_.size() <= process) ends_.resize(process + 1);
  return ends_[process];
}

LineNo Links::add(Pid client, Pid server, PeerId as) {
  const auto number = lines_.size();
  auto& line = lines_.emplace_back();
  line.client = client;
  line.server = server;
  line.as = as;
  end_of(client).lines.push_back(number);
  end_of(server).lines.push_back(number);
  return number;
}

std::vector<Links::ConnectionPtr> Links::connections_of(Pid process) {
  std::vector<ConnectionPtr> found;
  for (const auto& [id, connection] : at_servers_) {
    const auto& line = lines_[connection->line];
    if (line.client == process || line.server == process) found.push_back(connection);
  }
  for (const auto number : end_of(process).lines) {
    const auto& mine = lines_[number].connection;
    if (mine && !mine->server_end) found.push_back(mine);
  }
  return found;
}

std::optional<Links::Caller> Links::caller(PeerId peer) const {
  const auto found = at_servers_.find(peer);
  if (found == at_servers_.end()) return {};
  return Caller{lines_[found->second->line].client, found->second->client_life};
}

/// The time after which ZeroMQ's own heartbeats give a peer up.
Duration Links::silence() { return milliseconds(6000 + random_.below(2000)); }

// ---- processes ----

void Links::started(Pid process) {
  auto& end = end_of(process);
  end.up = true;
  end.paused = false;
  ++end.lives;
  for (const auto number : end.lines) {
    if (lines_[number].client == process) connect_later(number, milliseconds(20));
  }
}

void Links::died(Pid process, End how) {
  auto& end = end_of(process);
  end.up = false;
  end.paused = false;
  for (const auto& connection : connections_of(process)) {
    const bool is_client = lines_[connection->line].client == process;
    (is_client ? connection->client_end : connection->server_end) = false;
    if (!is_client) at_servers_.erase(connection->id);
    connection->drains = is_client && how == End::orderly;
    const auto delay = how == End::silently ? silence() : Duration(milliseconds(random_.below(5)));
    lose_later(connection, !is_client, delay);
  }
  for (const auto number : end.lines) {
    auto& line = lines_[number];
    if (line.client != process) continue;
    line.connection.reset();
    line.waiting.clear();
    ++line.attempts;
  }
}

// The other ends cut the connections to a process that is paused for long; it learns of that when it goes on.
void Links::paused(Pid process) {
  auto& end = end_of(process);
  end.paused = true;
  const auto pause = ++end.pauses;
  agenda_.after(silence(), [this, process, pause] {
    auto& still = end_of(process);
    if (!still.paused || still.pauses != pause) return;
    for (const auto& connection : connections_of(process)) {
      lose_at_client(connection);
      lose_at_server(connection);
    }
  });
}

void Links::resumed(Pid process) {
  end_of(process).paused = false;
  for (const auto& connection : connections_of(process)) {
    release(connection, true);
    release(connection, false);
  }
}

// ---- messages ----

void Links::send(Pid from, const Send& message) {
  if (message.peer == kAllocatorPeer || message.peer == kCatalogPeer) return send_up(from, message);
  const auto found = at_servers_.find(message.peer);
  if (found == at_servers_.end()) return;
  const auto connection = found->second;
  transmit(connection, false, message.envelope);
  if (connection->down.queue.size() > 2 * plan_.network.queue) {
    record_.count("fault overflow");
    lose_at_server(connection);
    lose_at_client(connection);
    return;
  }
  note_lag(*connection);
}

void Links::send_up(Pid from, const Send& message) {
  for (const auto number : end_of(from).lines) {
    auto& line = lines_[number];
    if (line.client != from || line.as != message.peer) continue;
    if (line.connection) return transmit(line.connection, true, message.envelope);
    return wait(number, message.envelope);
  }
}

void Links::note_lag(Connection& connection) {
  if (!connection.server_end || !connection.met) return;
  const auto waiting = connection.down.queue.size();
  const auto cap = plan_.network.queue;
  auto lag = connection.lag;
  if (waiting >= cap) {
    lag = Lag::full;
  } else if (waiting >= cap / 2) {
    lag = std::max(lag, Lag::half);
  } else if (waiting < cap / 4) {
    lag = Lag::none;
  }
  if (std::exchange(connection.lag, lag) == lag) return;
  record_.count("peer lags");
  agenda_.after({}, [this, id = connection.id, lag, server = lines_[connection.line].server] {
    if (at_servers_.contains(id)) deliver_(server, PeerLag{id, lag});
  });
}

void Links::transmit(const ConnectionPtr& connection, bool up, Envelope envelope) {
  ++messages_;
  int copies = 1;
  Duration latency{static_cast<std::int64_t>(50 + random_.below(500))};
  if (faulty_) {
    const auto& network = plan_.network;
    if (network.loss > 0 && random_.below(1000) < network.loss) copies = 0;
    if (network.doubling > 0 && random_.below(1000) < network.doubling) ++copies;
    if (copies == 0) record_.count("fault loss");
    if (copies == 2) record_.count("fault doubling");
    if (network.delay > 0 && random_.below(1000) < network.delay) {
      record_.count("fault delay");
      latency += mostly_short(random_, network.latest);
    }
  }
  auto& way = direction(*connection, up);
  for (; copies > 0; --copies) {
    way.newest = std::max(way.newest, agenda_.now() + latency);
    way.queue.push_back(envelope);
    agenda_.at(way.newest, [this, connection, up] { arrive(connection, up); });
  }
}

bool Links::blocked(const Connection& connection, bool up) const {
  const auto& line = lines_[connection.line];
  return (up ? line.up_cut : line.down_cut) || line.clogged_until > agenda_.now() ||
         ends_[up ? line.server : line.client].paused;
}

void Links::arrive(const ConnectionPtr& connection, bool up) {
  ++direction(*connection, up).owed;
  release(connection, up);
}

void Links::release(const ConnectionPtr& connection, bool up) {
  auto& way = direction(*connection, up);
  while (way.owed > 0 && !way.queue.empty() && !blocked(*connection, up)) {
    --way.owed;
    hand_over(*connection, up);
  }
  if (way.queue.empty()) way.owed = 0;
  if (!up) note_lag(*connection);
}

void Links::release(LineNo line) {
  for (const auto& connection : connections_of(lines_[line].client)) {
    if (connection->line != line) continue;
    release(connection, true);
    release(connection, false);
  }
}

void Links::hand_over(Connection& connection, bool up) {
  auto& way = direction(connection, up);
  auto envelope = std::move(way.queue.front());
  way.queue.pop_front();
  if (!(up ? connection.server_end : connection.client_end)) return;
  const auto& line = lines_[connection.line];
  if (up) connection.met = true;
  const auto peer = up ? connection.id : line.as;
  deliver_(up ? line.server : line.client, MessageReceived{peer, std::move(envelope)});
}

/// Hands over what a process has received before the end of a connection; or nothing of it, as it happens.
void Links::flush(Connection& connection, bool up) {
  const auto& line = lines_[connection.line];
  const auto receiver = up ? line.server : line.client;
  auto& way = direction(connection, up);
  const bool all = up && connection.drains && !blocked(connection, up);
  if (all) way.owed = way.queue.size();
  if (!all && !ends_[receiver].paused && (blocked(connection, up) || random_.below(2) == 0)) return;
  while (way.owed > 0 && !way.queue.empty()) {
    --way.owed;
    hand_over(connection, up);
  }
}

// ---- connections ----

void Links::wait(LineNo number, Envelope envelope) {
  auto& line = lines_[number];
  line.waiting.push_back(std::move(envelope));
  if (line.waiting.size() > 1) return;
  agenda_.after(kGiveUpAfter, [this, number, wait = ++line.waits] {
    auto& now = lines_[number];
    if (now.waiting.empty() || now.waits != wait || !end_of(now.client).up) return;
    now.waiting.clear();
    deliver_(now.client, PeerLost{now.as});
  });
}

void Links::connect_later(LineNo number, Duration at_most) {
  auto& line = lines_[number];
  const auto delay =
      Duration(static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(to_us(at_most)))));
  agenda_.after(delay, [this, number, attempt = ++line.attempts] {
    if (lines_[number].attempts == attempt) try_to_connect(number);
  });
}

void Links::try_to_connect(LineNo number) {
  const auto& line = lines_[number];
  const auto& client = end_of(line.client);
  const auto& server = end_of(line.server);
  if (!client.up || line.connection) return;
  const bool reachable = server.up && !server.paused && !client.paused && !line.up_cut && !line.down_cut;
  if (reachable) return connect(number);
  connect_later(number, seconds(2));
}

void Links::connect(LineNo number) {
  auto& line = lines_[number];
  line.connection = std::make_shared<Connection>();
  line.connection->id = PeerId{++last_id_};
  line.connection->line = number;
  line.connection->client_life = ends_[line.client].lives;
  at_servers_[line.connection->id] = line.connection;
  for (auto& envelope : std::exchange(line.waiting, {})) {
    transmit(line.connection, true, std::move(envelope));
  }
}

void Links::lose_at_client(const ConnectionPtr& connection) {
  if (!connection->client_end) return;
  flush(*connection, false);
  if (!std::exchange(connection->client_end, false)) return;
  auto& line = lines_[connection->line];
  if (line.connection == connection) line.connection.reset();
  deliver_(line.client, PeerLost{line.as});
  connect_later(connection->line, seconds(1));
  if (connection->server_end) lose_later(connection, false, silence());  // the other end notices in the end
}

void Links::lose_at_server(const ConnectionPtr& connection) {
  if (!connection->server_end) return;
  flush(*connection, true);
  if (!std::exchange(connection->server_end, false)) return;
  at_servers_.erase(connection->id);
  if (connection->client_end) lose_later(connection, true, silence());
  if (connection->met) deliver_(lines_[connection->line].server, PeerLost{connection->id});
}

void Links::lose_later(const ConnectionPtr& connection, bool at_client, Duration delay) {
  agenda_.after(delay, [this, connection, at_client] {
    if (at_client) {
      lose_at_client(connection);
    } else {
      lose_at_server(connection);
    }
  });
}

void Links::close(Pid, PeerId peer) {
  const auto found = at_servers_.find(peer);
  if (found == at_servers_.end()) return;
  const auto connection = found->second;
  connection->server_end = false;
  at_servers_.erase(found);
  lose_later(connection, true, milliseconds(1 + random_.below(5)));
}

// ---- faults ----

void Links::cut(LineNo number, bool up, bool down) {
  auto& line = lines_[number];
  line.up_cut = line.up_cut || up;
  line.down_cut = line.down_cut || down;
  const auto episode = ++line.cuts;
  const auto check = [this, number, episode](bool at_client) {
    const auto& still = lines_[number];
    if (still.cuts != episode || !(still.up_cut || still.down_cut)) return;
    for (const auto& connection : connections_of(still.client)) {
      if (connection->line != number) continue;
      at_client ? lose_at_client(connection) : lose_at_server(connection);
    }
  };
  agenda_.after(silence(), [check] { check(true); });
  agenda_.after(silence(), [check] { check(false); });
}

void Links::mend(LineNo number) {
  auto& line = lines_[number];
  line.up_cut = line.down_cut = false;
  line.clogged_until = {};
  ++line.cuts;
  release(number);
}

void Links::clog(LineNo number, Duration time) {
  auto& line = lines_[number];
  line.clogged_until = agenda_.now() + time;
  agenda_.at(line.clogged_until, [this, number] { release(number); });
}

void Links::half_open(LineNo number, bool client_knows) {
  const auto connection = lines_[number].connection;
  if (!connection) return;
  if (client_knows) {
    lose_at_client(connection);
  } else {
    lose_at_server(connection);
  }
}

void Links::reconnect(LineNo number, bool stale) {
  auto& line = lines_[number];
  const auto former = line.connection;
  if (!former) return;
  former->client_end = false;
  connect(number);
  if (stale) {
    for (auto& envelope : std::exchange(former->up.queue, {})) {
      transmit(line.connection, true, std::move(envelope));
    }
    former->up.owed = 0;
  }
  lose_later(former, false, random_.below(2) == 0 ? Duration(milliseconds(1)) : silence());
}

}  // namespace proffer::sim::storm
