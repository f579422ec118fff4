#include "proffer/formats/json_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace proffer::formats {
namespace {

std::string error_of(std::string_view text) {
  const auto parsed = parse_json(text, "t.json");
  return parsed ? "it was read" : parsed.error().message;
}

std::string sequence_error_of(std::string_view text) {
  const auto parsed = parse_json_sequence(text, "t.json");
  return parsed ? "it was read" : parsed.error().message;
}

TEST(JsonTree, EveryTypeIsRead) {
  const auto tree =
      parse_json(R"({"n":null,"b":true,"i":-7,"d":2.5,"s":"a\"é","a":[1,2],"o":{}})", "f").value();
  EXPECT_EQ(tree.type, JsonType::object);
  EXPECT_EQ(tree.find("n")->type, JsonType::null);
  EXPECT_TRUE(tree.find("b")->boolean);
  EXPECT_EQ(tree.find("i")->integer, -7);
  EXPECT_EQ(tree.find("i")->number, -7.0);
  EXPECT_EQ(tree.find("d")->number, 2.5);
  EXPECT_EQ(tree.find("s")->text, "a\"é");
  EXPECT_EQ(tree.find("a")->items.at(1).integer, 2);
  EXPECT_EQ(tree.find("o")->type, JsonType::object);
}

TEST(JsonTree, MembersKeepTheirOrder) {
  const auto tree = parse_json(R"({"z":1,"a":2,"m":3})", "f").value();
  ASSERT_EQ(tree.members.size(), 3u);
  EXPECT_EQ(tree.members[0].first, "z");
  EXPECT_EQ(tree.members[2].first, "m");
}

TEST(JsonTree, WhatIsNotThereIsNotFound) {
  EXPECT_EQ(parse_json(R"({"a":1})", "f")->find("b"), nullptr);
  EXPECT_EQ(parse_json("[1]", "f")->find("b"), nullptr);
}

TEST(JsonTree, NodesKnowTheLineTheyStartIn) {
  const auto tree =
      parse_json("{\n  \"a\": 1\n,\n  \"b\": [\n    2,\n    \"x\"\n  ],\"c\": {\n}}\n", "f").value();
  EXPECT_EQ(tree.line, 1u);
  EXPECT_EQ(tree.find("a")->line, 2u) << "the parser looks past a number, over the end of its line";
  EXPECT_EQ(tree.find("b")->line, 4u);
  EXPECT_EQ(tree.find("b")->items.at(0).line, 5u);
  EXPECT_EQ(tree.find("b")->items.at(1).line, 6u);
  EXPECT_EQ(tree.find("c")->line, 7u);
}

