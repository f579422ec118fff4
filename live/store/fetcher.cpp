// Pulls ranges from data ports, piece by piece, and from another replica where one fails.
#include <algorithm>
#include <map>
#include <optional>

#include "live/store/range_fetch.hpp"
#include "live/transport/envelope.hpp"
#include "live/transport/port_pool.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {
namespace {

using Sink = std::function<Result<>(std::string_view)>;

// An agent that failed is asked last for so long.
constexpr Duration kDistrust = std::chrono::seconds(30);
// The longest wait for a server while another replica is left.
constexpr Duration kPatienceWithOthers = std::chrono::seconds(10);

}  // namespace

std::vector<Replica> in_order(std::vector<Replica> replicas, const ReplicaChoice& choice) {
  if (replicas.empty()) return replicas;
  const auto start = static_cast<std::ptrdiff_t>(choice.start % replicas.size());
  std::rotate(replicas.begin(), replicas.begin() + start, replicas.end());
  const auto in_rack = [&](const Replica& replica) {
    return !choice.rack.empty() && replica.rack == choice.rack;
  };
  const auto at_agent = [&](const Replica& replica) {
    return !choice.agent.value.is_nil() && replica.agent == choice.agent;
  };
  const auto others = std::stable_partition(replicas.begin(), replicas.end(), at_agent);
  std::stable_partition(others, replicas.end(), in_rack);
  return replicas;
}

struct Fetcher::Impl {
  Impl(Context& context, Duration patience) : ports(context.data_ports()), timeout(patience) {}

  struct Question {
    const std::string& endpoint;
    const std::string& token;
    const DataName& what;
    Duration timeout;
  };
  /// Fetches as far as it can; `range` tells how far that was. `sink_failed` tells whose error it is.
  Result<> fetch(const Question& question, RangeFetch& range, const Sink& sink, bool& sink_failed);
  Result<> fetch(ConnectedPort& port, const Question& question, RangeFetch& range, const Sink& sink,
                 bool& sink_failed);
  Result<Chunk> fetch_piece(const Question& question, std::uint64_t offset);
  Result<Chunk> fetch_piece(ConnectedPort& port, const Question& question, std::uint64_t offset);
  Result<std::optional<Chunk>> receive_piece(ConnectedPort& port, std::uint64_t request);
  void ask(const Question& question, ConnectedPort& port, RangeFetch& range);
  void send(const Question& question, ConnectedPort& port, std::uint64_t offset, std::uint32_t length);
  /// Waits until `progress` was too long ago, at most.
  void wait(const Question& question, ConnectedPort& port, Time progress);
  Result<bool> receive(ConnectedPort& port, RangeFetch& range);
  Result<> hand_on(RangeFetch& range, const Sink& sink, bool& sink_failed);
  std::optional<Error> given_up(const Question& question, ConnectedPort& port, Duration silent);
  std::vector<Replica> by_trust(std::vector<Replica> replicas);

  PortPool& ports;
  Duration timeout;
  Poller poller;
  std::uint64_t requests = 0;
  std::map<std::string, Time> distrusted;  // endpoints, until when
};

void Fetcher::Impl::ask(const Question& question, ConnectedPort& port, RangeFetch& range) {
  while (const auto piece = range.next_piece()) {
    send(question, port, piece->offset, piece->length);
    range.asked(requests, *piece);
  }
}

void Fetcher::Impl::send(const Question& question, ConnectedPort& port, std::uint64_t offset,
                         std::uint32_t length) {
  std::string frame;
  encode(bare_envelope(Fetch{++requests, question.token, question.what, offset, length}), frame);
  // Refused only past a bound that a few small requests cannot reach; if it ever is, the silence is noticed.
  static_cast<void>(port.send({}, std::move(frame)));
}

void Fetcher::Impl::wait(const Question& question, ConnectedPort& port, Time progress) {
  const auto most = port.pending() ? std::min(question.timeout, kConnectPatience) : question.timeout;
  poller.wait({{&port, -1}}, std::max(Duration::zero(), progress + most - steady_now()));
  port.flush();
}

