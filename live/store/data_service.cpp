#include "live/store/data_service.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "live/os/open_file.hpp"
#include "live/store/secret.hpp"
#include "live/transport/envelope.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

// The number of messages between two looks at the other duties of the thread.
constexpr int kMessagesPerTurn = 64;
constexpr int kPiecesPerTurn = 64;
constexpr std::size_t kEarlyRequests = 64;
constexpr Duration kLookAtParts = std::chrono::seconds(5);

std::string describe(const DataName& what) {
  if (const auto* block = std::get_if<BlockId>(&what)) return "block " + std::to_string(block->value);
  if (const auto* output = std::get_if<MapOutputFile>(&what)) return "the output of map " + output->map.value;
  const auto& output = std::get<CommandOutput>(what);
  return (output.is_err ? "stderr of task " : "stdout of task ") + output.task.value;
}

}  // namespace

DataService::DataService(std::unique_ptr<BoundPort> port, const DataFolders& folders,
                         std::set<BlockId> blocks, SendBudget budget, DataMailbox& mailbox)
    : port_(std::move(port)),
      folders_(folders),
      blocks_(std::move(blocks)),
      budget_(budget),
      mailbox_(mailbox),
      ingest_(folders) {}

void DataService::run() {
  Poller poller;
  while (!stopping_) {
    poller.wait({{port_.get(), -1}, {nullptr, mailbox_.command_fd()}}, patience());
    execute_commands();
    take_early();
    receive_some();
    forget_lost();
    serve_some();
    port_->flush();
    ingest_.expire(steady_now());
  }
}

std::optional<Duration> DataService::patience() {
  if (more_to_receive_) return Duration::zero();
  if (!queue_.empty()) return budget_.wait(steady_now());
  if (!ingest_.empty()) return kLookAtParts;
  return {};
}

void DataService::execute_commands() {
  for (const auto& command : mailbox_.take_commands()) {
    std::visit([this](const auto& one) { carry_out(one); }, command);
  }
}

void DataService::carry_out(const DropBlock& command) {
  ingest_.forget(command.block);
  folders_.delete_block(command.block);
  blocks_.erase(command.block);
  mailbox_.report(BlockVanished{command.block});
}

void DataService::carry_out(const DropOutputs& command) {
  folders_.delete_outputs(command.framework, command.job);
}

void DataService::carry_out(const StopServing&) { stopping_ = true; }

/// Puts a copy in place, unless a writer has been faster.
void DataService::carry_out(const PutInPlace& command) {
  std::error_code error;
  if (!blocks_.contains(command.block)) {
    std::filesystem::rename(folders_.copied(command.block), folders_.block(command.block), error);
  } else {
    std::filesystem::remove(folders_.copied(command.block), error);
  }
  if (error) {
    return mailbox_.report(
        BlockNotFetched{command.block, {ErrorCode::io, "cannot store a copied block: " + error.message()}});
  }
  blocks_.insert(command.block);
  mailbox_.report(BlockStored{command.block, command.length});
}

void DataService::forget_lost() {
  for (const auto peer : port_->take_lost()) {
    queue_.forget(peer);
    ingest_.forget(peer);
  }
}

void DataService::receive_some() {
  for (int i = 0; i < kMessagesPerTurn; ++i) {
    const auto frame = port_->receive();
    more_to_receive_ = frame.has_value();
    if (!frame) return;
    receive(*frame);
  }
}

void DataService::receive(const PortFrame& frame) {
  auto envelope = decode(frame.bytes);
  if (!envelope) return send(frame.peer, ErrorMessage{envelope.error(), 0});
  const auto& message = envelope->message;
  if (must_wait(message)) return early_.push_back(frame);
  if (const auto* fetch = std::get_if<Fetch>(&message)) return take(frame.peer, *fetch);
  if (const auto* store = std::get_if<Store>(&message)) return take(frame.peer, *store);
  if (std::holds_alternative<ErrorMessage>(message)) return;
  const Error error{ErrorCode::type, "a data port takes no " + std::string(type_name(message))};
  send(frame.peer, ErrorMessage{error, envelope->seq});
}

/// Clients may learn of this agent from the catalog before the agent has read the catalog's welcome, which
/// has the token. Their requests wait for it.
bool DataService::must_wait(const Message& message) {
  if (early_.size() >= kEarlyRequests || mailbox_.token()) return false;
  const auto* fetch = std::get_if<Fetch>(&message);
  return std::holds_alternative<Store>(message) || (fetch && std::holds_alternative<BlockId>(fetch->what));
}

