// Scopes as far as their braces tell, which is enough for formatted code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tests/tidy/source.hpp"

namespace proffer::tidy {

/// Returns the code of a source with spaces for its directives: they may open braces that they do not close.
std::string without_directives(const Source& source);

/// Returns the place of the brace that closes the one at `open`; the end of `code` when none does.
std::size_t closing_brace(std::string_view code, std::size_t open);

/// Returns `head` without what stands in angle brackets, so that template parameters are out of the way.
std::string without_templates(std::string_view head);

/// Returns whether `word` stands in `text` by itself, not as a part of another word.
bool has_word(std::string_view text, std::string_view word);

}  // namespace proffer::tidy