/// Returns whether there was any progress.
Result<bool> Fetcher::Impl::receive(ConnectedPort& port, RangeFetch& range) {
  bool any = false;
  while (const auto frame = port.receive()) {
    auto envelope = decode(frame->bytes);
    if (!envelope) return Error{ErrorCode::corrupt, "no data port speaks there"};
    if (const auto* error = std::get_if<ErrorMessage>(&envelope->message)) return error->error;
    if (const auto* failed = std::get_if<DataFailed>(&envelope->message)) {
      if (range.is_open(failed->request)) return failed->error;
    }
    auto* chunk = std::get_if<Chunk>(&envelope->message);
    if (!chunk || !range.is_open(chunk->request)) continue;  // an answer to an earlier fetch
    if (auto taken = range.take(std::move(*chunk)); !taken) return taken.error();
    any = true;
  }
  return any;
}

Result<> Fetcher::Impl::hand_on(RangeFetch& range, const Sink& sink, bool& sink_failed) {
  while (const auto bytes = range.next_bytes()) {
    if (auto taken = sink(*bytes); !taken) {
      sink_failed = true;
      return taken;
    }
  }
  return {};
}

std::optional<Error> Fetcher::Impl::given_up(const Question& question, ConnectedPort& port, Duration silent) {
  if (port.take_lost() || (port.pending() && silent >= kConnectPatience)) {
    return Error{ErrorCode::unreachable, "no data port answers at " + question.endpoint};
  }
  if (silent < question.timeout) return {};
  return Error{ErrorCode::timed_out, "the data port at " + question.endpoint + " has stalled"};
}

Result<> Fetcher::Impl::fetch(const Question& question, RangeFetch& range, const Sink& sink,
                              bool& sink_failed) {
  auto port = ports.borrow(question.endpoint);
  if (!port) return port.error();
  auto fetched = fetch(**port, question, range, sink, sink_failed);
  // Answers of a fetch that failed may still be under way, and would be taken for those of the next one.
  if (!fetched) port->spoil();
  return fetched;
}

Result<> Fetcher::Impl::fetch(ConnectedPort& port, const Question& question, RangeFetch& range,
                              const Sink& sink, bool& sink_failed) {
  static_cast<void>(port.take_lost());  // losses that concern earlier fetches
  auto progress = steady_now();
  while (!range.done()) {
    ask(question, port, range);
    wait(question, port, progress);
    const auto any = receive(port, range);
    if (!any) return any.error();
    // The clock starts after the sink has taken the bytes: a sink that takes its time is no silence of the
    // server.
    if (auto handed = hand_on(range, sink, sink_failed); !handed) return handed;
    if (*any) progress = steady_now();
    if (range.done()) break;
    if (auto error = given_up(question, port, steady_now() - progress)) return *error;
  }
  return {};
}

/// Returns none when the piece has not come yet.
Result<std::optional<Chunk>> Fetcher::Impl::receive_piece(ConnectedPort& port, std::uint64_t request) {
  while (const auto frame = port.receive()) {
    auto envelope = decode(frame->bytes);
    if (!envelope) return Error{ErrorCode::corrupt, "no data port speaks there"};
    if (const auto* error = std::get_if<ErrorMessage>(&envelope->message)) return error->error;
    const auto* failed = std::get_if<DataFailed>(&envelope->message);
    if (failed && failed->request == request) return failed->error;
    auto* chunk = std::get_if<Chunk>(&envelope->message);
    if (chunk && chunk->request == request) return std::optional(std::move(*chunk));
  }
  return std::optional<Chunk>();
}

Result<Chunk> Fetcher::Impl::fetch_piece(const Question& question, std::uint64_t offset) {
  auto port = ports.borrow(question.endpoint);
  if (!port) return port.error();
  auto fetched = fetch_piece(**port, question, offset);
  if (!fetched) port->spoil();
  return fetched;
}

Result<Chunk> Fetcher::Impl::fetch_piece(ConnectedPort& port, const Question& question,
                                         std::uint64_t offset) {
  static_cast<void>(port.take_lost());  // losses that concern earlier fetches
  send(question, port, offset, limits::kChunkBytes);
  const auto request = requests;
  const auto asked = steady_now();
  while (true) {
    wait(question, port, asked);
    auto chunk = receive_piece(port, request);
    if (!chunk) return chunk.error();
    if (*chunk) return std::move(**chunk);
    if (auto error = given_up(question, port, steady_now() - asked)) return *error;
  }
}

