#include "agent/catalog_handlers.hpp"

#include <utility>

#include "agent/copy_handlers.hpp"
#include "agent/recovery_handlers.hpp"
#include "proffer/dispatch.hpp"

namespace proffer::agent {
namespace {

constexpr std::size_t kBlocksPerMessage = 10'000;
// A page is at most 200 kB, and what a connection queues is bounded: a report of a million blocks must not
// come at once.
constexpr int kPagesAtOnce = 8;
constexpr Duration kBetweenPages = std::chrono::milliseconds(200);

using FromCatalog = Types<CatalogWelcome, SendBlockReport, DeleteBlocks, CopyBlock, ErrorMessage, Bye>;

void send_pages(const Turn& turn) {
  auto& state = turn.state;
  const auto& config = state.config;
  state.catalog.next_pages.reset();
  for (int n = 0; n < kPagesAtOnce && state.blocks.reporting(); ++n) {
    auto page = state.blocks.next_page(kBlocksPerMessage);
    page.agent = state.identity.id;
    page.name = config.name;
    page.rack = config.rack;
    page.data_endpoint = config.data_endpoint;
    page.secret = state.identity.for_catalog;
    turn.to_catalog(std::move(page));
  }
  if (state.blocks.reporting()) state.catalog.next_pages = turn.now + kBetweenPages;
}

void report_all(const Turn& turn) {
  turn.state.blocks.begin_report();
  send_pages(turn);
}

void tell_changes(const Turn& turn) {
  while (auto changed = turn.state.blocks.take_changes(kBlocksPerMessage)) {
    turn.to_catalog(std::move(*changed));
  }
}

}  // namespace

void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in,
            const CatalogWelcome& welcome) {
  if (in.envelope.session.value == 0) return;  // no session that could be used
  const KeptServer server{ServerRole::catalog, in.envelope.cluster, in.envelope.epoch, 0};
  if (turn.state.servers.learn(server)) turn.act(KeepRecord{server});
  catalog.session->begin(in.envelope, welcome.heartbeat, turn.now);
  if (!welcome.secret.value.is_nil()) turn.state.identity.for_catalog = welcome.secret;
  if (std::exchange(catalog.store_token, welcome.token) != welcome.token) {
    turn.act(SetStoreToken{welcome.token});
  }
}

// A report begins the numbers of changes anew. Were it sent in this session and lost, new changes would pass
// for old ones; so it opens a session of its own.
void handle(const Turn& turn, CatalogTalk&, const MessageReceived&, const SendBlockReport&) {
  lose_catalog(turn);
}

void handle(const Turn& turn, CatalogTalk&, const MessageReceived&, const DeleteBlocks& deletion) {
  auto& state = turn.state;
  for (const auto block : deletion.blocks) {
    state.copies.drop_waiting(block);
    if (state.blocks.holds(block)) {
      turn.act(DropBlock{block});
    } else {
      state.blocks.deny(block);
    }
  }
}

void handle(const Turn& turn, CatalogTalk&, const MessageReceived&, const Bye&) { lose_catalog(turn); }

void handle(const Turn& turn, CatalogTalk&, const MessageReceived&, const ErrorMessage& message) {
  turn.trace_refusal("message " + std::to_string(message.about_seq) + " to the catalog", message.error);
  if (message.error.code == ErrorCode::unknown_session) lose_catalog(turn);
}

// An agent that serves no data stores nothing either, so the catalog need not know of it.
void use_catalog(const Turn& turn, const std::string& endpoint) {
  auto& catalog = turn.state.catalog;
  catalog.session.reset();
  catalog.next_pages.reset();
  catalog.endpoint = endpoint;
  const auto& config = turn.state.config;
  if (endpoint.empty() || config.data_endpoint.empty()) return;
  catalog.session.emplace(session_settings(config, config.catalog_silent_after));
  turn.state.servers.teach(ServerRole::catalog, *catalog.session);
}

void lose_catalog(const Turn& turn) {
  auto& state = turn.state;
  if (!state.catalog.session) return;
  state.catalog.next_pages.reset();
  state.copies.drop_waiting();
  state.catalog.session->end(state.random, turn.now);
}

void refuse_other_catalog(const Turn& turn, const Message& message) {
  turn.trace_refusal(
      std::string(type_name(message)),
      {ErrorCode::wrong_cluster,
       "the catalog is another one than this agent reported to before; if it is to change over, "
       "start it once with --adopt"});
  auto& state = turn.state;
  if (!state.config.adopt || state.catalog.in_session()) return;
  forget_server(turn, ServerRole::catalog);
  use_catalog(turn, std::string(state.catalog.endpoint));
}

void receive_from_catalog(const Turn& turn, const MessageReceived& in) {
  auto& catalog = turn.state.catalog;
  if (!catalog.session) return;
  const auto& message = in.envelope.message;
  const bool is_welcome = std::holds_alternative<CatalogWelcome>(message);
  switch (catalog.session->check(in.envelope, is_welcome, turn.now)) {
    case Verdict::take:
      dispatch(FromCatalog{}, message, turn, catalog, in);
      return;
    case Verdict::drop:
      return;
    case Verdict::restarted:
      return lose_catalog(turn);
    case Verdict::other_cluster:
      return refuse_other_catalog(turn, message);
  }
}

void tend_catalog(const Turn& turn) {
  auto& catalog = turn.state.catalog;
  if (!catalog.session) return;
  auto& session = *catalog.session;
  if (session.silent(turn.now)) lose_catalog(turn);
  if (session.attempt_due(turn.now)) {
    session.attempted(turn.state.random, turn.now);
    report_all(turn);
  }
  if (catalog.next_pages && *catalog.next_pages <= turn.now) send_pages(turn);
  if (session.open()) tell_changes(turn);
  if (session.beat_due(turn.now)) turn.to_catalog(session.beat());
}

std::optional<Time> catalog_deadline(const CatalogTalk& catalog) {
  if (!catalog.session) return {};
  return earlier(catalog.session->next_deadline(), catalog.next_pages);
}

}  // namespace proffer::agent
