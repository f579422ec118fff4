#include "live/run/packet.hpp"

#include <cstring>

namespace proffer::live {
namespace {

/// Above all that a packet can hold: a LAUNCH with its files is one message.
constexpr std::uint32_t kLargestPacket = 16 << 20;

class Writer {
 public:
  template <class Number>
  void number(Number value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_.append(value);
  }
  void list(const std::vector<std::string>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const auto& value : values) text(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Leaves alone what it finds no bytes for.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class Number>
  void number(Number& value) {
    if (!has(sizeof value)) return;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
  }
  void number(bool& value) {
    std::uint8_t byte = value ? 1 : 0;
    number(byte);
    value = byte != 0;
  }
  void text(std::string& value) {
    std::uint32_t size = 0;
    number(size);
    if (!has(size)) return;
    value.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  void list(std::vector<std::string>& values) {
    std::uint32_t size = 0;
    number(size);
    // Each text has a length of four bytes at least.
    if (!has(std::size_t{4} * size)) return;
    values.resize(size);
    for (auto& value : values) text(value);
  }
  /// False when a field ended in its middle.
  bool sound() const { return sound_; }

 private:
  bool has(std::size_t size) {
    if (bytes_.empty() && size > 0) return false;
    sound_ = sound_ && bytes_.size() >= size;
    return sound_;
  }

  std::string_view bytes_;
  bool sound_ = true;
};

template <class Archive, class SomePacket>
void fields(Archive& archive, SomePacket& packet) {
  archive.number(packet.type);
  archive.number(packet.launch.epoch);
  archive.number(packet.launch.n);
  archive.number(packet.number);
  archive.number(packet.exit.code);
  archive.number(packet.exit.signal);
  archive.number(packet.cap);
  archive.number(packet.has_result);
  archive.text(packet.bytes);
  archive.text(packet.text);
  archive.list(packet.argv);
  archive.list(packet.env);
  archive.number(packet.of_agent);
  archive.text(packet.lost);
  archive.text(packet.remark);
  archive.list(packet.kept_as);
  archive.number(packet.seq);
  archive.text(packet.ran);
  archive.number(packet.asked);
  archive.list(packet.cached);
  archive.text(packet.boot);
  archive.number(packet.start_time);
}

}  // namespace

std::string to_wire(const Packet& packet) {
  Writer body;
  fields(body, packet);
  Writer whole;
  whole.text(body.take());
  return whole.take();
}

std::optional<Packet> PacketReader::next() {
  const auto left = std::string_view(buffer_).substr(read_);
  std::uint32_t size = 0;
  if (broken_ || left.size() < sizeof size) return {};
  std::memcpy(&size, left.data(), sizeof size);
  broken_ = size > kLargestPacket;
  if (broken_ || left.size() - sizeof size < size) return {};
  Packet packet;
  Reader reader(left.substr(sizeof size, size));
  fields(reader, packet);
  if (!reader.sound()) {
    broken_ = true;
    return {};
  }
  read_ += sizeof size + size;
  if (read_ == buffer_.size() || read_ > (1u << 20)) {
    buffer_.erase(0, read_);
    read_ = 0;
  }
  return packet;
}

std::optional<Packet> from_wire(std::string_view wire) {
  std::uint32_t size = 0;
  if (wire.size() < sizeof size) return {};
  std::memcpy(&size, wire.data(), sizeof size);
  if (wire.size() != sizeof size + size) return {};
  PacketReader reader;
  reader.feed(wire);
  return reader.next();
}

std::string task_frame(TaskFrameKind kind, std::string_view bytes) {
  std::string frame;
  const auto size = static_cast<std::uint32_t>(bytes.size());
  for (unsigned shift = 0; shift < 32; shift += 8) frame.push_back(static_cast<char>((size >> shift) & 255u));
  frame.push_back(static_cast<char>(kind));
  frame.append(bytes);
  return frame;
}

}  // namespace proffer::live