std::vector<std::optional<Chunk>> Fetcher::fetch_beginnings(const std::vector<Beginning>& wanted,
                                                            const std::string& token) {
  std::vector<std::optional<Chunk>> got(wanted.size());
  std::map<std::string, PortPool::Lease> ports;
  std::map<std::uint64_t, std::pair<PortPool::Lease*, std::size_t>>
      open;  // request -> the port, and the range
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& endpoint = wanted[i].endpoint;
    if (!ports.contains(endpoint)) {
      auto borrowed = impl_->ports.borrow(endpoint);
      if (!borrowed) continue;
      static_cast<void>((*borrowed)->take_lost());  // losses that concern earlier fetches
      ports.emplace(endpoint, std::move(*borrowed));
    }
    auto& port = ports.at(endpoint);
    impl_->send({endpoint, token, wanted[i].what, impl_->timeout}, *port, 0, limits::kChunkBytes);
    open[impl_->requests] = {&port, i};
  }
  auto progress = steady_now();
  while (!open.empty()) {
    auto& lease = *open.begin()->second.first;
    auto* port = &*lease;
    const auto before = open.size();
    impl_->poller.wait({{port, -1}}, std::max(Duration::zero(), progress + impl_->timeout - steady_now()));
    port->flush();
    while (const auto frame = port->receive()) {
      auto envelope = decode(frame->bytes);
      auto* chunk = envelope ? std::get_if<Chunk>(&envelope->message) : nullptr;
      const auto* failed = envelope ? std::get_if<DataFailed>(&envelope->message) : nullptr;
      const auto answered = open.extract(chunk ? chunk->request : failed ? failed->request : 0);
      if (!answered.empty() && chunk) got[answered.mapped().second] = std::move(*chunk);
    }
    if (open.size() < before) progress = steady_now();
    // The caller asks again, and gets the reason then.
    if (port->take_lost() || steady_now() - progress >= impl_->timeout) {
      std::erase_if(open, [&lease](const auto& one) { return one.second.first == &lease; });
      lease.spoil();
      progress = steady_now();
    }
  }
  return got;
}

std::vector<Replica> Fetcher::Impl::by_trust(std::vector<Replica> replicas) {
  const auto now = steady_now();
  std::erase_if(distrusted, [now](const auto& one) { return one.second <= now; });
  std::stable_partition(replicas.begin(), replicas.end(),
                        [this](const Replica& replica) { return !distrusted.contains(replica.endpoint); });
  return replicas;
}

Fetcher::Fetcher(Context& context, Duration timeout) : impl_(std::make_unique<Impl>(context, timeout)) {}
Fetcher::~Fetcher() = default;

Result<> Fetcher::fetch(const std::string& endpoint, const std::string& token, const DataName& what,
                        std::uint64_t offset, std::uint64_t length, const Sink& sink) {
  RangeFetch range(offset, length);
  bool sink_failed = false;
  return impl_->fetch({endpoint, token, what, impl_->timeout}, range, sink, sink_failed);
}

Result<Chunk> Fetcher::fetch_piece(const std::string& endpoint, const std::string& token,
                                   const DataName& what, std::uint64_t offset) {
  return impl_->fetch_piece({endpoint, token, what, impl_->timeout}, offset);
}

Result<> Fetcher::fetch_from(const std::vector<Replica>& replicas, const ReplicaChoice& choice,
                             const std::string& token, const DataName& what, std::uint64_t offset,
                             std::uint64_t length, const Sink& sink) {
  const auto ordered = impl_->by_trust(in_order(replicas, choice));
  Error last{ErrorCode::unreachable, "no agent that holds it is there"};
  auto at = offset;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const auto& endpoint = ordered[i].endpoint;
    const bool others_left = i + 1 < ordered.size();
    const auto patience = others_left ? std::min(impl_->timeout, kPatienceWithOthers) : impl_->timeout;
    RangeFetch range(at, offset + length - at);
    bool sink_failed = false;
    auto fetched = impl_->fetch({endpoint, token, what, patience}, range, sink, sink_failed);
    if (fetched || sink_failed) return fetched;
    // A lack of connections is our own.
    if (fetched.error().code != ErrorCode::slow_down) impl_->distrusted[endpoint] = steady_now() + kDistrust;
    last = fetched.error();
    at = range.handed();
  }
  return Error{ErrorCode::unreachable, std::move(last.message)};
}

}  // namespace proffer::live
