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

/// Returns the time after which ZeroMQ's own heartbeats give a peer up.
Duration silence(Random& random) { return milliseconds(6000 + random.below(2000)); }

/// Returns whether a message is of a kind of which half is lost in some storms: where it is not repeated, its
/// effect has to come about in another way.
bool is_often_lost(const Message& message) {
  return std::holds_alternative<Revive>(message) || std::holds_alternative<Suppress>(message) ||
         std::holds_alternative<Kill>(message) || std::holds_alternative<Accepted>(message) ||
         std::holds_alternative<Update>(message);
}

}  // namespace

Links::Links(const Plan& plan, Agenda& agenda, Record& record, Deliver deliver)
    : plan_(plan), agenda_(agenda), record_(record), deliver_(std::move(deliver)), random_(plan.random(10)) {}

LineNo Links::add(Pid client, Pid server, PeerId as) {
  const auto number = lines_.size();
  auto& line = lines_.emplace_back();
  line.client = client;
  line.server = server;
  line.as = as;
  parties_.resize(std::max<std::size_t>(parties_.size(), std::max(client, server) + 1));
  parties_[client].lines.push_back(number);
  parties_[server].lines.push_back(number);
  return number;
}

std::vector<Links::ConnectionPtr> Links::connections_of(Pid process) {
  std::vector<ConnectionPtr> found;
  for (const auto& [id, connection] : at_servers_) {
    const auto& line = lines_[connection->line];
    if (line.client == process || line.server == process) found.push_back(connection);
  }
  for (const auto number : parties_[process].lines) {
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

// ---- processes ----

void Links::started(Pid process) {
  auto& end = parties_[process];
  end.up = true;
  end.paused = false;
  ++end.lives;
  for (const auto number : end.lines) {
    if (lines_[number].client == process) connect_later(number, milliseconds(20));
  }
}

void Links::died(Pid process, End how) {
  auto& end = parties_[process];
  end.up = false;
  end.paused = false;
  for (const auto& connection : connections_of(process)) {
    const bool is_client = lines_[connection->line].client == process;
    (is_client ? connection->client_end : connection->server_end) = false;
    if (!is_client) at_servers_.erase(connection->id);
    connection->drains = is_client && how == End::orderly;
    const auto delay = how == End::silently ? silence(random_) : Duration(milliseconds(random_.below(5)));
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
  auto& end = parties_[process];
  end.paused = true;
  const auto pause = ++end.pauses;
  agenda_.after(silence(random_), [this, process, pause] {
    auto& still = parties_[process];
    if (!still.paused || still.pauses != pause) return;
    for (const auto& connection : connections_of(process)) {
      lose(connection, true);
      lose(connection, false);
    }
  });
}

void Links::resumed(Pid process) {
  parties_[process].paused = false;
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
    lose(connection, false);
    lose(connection, true);
    return;
  }
  note_lag(*connection);
}

void Links::send_up(Pid from, const Send& message) {
  for (const auto number : parties_[from].lines) {
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
    if (network.loss > 0 && plan_.rough && is_often_lost(envelope.message) && random_.below(2) == 0)
      copies = 0;
    if (network.doubling > 0 && random_.below(1000) < network.doubling) ++copies;
    if (copies == 0) record_.count("fault loss");
    if (copies == 2) record_.count("fault doubling");
    if (network.delay > 0 && random_.below(1000) < network.delay) {
      record_.count("fault delay");
      latency += mostly_short(random_, network.latest);
    }
  }
  auto& way = connection->way(up);
  for (; copies > 0; --copies) {
    way.newest = std::max(way.newest, agenda_.now() + latency);
    way.queue.push_back(envelope);
    agenda_.at(way.newest, [this, connection, up] {
      ++connection->way(up).owed;
      release(connection, up);
    });
  }
}

bool Links::blocked(const Connection& connection, bool up) const {
  const auto& line = lines_[connection.line];
  return (up ? line.up_cut : line.down_cut) || line.clogged_until > agenda_.now() ||
         parties_[up ? line.server : line.client].paused;
}

void Links::release(const ConnectionPtr& connection, bool up) {
  auto& way = connection->way(up);
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
  auto& way = connection.way(up);
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
  auto& way = connection.way(up);
  const bool all = up && connection.drains && !blocked(connection, up);
  if (all) way.owed = way.queue.size();
  if (!all && !parties_[receiver].paused && (blocked(connection, up) || random_.below(2) == 0)) return;
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
    if (now.waiting.empty() || now.waits != wait || !parties_[now.client].up) return;
    now.waiting.clear();
    deliver_(now.client, PeerLost{now.as});
  });
}

void Links::connect_later(LineNo number, Duration at_most) {
  auto& line = lines_[number];
  const auto delay =
      Duration(static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(to_us(at_most)))));
  agenda_.after(delay, [this, number, attempt = ++line.attempts] {
    const auto& now = lines_[number];
    const auto& client = parties_[now.client];
    const auto& server = parties_[now.server];
    if (now.attempts != attempt || !client.up || now.connection) return;
    const bool reachable = server.up && !server.paused && !client.paused && !now.up_cut && !now.down_cut;
    if (reachable) return connect(number);
    connect_later(number, seconds(2));
  });
}

void Links::connect(LineNo number) {
  auto& line = lines_[number];
  line.connection = std::make_shared<Connection>();
  line.connection->id = PeerId{++last_id_};
  line.connection->line = number;
  line.connection->client_life = parties_[line.client].lives;
  at_servers_[line.connection->id] = line.connection;
  for (auto& envelope : std::exchange(line.waiting, {})) {
    transmit(line.connection, true, std::move(envelope));
  }
}

/// Has one end learn that the connection is gone; the other learns of it in the end.
void Links::lose(const ConnectionPtr& connection, bool at_client) {
  auto& believes = at_client ? connection->client_end : connection->server_end;
  const bool other_believes = at_client ? connection->server_end : connection->client_end;
  if (!believes) return;
  flush(*connection, !at_client);
  if (!std::exchange(believes, false)) return;
  if (other_believes) lose_later(connection, !at_client, silence(random_));
  auto& line = lines_[connection->line];
  if (!at_client) {
    at_servers_.erase(connection->id);
    if (connection->met) deliver_(line.server, PeerLost{connection->id});
    return;
  }
  if (line.connection == connection) line.connection.reset();
  deliver_(line.client, PeerLost{line.as});
  connect_later(connection->line, seconds(1));
}

void Links::lose_later(const ConnectionPtr& connection, bool at_client, Duration delay) {
  agenda_.after(delay, [this, connection, at_client] { lose(connection, at_client); });
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
      lose(connection, at_client);
    }
  };
  agenda_.after(silence(random_), [check] { check(true); });
  agenda_.after(silence(random_), [check] { check(false); });
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
  lose(connection, client_knows);
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
  lose_later(former, false, random_.below(2) == 0 ? Duration(milliseconds(1)) : silence(random_));
}

}  // namespace proffer::sim::storm
