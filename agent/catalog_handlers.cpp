#include "agent/catalog_handlers.hpp"

#include "agent/copy_handlers.hpp"

namespace proffer {
namespace {

constexpr std::size_t kBlocksPerMessage = 10'000;
// A page is at most 200 kB, and what a connection queues is bounded: a report of a million blocks must not
// come at once.
constexpr int kPagesAtOnce = 8;
constexpr Duration kBetweenPages = std::chrono::milliseconds(200);

void send_pages(AgentParts& state, Turn turn) {
  state.next_pages.reset();
  const auto& config = state.config;
  for (int n = 0; n < kPagesAtOnce && state.blocks.reporting(); ++n) {
    auto page = state.blocks.next_page(kBlocksPerMessage);
    page.agent = state.id;
    page.name = config.name;
    page.rack = config.rack;
    page.data_endpoint = config.data_endpoint;
    page.secret = state.catalog_secret;
    turn.to_catalog(state, std::move(page));
  }
  if (state.blocks.reporting()) state.next_pages = turn.now + kBetweenPages;
}

void report_all(AgentParts& state, Turn turn) {
  state.blocks.begin_report();
  send_pages(state, turn);
}

void tell_changes(AgentParts& state, Turn turn) {
  while (auto changed = state.blocks.take_changes(kBlocksPerMessage)) {
    turn.to_catalog(state, std::move(*changed));
  }
}

void on_welcome(AgentParts& state, const Envelope& envelope, Turn turn) {
  const auto& welcome = std::get<CatalogWelcome>(envelope.message);
  if (envelope.session.value == 0) return;  // no session that could be used
  state.catalog->begin(envelope, welcome.heartbeat, turn.now);
  if (!welcome.secret.value.is_nil()) state.catalog_secret = welcome.secret;
  if (std::exchange(state.store_token, welcome.token) != welcome.token) {
    turn.act(SetStoreToken{welcome.token});
  }
}

void on_delete(AgentParts& state, const DeleteBlocks& deletion, Turn turn) {
  for (const auto block : deletion.blocks) {
    state.copies.drop_waiting(block);
    if (state.blocks.holds(block)) {
      turn.act(DropBlock{block});
    } else {
      state.blocks.deny(block);
    }
  }
}

void on_error(AgentParts& state, const ErrorMessage& message, Turn turn) {
  turn.trace(MessageRefused{"message " + std::to_string(message.about_seq) + " to the catalog",
                            message.error.code, message.error.message});
  if (message.error.code == ErrorCode::unknown_session) lose_catalog(state, turn);
}

}  // namespace

// An agent that serves no data stores nothing either, so the catalog need not know of it.
void use_catalog(AgentParts& state, const std::string& endpoint) {
  state.catalog.reset();
  state.next_pages.reset();
  state.catalog_endpoint = endpoint;
  if (endpoint.empty() || state.config.data_endpoint.empty()) return;
  const auto& config = state.config;
  state.catalog.emplace(Link::Settings{config.retry_first, config.retry_max, config.catalog_silent_after});
}

void lose_catalog(AgentParts& state, Turn turn) {
  if (!state.catalog) return;
  state.next_pages.reset();
  state.copies.drop_waiting();
  state.catalog->end(state.random, turn.now);
}

void receive_from_catalog(AgentParts& state, const Envelope& envelope, Turn turn) {
  if (!state.catalog) return;
  const auto& message = envelope.message;
  const bool is_welcome = std::holds_alternative<CatalogWelcome>(message);
  switch (state.catalog->check(envelope, is_welcome, turn.now)) {
    case Link::Verdict::drop:
      return;
    case Link::Verdict::restarted:
      return lose_catalog(state, turn);
    case Link::Verdict::other_cluster:
      return turn.trace(MessageRefused{std::string(type_name(message)), ErrorCode::wrong_cluster,
                                       "the catalog is another one than this agent reported to before"});
    case Link::Verdict::take:
      break;
  }
  if (is_welcome) on_welcome(state, envelope, turn);
  // A report begins the numbers of changes anew. Were it sent in this session and lost, new changes would
  // pass for old ones; so it opens a session of its own.
  const bool wants_report = std::holds_alternative<SendBlockReport>(message);
  if (wants_report && state.catalog->is_newest(envelope)) return lose_catalog(state, turn);
  if (const auto* deletion = std::get_if<DeleteBlocks>(&message)) on_delete(state, *deletion, turn);
  if (const auto* copy = std::get_if<CopyBlock>(&message)) on_copy(state, *copy, turn);
  if (const auto* error = std::get_if<ErrorMessage>(&message)) on_error(state, *error, turn);
}

void tend_catalog(AgentParts& state, Turn turn) {
  if (!state.catalog) return;
  auto& link = *state.catalog;
  if (link.silent(turn.now)) lose_catalog(state, turn);
  if (link.attempt_due(turn.now)) {
    link.attempted(state.random, turn.now);
    report_all(state, turn);
  }
  if (state.next_pages && *state.next_pages <= turn.now) send_pages(state, turn);
  if (link.open()) tell_changes(state, turn);
  if (link.beat_due(turn.now)) turn.to_catalog(state, link.beat());
}

std::optional<Time> catalog_deadline(const AgentParts& state) {
  if (!state.catalog) return {};
  return earlier(state.catalog->next_deadline(), state.next_pages);
}

}  // namespace proffer
