// docs/PROTOCOL.md says what the codec does: numbers, names, fields, types, enumerations, limits.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "formats/fields/traits.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/formats/config.hpp"
#include "tests/formats/document.hpp"
#include "tests/formats/schema.hpp"
#include "tests/formats/tree.hpp"

namespace proffer::formats {

void PrintTo(const FieldWords& field, std::ostream* out) { *out << field.name << " | " << field.type; }

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<Section>& document() {
  static const auto sections = read_document(std::string(PROFFER_SOURCE_DIR) + "/docs/PROTOCOL.md");
  return sections;
}

const Section& section(std::string_view title) {
  for (const auto& found : document()) {
    if (found.title == title) return found;
  }
  ADD_FAILURE() << "PROTOCOL.md has no section " << title;
  static const Section none;
  return none;
}

/// The rows of the one table of a section, which must have these columns.
std::vector<Row> rows_of(std::string_view title, const Row& head) {
  const auto& found = section(title);
  if (found.tables.size() != 1) {
    ADD_FAILURE() << title << " should have one table";
    return {};
  }
  EXPECT_EQ(found.tables[0].head, head) << title;
  return found.tables[0].rows;
}

std::vector<FieldWords> documented_fields(std::string_view title) {
  std::vector<FieldWords> fields;
  for (const auto& row : rows_of(title, {"field", "type", "meaning"})) {
    fields.push_back({row.at(0), row.at(1)});
    EXPECT_FALSE(row.at(2).empty()) << title << ": " << row.at(0);
  }
  return fields;
}

void expect_documented(const StructWords& words, std::string_view title) {
  if (words.fields.empty()) {
    EXPECT_THAT(section(title).tables, IsEmpty()) << title;
    return;
  }
  EXPECT_EQ(documented_fields(title), words.fields) << title;
}

TEST(Protocol, EveryMessageIsDescribedFieldByField) {
  for (const auto& words : schema().messages) {
    expect_documented(words, std::to_string(words.number) + " " + words.name);
  }
}

bool is_of_a_message(const Section& found) {
  return std::isdigit(static_cast<unsigned char>(found.title[0])) != 0;
}

TEST(Protocol, NoMessageIsDescribedThatThereIsNot) {
  std::set<std::string> known;
  for (const auto& words : schema().messages) known.insert(std::to_string(words.number) + " " + words.name);
  for (const auto& found : document()) {
    EXPECT_EQ(known.contains(found.title), is_of_a_message(found)) << found.title;
  }
}

TEST(Protocol, MessagesStandInOrderInTheChapterOfTheirNumbers) {
  int last = 0;
  for (const auto& found : document()) {
    if (!is_of_a_message(found)) continue;
    const int number = std::stoi(found.title);
    EXPECT_GT(number, last);
    last = number;
    int from = 0, to = 0;
    ASSERT_EQ(std::sscanf(found.chapter.substr(found.chapter.rfind(": ")).c_str(), ": %d to %d", &from, &to),
              2);
    EXPECT_THAT(number, ::testing::AllOf(::testing::Ge(from), ::testing::Le(to))) << found.title;
  }
}

TEST(Protocol, EveryMessageHasADirection) {
  for (const auto& found : document()) {
    if (!is_of_a_message(found)) continue;
    EXPECT_THAT(found.text, ::testing::ContainsRegex("\n\\*[^*]*(→|↔|both ways)[^*]*\\.\\* ")) << found.title;
  }
}

TEST(Protocol, EveryStructureIsDescribedFieldByField) {
  for (const auto& words : schema().structs) {
    expect_documented(words, words.name == "envelope" ? "The envelope" : words.name);
  }
}

TEST(Protocol, TagsOfAlternativesAreThePlacesInTheirLists) {
  for (const auto& words : schema().unions) {
    const auto rows = rows_of(words.name, {"tag", "alternative", "meaning"});
    ASSERT_EQ(rows.size(), words.alternatives.size()) << words.name;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_THAT(rows[i], ElementsAre(std::to_string(i), words.alternatives[i], ::testing::Not(IsEmpty())));
    }
  }
}

