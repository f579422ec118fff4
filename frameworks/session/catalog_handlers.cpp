// Questions to the catalog and their answers.
#include <utility>

#include "frameworks/session/framework_impl.hpp"

namespace proffer {

void Framework::Impl::on_catalog(const Envelope& envelope, Turn turn) {
  const auto& message = envelope.message;
  if (std::holds_alternative<CatalogSession>(message)) {
    catalog_session = envelope.session;
    return;
  }
  // An ERROR names no request, so it speaks of all.
  if (const auto* error = std::get_if<ErrorMessage>(&message)) return lose_catalog(error->error, turn);
  if (const auto* changed = std::get_if<ReplicasChanged>(&message)) {
    return callback([&](Driver& driver) { scheduler.replicas_changed(driver, *changed); }, turn);
  }
  if (const auto answer = catalog.answer(message, turn.now)) deliver_catalog({*answer}, turn);
}

/// The first message on a connection follows a greeting at once: a session is the connection's, and its
/// number need not be known.
void Framework::Impl::to_catalog(Message message, Turn turn) {
  const auto send = [&](Message one) {
    turn.actions.push_back(Send{kCatalogPeer, Envelope{{}, {}, catalog_session, 0, std::move(one)}});
  };
  if (!std::exchange(greeted_catalog, true)) send(CatalogHello{});
  send(std::move(message));
}

/// Whatever the reason, the next message opens a session anew.
void Framework::Impl::lose_catalog(const Error& error, Turn turn) {
  greeted_catalog = false;
  catalog_session = {};
  deliver_catalog(catalog.fail_all(error), turn);
}

void Framework::Impl::deliver_catalog(const std::vector<Message>& answers, Turn turn) {
  for (const auto& answer : answers) {
    callback([&](Driver& driver) { scheduler.catalog_answered(driver, answer); }, turn);
  }
}

}  // namespace proffer