void DataService::take_early() {
  if (early_.empty() || !mailbox_.token()) return;
  for (const auto& frame : std::exchange(early_, {})) receive(frame);
}

Result<std::string> DataService::token_of(const DataName& what) {
  if (const auto* output = std::get_if<MapOutputFile>(&what))
    return folders_.job_token(output->framework, output->job);
  if (const auto* output = std::get_if<CommandOutput>(&what))
    return folders_.job_token(output->framework, output->job);
  return mailbox_.token().value_or("");
}

Result<> DataService::may_fetch(const Fetch& fetch) {
  if (fetch.length == 0 || fetch.length > limits::kChunkBytes) {
    return Error{ErrorCode::invalid, "a piece must have 1 byte to 256 KiB"};
  }
  const auto wanted = token_of(fetch.what);
  if (!wanted) return wanted.error();
  if (!same_secret(*wanted, fetch.token)) {
    return Error{ErrorCode::refused, "the token does not open " + describe(fetch.what)};
  }
  return {};
}

void DataService::take(PeerId peer, const Fetch& fetch) {
  if (auto allowed = may_fetch(fetch); !allowed)
    return send(peer, DataFailed{fetch.request, allowed.error()});
  if (queue_.add(peer, fetch)) return;
  send(peer, DataFailed{fetch.request, {ErrorCode::slow_down, "too many requests are open"}});
}

void DataService::take(PeerId peer, const Store& store) {
  if (!same_secret(mailbox_.token().value_or(""), store.token)) {
    const auto name = describe(DataName{store.block});
    return send(peer,
                DataFailed{store.request, {ErrorCode::refused, "the token does not allow to store " + name}});
  }
  const auto closed = ingest_.take(peer, store, steady_now());
  if (!closed) return send(peer, DataFailed{store.request, closed.error()});
  if (const auto length = *closed) {
    blocks_.insert(store.block);
    mailbox_.report(BlockStored{store.block, *length});
  }
  send(peer, Stored{store.request});
}

void DataService::serve_some() {
  for (int i = 0; i < kPiecesPerTurn && !queue_.empty(); ++i) {
    if (budget_.wait(steady_now()) > Duration::zero()) return;
    const auto [peer, fetch] = queue_.take();
    auto chunk = read(fetch);
    if (!chunk) {
      send(peer, DataFailed{fetch.request, chunk.error()});
      continue;
    }
    budget_.spend(chunk->bytes.size(), steady_now());
    send(peer, std::move(*chunk));
  }
}

Result<Chunk> DataService::read(const Fetch& fetch) {
  auto path = Result<std::string>(std::string());
  if (const auto* output = std::get_if<MapOutputFile>(&fetch.what)) path = folders_.output(*output);
  if (const auto* output = std::get_if<CommandOutput>(&fetch.what)) path = folders_.command_output(*output);
  if (const auto* block = std::get_if<BlockId>(&fetch.what)) path = folders_.block(*block);
  if (!path) return path.error();
  const auto file = OpenFile::to_read(*path);
  if (!file) {
    if (file.error().code != ErrorCode::not_found) return file.error();
    note_missing(fetch.what);
    return Error{ErrorCode::not_found, describe(fetch.what) + " is not here"};
  }
  const auto total = file->size();
  if (!total) return total.error();
  if (fetch.offset > *total) {
    return Error{ErrorCode::invalid, describe(fetch.what) + " has only " + std::to_string(*total) + " bytes"};
  }
  auto bytes = file->read_at(fetch.offset, std::min<std::size_t>(fetch.length, budget_.piece()));
  if (!bytes) return bytes.error();
  return Chunk{fetch.request, std::move(*bytes), *total};
}

/// Notes that somebody else has deleted the file of a block.
void DataService::note_missing(const DataName& what) {
  const auto* block = std::get_if<BlockId>(&what);
  if (block && blocks_.erase(*block) != 0) mailbox_.report(BlockVanished{*block});
}

/// A peer that does not take its answers has lost them, and its requests with them.
void DataService::send(PeerId peer, Message message) {
  std::string bytes;
  encode(bare_envelope(std::move(message)), bytes);
  if (port_->send(peer, std::move(bytes)) == Sent::yes) return;
  queue_.forget(peer);
  ingest_.forget(peer);
}

}  // namespace proffer::live