// ---- types ----

/// The parts of a type's words that the table of types, a structure or an enumeration must define.
std::vector<std::string> parts_of(std::string_view type) {
  const auto with = [](std::vector<std::string> parts, std::string_view shape) {
    parts.emplace_back(shape);
    return parts;
  };
  if (type.ends_with(" or nil")) return with(parts_of(type.substr(0, type.size() - 7)), "T or nil");
  if (type.starts_with("list")) return with(parts_of(type.substr(type.find(" of ") + 4)), "list of T");
  if (const auto times = type.find(" times "); times != type.npos) {
    return with(parts_of(type.substr(times + 7)), "N times T");
  }
  if (type.starts_with('[')) {
    const auto comma = type.find(", ");
    auto parts = with(parts_of(type.substr(1, comma - 1)), "[A, B]");
    for (auto& part : parts_of(type.substr(comma + 2, type.size() - comma - 3)))
      parts.push_back(std::move(part));
    return parts;
  }
  if (type.starts_with("bytes up to")) return {"bytes up to N"};
  return {std::string(type.substr(0, type.find(" up to ")))};
}

TEST(Protocol, EveryTypeIsDefined) {
  std::set<std::string> defined;
  for (const auto& row : rows_of("Types", {"type", "on the wire", "meaning"})) {
    std::string words = row.at(0) + ", ";
    if (row.at(0).starts_with('[')) defined.insert(row.at(0));
    for (auto comma = words.find(", "); comma != words.npos; comma = words.find(", ")) {
      defined.insert(words.substr(0, comma));
      words.erase(0, comma + 2);
    }
  }
  for (const auto& words : schema().structs) defined.insert(words.name);
  for (const auto& words : schema().unions) defined.insert(words.name);
  EXPECT_TRUE(defined.contains("list of T"));
  const auto expect_defined = [&](const StructWords& words) {
    for (const auto& field : words.fields) {
      for (const auto& part : parts_of(field.type)) {
        EXPECT_TRUE(defined.contains(part)) << words.name << "." << field.name << ": " << part;
      }
    }
  };
  for (const auto& words : schema().messages) expect_defined(words);
  for (const auto& words : schema().structs) expect_defined(words);
}

template <class Enum>
void expect_enumeration(std::string_view title) {
  const auto rows = rows_of(title, {"value", "name", "meaning"});
  ASSERT_EQ(rows.size(), kEnumSize<Enum>) << title;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].at(0), std::to_string(i)) << title;
    EXPECT_EQ(rows[i].at(1), to_string(static_cast<Enum>(i))) << title;
  }
}

TEST(Protocol, EnumerationsHaveTheirValuesAndNames) {
  expect_enumeration<DeclineReason>("decline reason");
  expect_enumeration<TaskState>("task state");
  expect_enumeration<TaskReason>("task reason");
  expect_enumeration<ErrorCode>("error code");
  expect_enumeration<Known>("known");
}

TEST(Protocol, TerminalStatesAreThoseFromFinishedOn) {
  EXPECT_THAT(section("task state").text, HasSubstr("From FINISHED on, a task has ended"));
  for (int i = 0; i < kTaskStates; ++i) {
    const auto state = static_cast<TaskState>(i);
    EXPECT_EQ(is_terminal(state), state >= TaskState::finished) << to_string(state);
  }
}

// ---- limits, addresses ----

