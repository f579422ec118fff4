#include "proffer/formats/codec.hpp"

#include <array>
#include <limits>
#include <msgpack.hpp>
#include <type_traits>

#include "formats/fields/kept.hpp"
#include "formats/fields/messages.hpp"
#include "formats/fields/traits.hpp"

namespace proffer {
namespace {

using namespace formats;
using msgpack::object;
namespace kind_of = msgpack::type;

// ---- writing ----

/// The stream that msgpack::packer writes into.
struct Sink {
  std::string& out;
  void write(const char* bytes, std::size_t size) { out.append(bytes, size); }
};

class Writer {
 public:
  explicit Writer(std::string& out) : sink_{out}, packer_(sink_) {}

  void array(std::size_t size) { packer_.pack_array(static_cast<std::uint32_t>(size)); }
  void bin(std::string_view bytes) {
    packer_.pack_bin(static_cast<std::uint32_t>(bytes.size()));
    packer_.pack_bin_body(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
  }
  void str(std::string_view text) {
    packer_.pack_str(static_cast<std::uint32_t>(text.size()));
    packer_.pack_str_body(text.data(), static_cast<std::uint32_t>(text.size()));
  }

  template <class Rule, class T>
  void write(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value ? packer_.pack_true() : packer_.pack_false();
    } else if constexpr (std::is_enum_v<T>) {
      packer_.pack(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_integral_v<T>) {
      packer_.pack(value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      write_string(value, Rule{});
    } else if constexpr (HasLayout<T>) {
      array(kFieldCount<T>);
      write_fields(value);
    } else {
      write_other(value, Rule{});
    }
  }

  template <class T>
  void write_fields(const T& value) {
    for_each_field<T>(
        [&](const auto& field) { write<typename std::decay_t<decltype(field)>::rule>(value.*field.member); });
  }

 private:
  template <std::size_t Most>
  void write_string(const std::string& value, Bytes<Most>) {
    bin(value);
  }
  template <class Rule>
  void write_string(const std::string& value, Rule) {
    str(value);
  }
  /// Writes a text as UTF-8, whatever its bytes: names of users and tasks, and texts about them, come from
  /// anywhere.
  template <class Rule>
    requires std::is_same_v<Rule, Text> || std::is_same_v<Rule, Short>
  void write_string(const std::string& value, Rule) {
    Rule::holds(value) ? str(value) : str(to_utf8(value, Rule::most));
  }

  void write_other(Duration value, Plain) { packer_.pack(to_us(value)); }
  void write_other(Kind value, Plain) { str(value.name()); }

  template <class Tag>
  void write_other(const Id<Tag, Bits128>& id, Plain) {
    std::array<char, 16> bytes;
    for (std::size_t i = 0; i < 8; ++i) {
      bytes[i] = static_cast<char>(id.value.hi >> (56 - 8 * i));
      bytes[8 + i] = static_cast<char>(id.value.lo >> (56 - 8 * i));
    }
    bin({bytes.data(), id.value.is_nil() ? 0U : bytes.size()});
  }
  template <class Tag, class Rep>
  void write_other(const Id<Tag, Rep>& id, Plain) {
    write<Plain>(id.value);
  }
  template <class Tag>
  void write_other(const EpochCounter<Tag>& id, Plain) {
    array(2);
    packer_.pack(id.epoch);
    packer_.pack(id.n);
  }
  void write_other(const Resources& bag, Plain) { write_list<Plain>(bag); }
  void write_other(const Quantities& quantities, Plain) { write_list<Plain>(quantities); }

  template <class T, class Rule>
  void write_other(const std::vector<T>& list, Rule) {
    write_list<item_rule<Rule>>(list);
  }
  template <class T, std::size_t N>
  void write_other(const std::array<T, N>& list, Plain) {
    write_list<Plain>(list);
  }
  template <class A, class B, class Rule>
  void write_other(const std::pair<A, B>& pair, Rule) {
    array(2);
    write<first_rule<Rule>>(pair.first);
    write<second_rule<Rule>>(pair.second);
  }
  template <class T, class Rule>
  void write_other(const std::optional<T>& value, Rule) {
    value ? write<Rule>(*value) : static_cast<void>(packer_.pack_nil());
  }
  template <class T>
  void write_other(const std::shared_ptr<const T>& value, Plain) {
    value ? write<Plain>(*value) : static_cast<void>(packer_.pack_nil());
  }
  /// Writes [tag, fields...]: the tag is the alternative's place in the variant.
  template <class... Ts>
  void write_other(const std::variant<Ts...>& value, Plain) {
    std::visit(
        [&]<class T>(const T& held) {
          if constexpr (HasLayout<T>) {
            array(1 + kFieldCount<T>);
            packer_.pack(value.index());
            write_fields(held);
          } else {
            array(2);
            packer_.pack(value.index());
            write<Plain>(held);
          }
        },
        value);
  }

  template <class Rule, class List>
  void write_list(const List& list) {
    array(list.size());
    for (const auto& item : list) write<Rule>(item);
  }

  Sink sink_;
  msgpack::packer<Sink> packer_;
};

// ---- reading ----

/// The place and reason of a failed read; the path is put together from the inside out, so that success costs
/// nothing.
class Fault {
 public:
  bool is(std::string_view what) {
    what_ = what;
    return false;
  }
  bool within(std::string_view name) {
    const bool needs_dot = !path_.empty() && path_.front() != '[';
    path_.insert(0, needs_dot ? std::string(name) + "." : std::string(name));
    return false;
  }
  bool at(std::size_t index) { return within("[" + std::to_string(index) + "]"); }
  std::string sentence() const { return path_.empty() ? what_ : path_ + " " + what_; }

 private:
  std::string path_;
  std::string what_;
};

class Reader {
 public:
  const Fault& fault() const { return fault_; }

  template <class Rule, class T>
  bool read(const object& from, T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      if (from.type != kind_of::BOOLEAN) return fault_.is("must be true or false");
      value = from.via.boolean;
      return true;
    } else if constexpr (std::is_enum_v<T>) {
      return read_enum(from, value);
    } else if constexpr (std::is_integral_v<T>) {
      return read_integer<Rule>(from, value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      return read_string(from, value, Rule{});
    } else if constexpr (HasLayout<T>) {
      return is_array(from) && read_fields(elements(from), value);
    } else {
      return read_other(from, value, Rule{});
    }
  }

  struct Elements {
    const object* next;
    const object* end;
  };
  static Elements elements(const object& array) {
    return {array.via.array.ptr, array.via.array.ptr + array.via.array.size};
  }

  template <class T>
  bool read_fields(Elements from, T& value) {
    return all_fields<T>([&](const auto& field) {
      if (from.next == from.end) return fault_.is("is missing"), fault_.within(field.name);
      if (read<typename std::decay_t<decltype(field)>::rule>(*from.next++, value.*field.member)) return true;
      return fault_.within(field.name);
    });
  }

 private:
  bool is_array(const object& from) { return from.type == kind_of::ARRAY || fault_.is("must be an array"); }

  template <class Rule, class T>
  bool read_integer(const object& from, T& value) {
    if (from.type == kind_of::NEGATIVE_INTEGER) {
      if constexpr (std::is_signed_v<T>) {
        value = static_cast<T>(from.via.i64);
        return from.via.i64 >= std::numeric_limits<T>::min() || fault_.is("is too small");
      }
      return fault_.is("must not be negative");
    }
    if (from.type != kind_of::POSITIVE_INTEGER) return fault_.is("must be an integer");
    if (from.via.u64 > most_of<Rule, T>)
      return fault_.is("must be at most " + std::to_string(most_of<Rule, T>));
    value = static_cast<T>(from.via.u64);
    return true;
  }

  bool read_number(const object& from, std::uint64_t most, std::uint64_t& value) {
    if (!read<Plain>(from, value)) return false;
    return value <= most || fault_.is("must be at most " + std::to_string(most));
  }

  template <class Enum>
  bool read_enum(const object& from, Enum& value) {
    std::uint64_t number = 0;
    if (!read<Plain>(from, number)) return false;
    if (number < kEnumSize<Enum>) {
      value = static_cast<Enum>(number);
      return true;
    }
    // A newer framework may have reasons that are unknown here; the connection must not be cut off for it.
    if constexpr (std::is_same_v<Enum, DeclineReason>) {
      value = DeclineReason::other;
      return true;
    }
    return fault_.is("has the unknown value " + std::to_string(number));
  }

  template <std::size_t Most>
  bool read_string(const object& from, std::string& value, Bytes<Most>) {
    if (from.type != kind_of::BIN) return fault_.is("must be bin");
    if (from.via.bin.size > Most) return fault_.is("must be at most " + std::to_string(Most) + " bytes");
    value.assign(from.via.bin.ptr, from.via.bin.size);
    return true;
  }
  template <class Rule>
  bool read_string(const object& from, std::string& value, Rule) {
    if (from.type != kind_of::STR) return fault_.is("must be str");
    const std::string_view text(from.via.str.ptr, from.via.str.size);
    if (!Rule::holds(text)) return fault_.is(Rule::wants);
    value = text;
    return true;
  }

  bool read_other(const object& from, Duration& value, Plain) {
    std::uint64_t us = 0;
    if (!read_number(from, limits::kDurationUs, us)) return false;
    value = Duration{static_cast<std::int64_t>(us)};
    return true;
  }
  bool read_other(const object& from, Kind& value, Plain) {
    if (from.type != kind_of::STR) return fault_.is("must be str");
    const std::string_view text(from.via.str.ptr, from.via.str.size);
    if (!Kind::valid(text)) return fault_.is("must be a kind, 1-15 bytes of [a-z0-9_]");
    value = Kind(text);
    return true;
  }
  template <class Tag>
  bool read_other(const object& from, Id<Tag, Bits128>& id, Plain) {
    if (from.type != kind_of::BIN || (from.via.bin.size != 0 && from.via.bin.size != 16)) {
      return fault_.is("must be a bin of 16 bytes, or of none");
    }
    const auto word = [&](std::uint32_t at) {
      std::uint64_t bits = 0;
      for (std::uint32_t i = 0; i < 8; ++i)
        bits = bits << 8 | static_cast<unsigned char>(from.via.bin.ptr[at + i]);
      return bits;
    };
    id.value = from.via.bin.size == 0 ? Bits128{} : Bits128{word(0), word(8)};
    return true;
  }
  template <class Tag, class Rep>
  bool read_other(const object& from, Id<Tag, Rep>& id, Plain) {
    return read<Plain>(from, id.value);
  }
  bool read_other(const object& from, TaskId& id, Plain) { return read<Name>(from, id.value); }
  template <class Tag>
  bool read_other(const object& from, EpochCounter<Tag>& id, Plain) {
    if (!is_array(from)) return false;
    if (from.via.array.size < 2) return fault_.is("must be [epoch, n]");
    return read<Plain>(from.via.array.ptr[0], id.epoch) && read<Plain>(from.via.array.ptr[1], id.n);
  }

  /// Reads [[kind, quantity], ...], sorted by kind, each kind once: so that equal bags have equal bytes.
  template <class Add>
  bool read_quantities(const object& from, const Add& add) {
    Kind last;
    return read_items(from, limits::kKinds, [&](const object& item) {
      Resources::Entry entry;
      if (!read_other(item, entry, Plain{})) return false;
      if (entry.first <= last) return fault_.is("is out of order: kinds rise, and each stands once");
      if (entry.second < 0) return fault_.is("must not be negative");
      last = entry.first;
      return add(entry);
    });
  }
  bool read_other(const object& from, Resources& bag, Plain) {
    return read_quantities(from, [&](const Resources::Entry& entry) {
      if (entry.second == 0) return fault_.is("must have a quantity above 0");
      if (entry.second > limits::kQuantity) return fault_.is("must have a quantity of at most 2^40");
      bag.set(entry.first, entry.second);
      return true;
    });
  }
  bool read_other(const object& from, Quantities& quantities, Plain) {
    return read_quantities(from, [&](const Resources::Entry& entry) {
      quantities.insert(quantities.end(), entry);
      return true;
    });
  }

  template <class T, class Rule>
  bool read_other(const object& from, std::vector<T>& list, Rule) {
    if (from.type == kind_of::ARRAY && from.via.array.size <= list_limit<Rule>)
      list.reserve(from.via.array.size);
    return read_items(from, list_limit<Rule>,
                      [&](const object& item) { return read<item_rule<Rule>>(item, list.emplace_back()); });
  }
  template <class T, std::size_t N>
  bool read_other(const object& from, std::array<T, N>& list, Plain) {
    if (!is_array(from)) return false;
    if (from.via.array.size < N) return fault_.is("must have " + std::to_string(N) + " elements");
    for (std::size_t i = 0; i < N; ++i) {
      if (!read<Plain>(from.via.array.ptr[i], list[i])) return fault_.at(i);
    }
    return true;
  }
  template <class A, class B, class Rule>
  bool read_other(const object& from, std::pair<A, B>& pair, Rule) {
    if (!is_array(from)) return false;
    if (from.via.array.size < 2) return fault_.is("must have two elements");
    if (!read<first_rule<Rule>>(from.via.array.ptr[0], pair.first)) return fault_.at(0);
    return read<second_rule<Rule>>(from.via.array.ptr[1], pair.second) || fault_.at(1);
  }
  template <class T, class Rule>
  bool read_other(const object& from, std::optional<T>& value, Rule) {
    if (from.type == kind_of::NIL) {
      value.reset();  // its default may be a value
      return true;
    }
    return read<Rule>(from, value.emplace());
  }
  template <class T>
  bool read_other(const object& from, std::shared_ptr<const T>& value, Plain) {
    if (from.type == kind_of::NIL) return true;
    auto read_into = std::make_shared<T>();
    if (!read<Plain>(from, *read_into)) return false;
    value = std::move(read_into);
    return true;
  }

  template <class... Ts>
  bool read_other(const object& from, std::variant<Ts...>& value, Plain) {
    if (!is_array(from)) return false;
    if (from.via.array.size == 0) return fault_.is("must begin with a tag");
    std::uint64_t tag = 0;
    if (!read<Plain>(from.via.array.ptr[0], tag)) return fault_.within("tag");
    if (tag >= sizeof...(Ts)) return fault_.is("has the unknown tag " + std::to_string(tag));
    bool ok = false;
    std::uint64_t place = 0;
    ((place++ == tag ? void(ok = read_alternative(from, value.template emplace<Ts>())) : void()), ...);
    return ok;
  }
  template <class T>
  bool read_alternative(const object& from, T& value) {
    auto all = elements(from);
    ++all.next;
    if constexpr (HasLayout<T>) {
      return read_fields(all, value);
    } else {
      return all.next == all.end ? fault_.is("ends after its tag") : read<Plain>(*all.next, value);
    }
  }

  template <class Each>
  bool read_items(const object& from, std::size_t most, const Each& each) {
    if (!is_array(from)) return false;
    if (from.via.array.size > most)
      return fault_.is("must have at most " + std::to_string(most) + " elements");
    for (std::uint32_t i = 0; i < from.via.array.size; ++i) {
      if (!each(from.via.array.ptr[i])) return fault_.at(i);
    }
    return true;
  }

  Fault fault_;
};

// ---- whole messages ----

using ReadBody = bool (*)(Reader&, const object&, Message&);

template <class M>
bool read_body(Reader& reader, const object& body, Message& message) {
  return reader.read<Plain>(body, message.emplace<M>());
}

/// The readers by type number; null where there is no such type.
constexpr auto kReaders = [] {
  std::array<ReadBody, 128> table{};
  for_each_message([&]<class M>(std::type_identity<M>) { table[Layout<M>::number] = &read_body<M>; });
  return table;
}();

Error invalid(std::string what) { return {ErrorCode::invalid, std::move(what)}; }

/// The tree of objects of all the bytes, of which there are `most` at most; texts point into them.
Result<object> parse(std::string_view bytes, msgpack::zone& zone, std::size_t most = limits::kFrameBytes) {
  if (bytes.empty()) return invalid("an empty message");
  if (bytes.size() > most) return invalid("a message of more than " + std::to_string(most) + " bytes");
  const msgpack::unpack_limit limit(limits::kItems, 0, most, most, 0, limits::kNesting);
  const auto refer = [](kind_of::object_type, std::size_t, void*) { return true; };
  try {
    std::size_t used = 0;
    const auto root = msgpack::unpack(zone, bytes.data(), bytes.size(), used, refer, nullptr, limit);
    if (used != bytes.size()) return invalid("bytes after the end of the message");
    return root;
  } catch (const msgpack::insufficient_bytes&) {
    return invalid("the bytes end in the middle of the message");
  } catch (const msgpack::depth_size_overflow&) {
    return invalid("arrays nested more than " + std::to_string(limits::kNesting) + " deep");
  } catch (const msgpack::size_overflow&) {
    return invalid("a list of more than " + std::to_string(limits::kItems) +
                   " elements, a map, or an extension");
  } catch (const std::exception&) {
    return invalid("bytes that are not MessagePack");
  }
}

/// Returns whether the allocator passes messages of this type on in a message of its own: a LAUNCH, an UPDATE
/// or the relayed MORE_INPUTS is longer than its source by a few ids and a name.
bool is_sent_on(std::uint64_t type) {
  return type == Layout<Accept>::number || type == Layout<Status>::number ||
         type == Layout<MoreInputs>::number;
}

std::size_t most_bytes(std::uint64_t type) {
  return is_sent_on(type) ? limits::kFrameBytes - limits::kHeadRoomBytes : limits::kFrameBytes;
}

/// Reads the array that a message is, once its version was found to be ours. Nothing else is looked at
/// before: other versions may mean anything by it.
Result<Reader::Elements> parse_envelope(std::string_view frame, msgpack::zone& zone) {
  const auto root = parse(frame, zone);
  if (!root) return root.error();
  if (root->type != kind_of::ARRAY || root->via.array.size == 0) return invalid("a message must be an array");
  const auto& version = root->via.array.ptr[0];
  if (version.type != kind_of::POSITIVE_INTEGER) return invalid("envelope: v must be a positive integer");
  if (version.via.u64 != limits::kProtocolVersion) {
    return Error{ErrorCode::version, "the message is of protocol version " + std::to_string(version.via.u64) +
                                         ", and this is version " + std::to_string(limits::kProtocolVersion)};
  }
  return Reader::elements(*root);
}

Error bad_body(Message& message, const Reader& reader) {
  return {ErrorCode::body, std::string(type_name(message)) + ": " + reader.fault().sentence()};
}

/// Writes work or a result in the form of a field, without an envelope.
template <class T>
void encode_alone(const T& value, std::string& out) {
  out.clear();
  Writer(out).write<Plain>(value);
}

template <class T>
Result<T> decode_alone(std::string_view what, std::string_view bytes,
                       std::size_t most = limits::kFrameBytes) {
  msgpack::zone zone;
  const auto root = parse(bytes, zone, most);
  if (!root) return root.error();
  Reader reader;
  T value;
  if (!reader.read<Plain>(*root, value)) {
    return Error{ErrorCode::body, std::string(what) + ": " + reader.fault().sentence()};
  }
  return value;
}

}  // namespace

void encode(const Envelope& envelope, std::string& out) {
  out.clear();
  Writer writer(out);
  const auto write = [&]<class M>(const M& message) {
    writer.array(kFieldCount<Head> + 1);
    writer.write_fields(Head{limits::kProtocolVersion, Layout<M>::number, envelope.cluster, envelope.epoch,
                             envelope.session, envelope.seq});
    writer.write<Plain>(message);
    PROFFER_CHECK(out.size() <= most_bytes(Layout<M>::number),
                  "a message past its bound: its sender should have paged it");
  };
  std::visit(write, envelope.message);
}

Result<Envelope> decode(std::string_view frame) {
  msgpack::zone zone;
  const auto elements = parse_envelope(frame, zone);
  if (!elements) return elements.error();
  Reader reader;
  Head head;
  if (!reader.read_fields(*elements, head)) return invalid("envelope: " + reader.fault().sentence());
  const auto read_body = head.type < kReaders.size() ? kReaders[head.type] : nullptr;
  if (read_body == nullptr) {
    return Error{ErrorCode::type, "unknown message type " + std::to_string(head.type)};
  }
  if (frame.size() > most_bytes(head.type)) {
    return Error{ErrorCode::body,
                 "a message of this type has at most " + std::to_string(most_bytes(head.type)) + " bytes"};
  }
  const auto* body = elements->next + kFieldCount<Head>;
  if (body == elements->end) return invalid("envelope: body is missing");
  Result<Envelope> envelope(Envelope{head.cluster, head.epoch, head.session, head.seq, {}});
  if (!read_body(reader, *body, envelope->message)) return bad_body(envelope->message, reader);
  return envelope;
}

void encode_work(const Work& work, std::string& out) { encode_alone(work, out); }
Result<Work> decode_work(std::string_view bytes) { return decode_alone<Work>("work", bytes); }
void encode_result(const TaskResult& result, std::string& out) { encode_alone(result, out); }
void encode_inputs(const MoreInputs& inputs, std::string& out) { encode_alone(inputs, out); }
Result<MoreInputs> decode_inputs(std::string_view bytes) { return decode_alone<MoreInputs>("inputs", bytes); }
Result<TaskResult> decode_result(std::string_view bytes) {
  if (bytes.size() > limits::kResultBytes) {
    return Error{ErrorCode::body, "result: has more than " + std::to_string(limits::kResultBytes) + " bytes"};
  }
  return decode_alone<TaskResult>("result", bytes);
}

void encode_record(const Kept& record, std::string& out) { encode_alone(record, out); }
Result<Kept> decode_record(std::string_view bytes) {
  return decode_alone<Kept>("record", bytes, limits::kRecordBytes);
}
std::string_view record_kind(std::size_t kind) {
  PROFFER_CHECK(kind < kRecordKinds.size(), "there is no such kind of record");
  return kRecordKinds[kind];
}

}  // namespace proffer