TEST(JsonTree, IntegersAreExactToTheEndsOfTheirRange) {
  const auto tree =
      parse_json("[9223372036854775807,-9223372036854775808,18446744073709551615]", "f").value();
  EXPECT_EQ(tree.items[0].integer, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(tree.items[1].integer, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(tree.items[2].type, JsonType::number);
}

TEST(JsonTree, ErrorsNameFileAndLine) {
  EXPECT_EQ(error_of("{\n \"a\": 1,\n \"b\": }"),
            "t.json:3: syntax error while parsing value - unexpected '}'; expected '[', '{', or a literal");
  EXPECT_EQ(error_of("{\n \"a\": tru }"),
            "t.json:2: syntax error while parsing value - invalid literal; last read: '\"a\": tru '");
  EXPECT_THAT(error_of(""),
              testing::StartsWith("t.json:1: syntax error while parsing value - unexpected end of"));
  EXPECT_THAT(error_of("[1,\n2"), testing::StartsWith("t.json:2: syntax error while parsing array"));
  EXPECT_THAT(error_of("{}\n{}"),
              testing::StartsWith("t.json:2: syntax error while parsing value - unexpected '{'"));
  EXPECT_EQ(error_of("\n1e999"), "t.json:2: number overflow parsing '1e999'");
}

TEST(JsonTree, ErrorsDoNotQuoteAWholeFile) {
  EXPECT_EQ(error_of("\"" + std::string(100000, 'x')),
            "t.json:1: syntax error while parsing value - invalid string: missing closing quote");
  EXPECT_THAT(error_of("[\"\xff\"]"), testing::AllOf(testing::HasSubstr("ill-formed UTF-8"),
                                                     testing::Not(testing::HasSubstr("\xff"))));
}

TEST(JsonTree, AMemberThatIsThereTwiceIsAnErrorAtTheSecond) {
  EXPECT_EQ(error_of("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}"),
            "t.json:3: the member \"a\" is there twice in one object");
  EXPECT_EQ(error_of(R"([{"a":1},{"a":2}])"), "it was read");
}

TEST(JsonTree, NestingIsBounded) {
  EXPECT_EQ(error_of(std::string(200, '[') + std::string(200, ']')), "it was read");
  EXPECT_EQ(error_of(std::string(100000, '[')), "t.json:1: nested more than 200 levels deep");
}

TEST(JsonSequence, DocumentsFollowOneAnother) {
  const auto documents = parse_json_sequence("{\"a\":1}\n{\"a\":\n2}{\"a\":3}\n\n", "f").value();
  ASSERT_EQ(documents.size(), 3u);
  EXPECT_EQ(documents[1].line, 2u);
  EXPECT_EQ(documents[1].find("a")->line, 3u);
  EXPECT_EQ(documents[2].find("a")->integer, 3);
}

TEST(JsonSequence, NumbersAloneLoseNothingOfWhatFollows) {
  const auto documents = parse_json_sequence("12\n34[5]\n6", "f").value();
  ASSERT_EQ(documents.size(), 4u);
  EXPECT_EQ(documents[1].integer, 34);
  EXPECT_EQ(documents[1].line, 2u);
  EXPECT_EQ(documents[2].items.at(0).integer, 5);
  EXPECT_EQ(documents[2].line, 2u);
  EXPECT_EQ(documents[3].integer, 6);
  EXPECT_EQ(documents[3].line, 3u);
}

TEST(JsonSequence, NothingIsNoDocument) {
  EXPECT_TRUE(parse_json_sequence("", "f")->empty());
  EXPECT_TRUE(parse_json_sequence(" \n\n", "f")->empty());
}

TEST(JsonSequence, ErrorsNameTheLineInTheWholeText) {
  EXPECT_THAT(sequence_error_of("{\"a\":1}\n\n{\"a\":}\n"), testing::StartsWith("t.json:3: syntax error"));
  EXPECT_THAT(sequence_error_of("{\"a\":1}\n{\"a\":\n1"), testing::StartsWith("t.json:3: syntax error"));
}

TEST(JsonDump, TreesAreWrittenInOrderAndReadBackEqual) {
  auto tree = JsonNode::object();
  tree.set("z", JsonNode(std::int64_t{1}));
  tree.set("a", JsonNode::array({JsonNode(0.1), JsonNode("\"\n"), JsonNode(true), JsonNode()}));
  const auto text = dump_json(tree, -1);
  EXPECT_EQ(text, R"({"z":1,"a":[0.1,"\"\n",true,null]})");
  EXPECT_EQ(dump_json(parse_json(text, "f").value(), -1), text);
}

TEST(JsonDump, IndentsOnRequest) {
  EXPECT_EQ(dump_json(JsonNode::object({{"a", JsonNode(1.0)}})), "{\n  \"a\": 1.0\n}");
}

TEST(JsonDump, WhatJsonCannotSayBecomesNullOrAReplacement) {
  EXPECT_EQ(dump_json(JsonNode(std::numeric_limits<double>::quiet_NaN())), "null");
  EXPECT_EQ(dump_json(JsonNode(std::numeric_limits<double>::infinity())), "null");
  EXPECT_EQ(dump_json(JsonNode("a\xff")), "\"a\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace proffer::formats