TEST(Protocol, LimitsAreThoseOfTheHeader) {
  const std::map<std::string, std::uint64_t> limits{
      {"kProtocolVersion", limits::kProtocolVersion},
      {"kFrameBytes", limits::kFrameBytes},
      {"kHeadRoomBytes", limits::kHeadRoomBytes},
      {"kResultBytes", limits::kResultBytes},
      {"kNesting", limits::kNesting},
      {"kNameBytes", limits::kNameBytes},
      {"kPathBytes", limits::kPathBytes},
      {"kEndpointBytes", limits::kEndpointBytes},
      {"kTextBytes", limits::kTextBytes},
      {"kOffersPerMessage", limits::kOffersPerMessage},
      {"kOffersPerFramework", limits::kOffersPerFramework},
      {"kTasksPerAccept", limits::kTasksPerAccept},
      {"kKindsPerAgent", limits::kKindsPerAgent},
      {"kPools", limits::kPools},
      {"kFrameworks", limits::kFrameworks},
      {"kAgents", limits::kAgents},
      {"kKinds", limits::kKinds},
      {"kQuantity", limits::kQuantity},
      {"kDurationUs", limits::kDurationUs},
      {"kArgs", limits::kArgs},
      {"kItems", limits::kItems},
      {"kChunkBytes", limits::kChunkBytes},
      {"kShippedFileBytes", limits::kShippedFileBytes},
      {"kCachedFiles", limits::kCachedFiles},
      {"kPoolDepth", limits::kPoolDepth},
      {"kSlotsPerAgent", limits::kSlotsPerAgent},
      {"kPeerHeldBytes", limits::kPeerHeldBytes},
      {"kFrameworksPerPeer", limits::kFrameworksPerPeer},
      {"kAgentsPerPeer", limits::kAgentsPerPeer},
      {"kKindsPerPeer", limits::kKindsPerPeer},
      {"kUnfinishedFilesPerPeer", limits::kUnfinishedFilesPerPeer},
      {"kFailoverUs", limits::kFailoverUs}};
  std::map<std::string, std::uint64_t> documented;
  for (const auto& row : rows_of("Limits", {"limit", "value", "of"}))
    documented[row.at(0)] = std::stoull(row.at(1));
  EXPECT_EQ(documented, limits);
}

TEST(Protocol, DefaultAddressesAreThoseOfTheConfiguration) {
  const Config config;
  std::map<std::string, std::string> documented;
  for (const auto& row : rows_of("Sockets", {"server", "default address", "who connects"}))
    documented[row.at(0)] = row.at(1);
  EXPECT_EQ(documented, (std::map<std::string, std::string>{
                            {"allocator, frameworks", config.allocator.frameworks_endpoint},
                            {"allocator, agents", config.allocator.agents_endpoint},
                            {"catalog", config.catalog.endpoint},
                            {"data port of an agent", config.agent.data_endpoint}}));
}

TEST(Protocol, EveryErrorOfAMessageHasItsCode) {
  std::set<std::string> codes;
  for (const auto& row : rows_of("Errors of a message", {"what", "error code", "sentence"}))
    codes.insert(row.at(1));
  EXPECT_EQ(codes, (std::set<std::string>{"invalid", "version", "type", "body"}));
}

TEST(Protocol, TheSentenceShownForABadFieldIsTheOneThatIsSent) {
  std::string bytes;
  encode({{}, {}, {}, 0, Decline{{{5, 1}, {5, 2}, {5, 3}, {5, 4}}, DeclineReason::other, {}, {}}}, bytes);
  const auto said = decode(planted(bytes, {6, 0, 3}, Planted::empty_array)).error().message;
  EXPECT_THAT(section("Errors of a message").tables.at(0).rows.back().back(), HasSubstr("`" + said + "`"));
}

TEST(Protocol, MessagesNamedInTheTextExist) {
  std::set<std::string> known;
  for (const auto& words : schema().messages) known.insert(words.name);
  for (const auto& row : rows_of("What must arrive", {"message", "is the same as", "sent again"})) {
    std::string names = row.at(0) + ", ";
    for (auto comma = names.find(", "); comma != names.npos; comma = names.find(", ")) {
      EXPECT_TRUE(known.contains(names.substr(0, comma))) << names.substr(0, comma);
      names.erase(0, comma + 2);
    }
  }
}

}  // namespace
}  // namespace proffer::formats
