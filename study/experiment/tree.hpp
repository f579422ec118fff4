// Changing an experiment's tree before it is read: values put in at dotted keys, and variables.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "proffer/formats/toml.hpp"

namespace proffer::study {

using formats::TomlKey;
using formats::TomlMember;
using formats::TomlNode;
using formats::TomlType;

const TomlNode* find_member(const TomlNode& table, std::string_view name);
TomlNode* find_member(TomlNode& table, std::string_view name);

/// Puts `value` at key.name, a dotted path from `root`. Tables on the way are made as needed; in a list of
/// tables, such as [[framework]], the next part of the path is the name of one of them, else all of them are
/// meant. Empty, or what is wrong: a sentence about the key.
std::string assign(TomlNode& root, const TomlKey& key, const TomlNode& value);

/// A value as people write it on a line: 5s, 12, {name = "wait", node_wait = "5s"} as wait,node_wait=5s.
std::string short_text(const TomlNode& value);

using Variables = std::map<std::string, TomlNode>;

/// Replaces each string "${NAME}" by the variable's value, and ${NAME} within a longer string by its short
/// text. `invalid` with its place for a variable that there is not, or a ${ without }.
Result<> substitute(TomlNode& node, const Variables& variables, std::string_view file);
/// Returns whether "${NAME}" stands in a string of the tree.
bool uses_variable(const TomlNode& node, std::string_view name);

}  // namespace proffer::study
