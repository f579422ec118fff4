#include "live/run/packet_channel.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

namespace proffer::live {

PacketChannel::PacketChannel(Descriptor socket) : socket_(std::move(socket)) {
  ::fcntl(socket_.get(), F_SETFL, ::fcntl(socket_.get(), F_GETFL) | O_NONBLOCK);
}

void PacketChannel::send(const Packet& packet) {
  if (!open()) return;
  out_ += to_wire(packet);
  flush();
}

void PacketChannel::flush() {
  while (open() && queued() > 0) {
    const auto n = ::send(socket_.get(), out_.data() + sent_, queued(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    // The other end is closed; what it said before is still to be read, and that shows the end.
    if (n < 0) sent_ = out_.size();
    if (n > 0) sent_ += static_cast<std::size_t>(n);
  }
  if (queued() == 0 || sent_ > (1u << 20)) {
    out_.erase(0, sent_);
    sent_ = 0;
  }
}

std::vector<Packet> PacketChannel::receive() {
  std::array<char, 65536> chunk;
  std::vector<Packet> packets;
  for (int round = 0; open() && round < 16; ++round) {
    const auto n = ::read(socket_.get(), chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) socket_.reset();
    if (n > 0) reader_.feed({chunk.data(), static_cast<std::size_t>(n)});
    while (auto packet = reader_.next()) packets.push_back(std::move(*packet));
    if (reader_.broken()) socket_.reset();
  }
  return packets;
}

}  // namespace proffer::live
