// Messages as bytes and back: one MessagePack array a message, positional, as docs/PROTOCOL.md lists field by
// field. Records that machines keep are written in the same way.
#pragma once

#include <string>
#include <string_view>

#include "proffer/kept.hpp"
#include "proffer/message.hpp"
#include "proffer/result.hpp"

namespace proffer {

/// Replaces `out` by the bytes of the message. Aborts when the message is past its bound: kFrameBytes, and
/// kHeadRoomBytes less for ACCEPT, STATUS and MORE_INPUTS. That is the sender's mistake, who should have
/// paged a big list.
void encode(const Envelope& envelope, std::string& out);

/// Reads a message from bytes that may be anything; never throws. Errors: `version`, `type`, `body` (says
/// which field), or `invalid` for bytes that are no message at all. Unknown trailing elements are ignored;
/// missing ones are errors.
Result<Envelope> decode(std::string_view frame);

/// A task's work and result on their own, as a worker reads and writes them.
void encode_work(const Work& work, std::string& out);
Result<Work> decode_work(std::string_view bytes);
void encode_result(const TaskResult& result, std::string& out);
/// Errors as decode(); also `body` beyond kResultBytes.
Result<TaskResult> decode_result(std::string_view bytes);
/// The further inputs of a reduce that runs, on their own.
void encode_inputs(const MoreInputs& inputs, std::string& out);
Result<MoreInputs> decode_inputs(std::string_view bytes);

/// A record as a store keeps it: [tag, fields...], where the tag is the record's place in Kept. More than
/// kRecordBytes cannot be read again.
void encode_record(const Kept& record, std::string& out);
/// Errors as decode_work().
Result<Kept> decode_record(std::string_view bytes);
/// Returns the word for a kind of record, which is an index of Kept: "launch".
std::string_view record_kind(std::size_t kind);

}  // namespace proffer
