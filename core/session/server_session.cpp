#include "proffer/session/server_session.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::session {

ServerIdentity::Origin ServerIdentity::judge(const Envelope& arrival) const {
  if (!arrival.cluster.value.is_nil() && arrival.cluster != cluster) return Origin::other_cluster;
  if (arrival.epoch == Epoch{} || arrival.epoch == epoch) return Origin::here;
  return arrival.epoch < epoch ? Origin::earlier_epoch : Origin::later_epoch;
}

Envelope ServerIdentity::wrap(Message message, SessionId session) const {
  return {cluster, epoch, session, 0, std::move(message)};
}

ServerSession::ServerSession(PeerId peer, SessionId id, Time now) : peer_(peer), id_(id), heard_at_(now) {
  PROFFER_CHECK(id.value != 0, "a session is never zero");
}

Envelope ServerSession::wrap(const ServerIdentity& server, Message message) {
  return {server.cluster, server.epoch, id_, ++sent_, std::move(message)};
}

}  // namespace proffer::session
