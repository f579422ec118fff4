// Texts from outside: UTF-8 on the wire, and harmless on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace proffer::formats {

/// Returns whether a text is well-formed UTF-8 (RFC 3629).
bool is_utf8(std::string_view text);

/// Returns the text with U+FFFD for each byte that belongs to no character, cut behind its last character
/// that ends within `most` bytes.
std::string to_utf8(std::string_view text, std::size_t most);

/// Returns the text as a terminal may be shown it, so that it moves no cursor and sets no colour: as UTF-8,
/// with '?' for each control character but those in `kept`.
std::string printable(std::string_view text, std::string_view kept = {});

}  // namespace proffer::formats
