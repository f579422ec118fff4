#include "live/store/block_sender.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "live/store/crc32.hpp"
#include "live/transport/envelope.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

// Pieces on their way to a target: enough to keep a fast one busy, not so many that a slow one hoards memory.
constexpr std::size_t kWindow = 4;

}  // namespace

/// The state of one target while a block goes there.
struct BlockSender::Stream {
  Replica target;
  std::optional<PortPool::Lease> lent;  // none when it could not be had
  std::uint64_t sent = 0;
  std::map<std::uint64_t, std::uint64_t> open;  // requests not answered yet, with the lengths of their pieces
  Time progress{};
  std::optional<Error> error;

  bool wants_more(std::uint64_t length) const { return !error && sent < length && open.size() < kWindow; }
  bool busy(std::uint64_t length) const { return !error && (sent < length || !open.empty()); }
};

namespace {

using Stream = BlockSender::Stream;

struct Shipment {
  const BlockAllocated& block;
  std::string_view bytes;
  std::uint32_t crc32;
};

Store piece_at(const Shipment& shipment, std::uint64_t offset, std::uint64_t request) {
  const auto bytes = shipment.bytes.substr(offset, limits::kChunkBytes);
  const bool last = offset + bytes.size() == shipment.bytes.size();
  return {request, shipment.block.token,     shipment.block.block, offset, std::string(bytes),
          last,    last ? shipment.crc32 : 0};
}

void push(Stream& stream, const Shipment& shipment, std::uint64_t& requests) {
  while (stream.wants_more(shipment.bytes.size())) {
    auto piece = piece_at(shipment, stream.sent, ++requests);
    stream.open[piece.request] = piece.bytes.size();
    stream.sent += piece.bytes.size();
    std::string frame;
    encode(bare_envelope(std::move(piece)), frame);
    if ((*stream.lent)->send({}, std::move(frame)) != Sent::yes) {
      stream.error =
          Error{ErrorCode::unreachable, "the data port at " + stream.target.endpoint + " takes nothing"};
    }
  }
}

/// The first error is the one that tells why; pieces that were under way then are refused for lack of it.
void take(Stream& stream, const std::string& frame, Time now) {
  if (stream.error) return;
  const auto envelope = decode(frame);
  if (!envelope) {
    stream.error = Error{ErrorCode::corrupt, "no data port speaks at " + stream.target.endpoint};
  } else if (const auto* stored = std::get_if<Stored>(&envelope->message)) {
    if (stream.open.erase(stored->request) != 0) stream.progress = now;
  } else if (const auto* failed = std::get_if<DataFailed>(&envelope->message)) {
    if (stream.open.contains(failed->request)) stream.error = failed->error;
  } else if (const auto* error = std::get_if<ErrorMessage>(&envelope->message)) {
    stream.error = error->error;
  }
}

/// Returns how long the target may stay silent: not long when there is no connection yet.
Duration patience(const Stream& stream, Duration timeout) {
  return (*stream.lent)->pending() ? std::min(timeout, kConnectPatience) : timeout;
}

void receive(Stream& stream, Duration timeout, Time now) {
  auto& port = **stream.lent;
  port.flush();
  while (const auto frame = port.receive()) take(stream, frame->bytes, now);
  if (stream.error) return;
  const bool silent = now - stream.progress >= patience(stream, timeout);
  if (port.take_lost() || (silent && port.pending())) {
    stream.error = Error{ErrorCode::unreachable, "no data port answers at " + stream.target.endpoint};
  } else if (silent) {
    stream.error = Error{ErrorCode::timed_out, "the data port at " + stream.target.endpoint + " has stalled"};
  }
}

Stream open_stream(PortPool& ports, const Replica& target) {
  Stream stream{target, {}, 0, {}, steady_now(), {}};
  auto port = ports.borrow(target.endpoint);
  if (!port) {
    stream.error = port.error();
    return stream;
  }
  static_cast<void>((*port)->take_lost());  // losses that concern earlier blocks
  stream.lent.emplace(std::move(*port));
  return stream;
}

}  // namespace

std::vector<BlockSender::Failed> BlockSender::send(const BlockAllocated& block, std::string_view bytes) {
  Crc32 crc;
  crc.add(bytes);
  const Shipment shipment{block, bytes, crc.value()};
  std::vector<Stream> streams;
  for (const auto& target : block.targets) streams.push_back(open_stream(ports_, target));
  while (true) {
    std::vector<Poller::Wanted> wanted;
    auto wait = timeout_;
    for (auto& stream : streams) {
      if (!stream.busy(bytes.size())) continue;
      push(stream, shipment, requests_);
      wanted.push_back({&**stream.lent, -1});
      wait = std::min(wait, stream.progress + patience(stream, timeout_) - steady_now());
    }
    if (wanted.empty()) break;
    poller_.wait(wanted, std::max(wait, Duration::zero()));
    for (auto& stream : streams) {
      if (stream.busy(bytes.size())) receive(stream, timeout_, steady_now());
    }
  }
  return take_failures(streams);
}

std::vector<BlockSender::Failed> BlockSender::take_failures(std::vector<Stream>& streams) {
  std::vector<Failed> failed;
  for (auto& stream : streams) {
    if (!stream.error) continue;
    if (stream.lent) stream.lent->spoil();
    failed.push_back({stream.target, std::move(*stream.error)});
  }
  return failed;
}

}  // namespace proffer::live
