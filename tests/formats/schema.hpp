// The codec's lists of fields as words, for comparison with docs/PROTOCOL.md.
#pragma once

#include <string>
#include <vector>

namespace proffer::formats {

struct FieldWords {
  std::string name;
  std::string type;
  bool operator==(const FieldWords&) const = default;
};

/// A message (with its number), or a structure within messages (number 0).
struct StructWords {
  int number = 0;
  std::string name;
  std::vector<FieldWords> fields;
};

/// The alternatives of a tagged structure, in order of their tags.
struct UnionWords {
  std::string name;
  std::vector<std::string> alternatives;
};

struct Schema {
  std::vector<StructWords> messages;  // by number
  std::vector<StructWords> structs;   // the envelope, and all that messages are made of
  std::vector<UnionWords> unions;
};
const Schema& schema();

}  // namespace proffer::formats
