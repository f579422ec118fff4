#include "frameworks/session/catalog_handlers.hpp"

#include "frameworks/session/scheduler_calls.hpp"

namespace proffer::frameworks {
namespace {

void take_answer(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in) {
  const auto whole = catalog.requests.answer(in.envelope.message, turn.now);
  if (whole) deliver_answers(turn, {*whole});
}

}  // namespace

void handle(const Turn&, CatalogTalk& catalog, const MessageReceived& in, const CatalogSession&) {
  catalog.session = in.envelope.session;
}

// An ERROR names no request, so it speaks of all.
void handle(const Turn& turn, CatalogTalk&, const MessageReceived&, const ErrorMessage& message) {
  lose_catalog(turn, message.error);
}

void handle(const Turn& turn, CatalogTalk&, const MessageReceived&, const ReplicasChanged& changed) {
  call_scheduler(turn, [&](Driver& driver) { turn.state.scheduler.replicas_changed(driver, changed); });
}

void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const BlockAllocated&) {
  take_answer(turn, catalog, in);
}

void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const FilesListed&) {
  take_answer(turn, catalog, in);
}

void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const CatalogDone&) {
  take_answer(turn, catalog, in);
}

void handle(const Turn& turn, CatalogTalk&, const MessageReceived&, const Bye&) {
  lose_catalog(turn, {ErrorCode::unreachable, "the catalog is being stopped"});
}

// The session is forgotten before requests fail: a scheduler that asks again at once is to greet anew.
void lose_catalog(const Turn& turn, const Error& error) {
  auto& catalog = turn.state.catalog;
  catalog.greeted = false;
  catalog.session = {};
  deliver_answers(turn, catalog.requests.fail_all(error));
}

void deliver_answers(const Turn& turn, const std::vector<Message>& answers) {
  for (const auto& answer : answers) {
    call_scheduler(turn, [&](Driver& driver) { turn.state.scheduler.catalog_answered(driver, answer); });
  }
}

}  // namespace proffer::frameworks
