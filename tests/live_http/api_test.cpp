// The answers of the interface are what web/openapi.json says of them, field by field, both ways.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "proffer/formats/json_tree.hpp"
#include "proffer/live/describe.hpp"
#include "tests/live_http/http_client.hpp"
#include "tests/live_http/shown.hpp"

namespace proffer::live::test {
namespace {

using formats::JsonNode;
using formats::JsonType;
using testing::HasSubstr;

JsonNode parsed(const std::string& text) {
  auto tree = formats::parse_json(text, "answer");
  EXPECT_TRUE(tree.ok()) << text.substr(0, 200);
  return tree ? *tree : JsonNode();
}

std::string file(const std::string& path) {
  std::ifstream in(std::string(PROFFER_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Compares answers with the schemas of a document, and knows which of these it has met.
class Checker {
 public:
  explicit Checker(const JsonNode& document) : schemas_(*document.find("components")->find("schemas")) {}

  void check(const JsonNode& schema, const JsonNode& value, const std::string& where) {
    if (const auto* ref = schema.find("$ref")) return check(named(ref->text), value, where);
    if (const auto* all = schema.find("allOf")) return check(all->items.at(0), value, where);
    if (const auto* either = schema.find("oneOf")) {
      return check(either->items.at(value.type == JsonType::string ? 1 : 0), value, where);
    }
    const auto* nullable = schema.find("nullable");
    if (nullable != nullptr && nullable->boolean && value.type == JsonType::null) return;
    const auto& type = schema.find("type")->text;
    EXPECT_EQ(type, type_of(value, type)) << where;
    if (const auto* words = schema.find("enum")) check_word(*words, value, where);
    if (type == "object") check_object(schema, value, where);
    if (type != "array") return;
    for (const auto& item : value.items) check(*schema.find("items"), item, where + "[]");
  }
  std::set<std::string> never_met() const {
    std::set<std::string> names;
    for (const auto& [name, schema] : schemas_.members) {
      if (!met_.contains(name)) names.insert(name);
    }
    return names;
  }

 private:
  const JsonNode& named(const std::string& ref) {
    const auto name = ref.substr(ref.rfind('/') + 1);
    met_.insert(name);
    return *schemas_.find(name);
  }
  /// The type of a value; an integer is a number where one is wanted.
  static std::string type_of(const JsonNode& value, const std::string& wanted) {
    switch (value.type) {
      case JsonType::object:
        return "object";
      case JsonType::array:
        return "array";
      case JsonType::string:
        return "string";
      case JsonType::boolean:
        return "boolean";
      case JsonType::integer:
        return wanted == "number" ? "number" : "integer";
      case JsonType::number:
        return "number";
      case JsonType::null:
        break;
    }
    return "null";
  }
  static void check_word(const JsonNode& words, const JsonNode& value, const std::string& where) {
    std::set<std::string> known;
    for (const auto& word : words.items) known.insert(word.text);
    EXPECT_TRUE(known.contains(value.text)) << where << " is " << value.text;
  }
  void check_object(const JsonNode& schema, const JsonNode& value, const std::string& where) {
    const auto* properties = schema.find("properties");
    if (properties == nullptr) {
      const auto* any = schema.find("additionalProperties");
      if (any == nullptr) return;
      for (const auto& [name, member] : value.members) check(*any, member, where + "." + name);
      return;
    }
    std::set<std::string> said, there;
    for (const auto& [name, property] : properties->members) said.insert(name);
    for (const auto& [name, member] : value.members) there.insert(name);
    EXPECT_EQ(said, there) << where;
    for (const auto& [name, property] : properties->members) {
      if (const auto* member = value.find(name)) check(property, *member, where + "." + name);
    }
  }

  const JsonNode& schemas_;
  std::set<std::string> met_;
};

TEST(HttpApi, EveryAnswerHasExactlyTheFieldsOfItsDescription) {
  Shown shown;
  body_with(shown.http(), "/api/v1/agents", R"("runs":[{)");
  body_with(shown.http(), "/api/v1/history", R"("used":{"map":1})");
  const auto document = parsed(get(shown.http(), "/api/v1/openapi.json").body);
  Checker checker(document);
  for (const auto& [path, methods] : document.find("paths")->members) {
    if (path == "/api/v1/events") continue;  // it has no end
    const auto answer = get(shown.http(), path);
    EXPECT_EQ(answer.status, 200) << path;
    const auto* content = methods.find("get")->find("responses")->find("200")->find("content");
    const auto& [type, body] = content->members.at(0);
    EXPECT_THAT(answer.head, HasSubstr("Content-Type: " + type)) << path;
    if (type == "application/json") checker.check(*body.find("schema"), parsed(answer.body), path);
  }
  checker.check(JsonNode::object({{"$ref", "#/components/schemas/Error"}}),
                parsed(get(shown.http(), "/nowhere").body), "an error");
  EXPECT_THAT(checker.never_met(), testing::IsEmpty());
}

TEST(HttpApi, EveryPathThatIsServedIsDescribed) {
  const auto document = parsed(file("web/openapi.json"));
  std::set<std::string> said, served{"/api/v1/openapi.json"};
  for (const auto& [path, methods] : document.find("paths")->members) said.insert(path);
  const auto source = file("live/http/server.cpp");
  const std::regex route("server\\.Get\\(\"([^\"]+)\"");
  for (auto found = std::sregex_iterator(source.begin(), source.end(), route);
       found != std::sregex_iterator(); ++found) {
    served.insert((*found)[1]);
  }
  EXPECT_EQ(said, served);
}

TEST(HttpApi, SaysWhatRunsWhere) {
  Shown shown;
  const auto agents = body_with(shown.http(), "/api/v1/agents", R"("runs":[{)");
  EXPECT_THAT(agents, HasSubstr(R"("runs":[{"framework":"etl","id":")"));
  EXPECT_THAT(agents, HasSubstr(R"("tasks":1,"used":{"map":1}}])"));
  const auto tasks = body_with(shown.http(), "/api/v1/tasks", R"("task":"t1")");
  EXPECT_THAT(tasks, HasSubstr(R"("living":1,"tasks":[{"task":"t1","job":7,"framework":"etl",)"));
  const auto offers = get(shown.http(), "/api/v1/offers").body;
  EXPECT_THAT(offers, HasSubstr(R"("declined":{"no-node-local":1)"));
}

TEST(HttpApi, HistoryBeginsWhereOneAsks) {
  Shown shown;
  body_with(shown.http(), "/api/v1/history", R"("used":{"map":1})");
  EXPECT_EQ(get(shown.http(), "/api/v1/history?since=99999999999").body, R"({"samples":[]})");
  EXPECT_EQ(get(shown.http(), "/api/v1/history?since=soon").status, 400);
  for (const std::string wrong : {"-1", "nan", "inf", "-inf", "1e300"}) {
    EXPECT_EQ(get(shown.http(), "/api/v1/history?since=" + wrong).status, 400) << wrong;
  }
}

TEST(HttpApi, AChangeIsAnEventWithANewVersion) {
  Shown shown;
  const HttpConnection stream(shown.http());
  stream.say("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto first = stream.hear(std::chrono::seconds(20), "\n\n");
  EXPECT_THAT(first, HasSubstr("text/event-stream"));
  EXPECT_THAT(first, HasSubstr("event: version\nid: "));
  shown.launch("t2");
  EXPECT_THAT(stream.hear(std::chrono::seconds(20), "\n\n"), HasSubstr("event: version\nid: "));
}

TEST(HttpApi, OperatorsAreToldWhereTheDashboardIs) {
  Running daemon([](Stop& stop, const Ready& ready) { return run_allocator(with_dashboard(), stop, ready); });
  Context context;
  const auto state = describe(context, daemon.value("frameworks"), std::chrono::seconds(20));
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(state->http, daemon.value("http"));
}

}  // namespace
}  // namespace proffer::live::test
