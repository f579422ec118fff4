// Lists of what is in a cluster: columns, formats, and how one thing is found.
#include "cli/listed.hpp"

#include <gmock/gmock.h>

namespace proffer::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ClusterState cluster() {
  ClusterState state;
  for (const auto* name : {"n01", "n02"}) {
    AgentState agent;
    agent.id.value = {0xabc0 + state.agents.size(), 1};
    agent.name = name;
    agent.rack = "rack1";
    agent.reach = "up";
    agent.total = {{Kind("map"), 2}};
    state.agents.push_back(agent);
  }
  state.agents[1].trouble = "its disk is full, \"/data\"";
  FrameworkState framework;
  framework.id.value = {7, 7};
  framework.name = "run";
  state.frameworks.push_back(framework);
  state.tasks.push_back({state.agents[0].id, framework.id, TaskId{"t-1"}, JobId{3}, TaskState::running,
                         Resources{{Kind("map"), 1}}});
  return state;
}

std::string text_of(const Listed& list, const std::string& format,
                    const std::vector<std::string>& columns = {}, std::size_t width = 0) {
  const auto text = list_text(list, format, columns, width);
  return text ? *text : text.error().message;
}

std::vector<std::string> found(const Listed& list, const std::string& id) {
  std::vector<std::string> names;
  for (const auto* row : rows_called(list, id)) names.push_back(row->cells.front());
  return names;
}

TEST(ListedTable, HasItsUsualColumnsAndAllWhereItIsWide) {
  EXPECT_THAT(text_of(listed_agents(cluster()), "table"), HasSubstr("AGENT  RACK   STATE    TASKS  SLOTS"));
  EXPECT_THAT(text_of(listed_agents(cluster()), "table"), testing::Not(HasSubstr("DATA")));
  EXPECT_THAT(text_of(listed_agents(cluster()), "wide"), HasSubstr("DATA"));
}

TEST(ListedTable, IsCutAtTheEdgeOfATerminal) {
  EXPECT_EQ(text_of(listed_agents(cluster()), "table", {}, 8), "AGENT  >\nn01    >\nn02    >\n");
}

TEST(ListedColumns, AreThoseThatAreNamedInThatOrder) {
  EXPECT_EQ(text_of(listed_tasks(cluster()), "table", {"state", "Task"}), "STATE    TASK\nRUNNING  t-1\n");
}

TEST(ListedColumns, ThatAreNotThereAreRefusedWithThoseThatAre) {
  EXPECT_THAT(text_of(listed_pools(cluster()), "csv", {"wieght"}),
              HasSubstr("--columns wieght: there is no such column; there are pool, weight, "));
  EXPECT_THAT(text_of(listed_pools(cluster()), "json", {"weight"}), HasSubstr("json has all fields"));
}

TEST(ListedCsv, QuotesWhatMustBe) {
  EXPECT_EQ(text_of(listed_agents(cluster()), "csv", {"agent", "trouble"}),
            "AGENT,TROUBLE\r\nn01,-\r\nn02,\"its disk is full, \"\"/data\"\"\"\r\n");
}

TEST(ListedJson, HasTheRowsOfTheHttpInterface) {
  const auto lines = text_of(listed_tasks(cluster()), "jsonl");
  EXPECT_THAT(lines, testing::StartsWith(R"({"task":"t-1","job":3,"framework":"run","framework_id":")"));
  EXPECT_EQ(text_of(listed_tasks(cluster()), "json"), "[" + lines.substr(0, lines.size() - 1) + "]\n");
  EXPECT_EQ(text_of(listed_tasks({}), "json"), "[]\n");
  EXPECT_EQ(text_of(listed_tasks({}), "jsonl"), "");
}

TEST(ListedRows, AreFoundByNameOrByTheBeginningOfANameOrId) {
  const auto agents = listed_agents(cluster());
  EXPECT_THAT(found(agents, "n01"), ElementsAre("n01"));
  EXPECT_THAT(found(agents, "n0"), ElementsAre("n01", "n02"));
  EXPECT_THAT(found(agents, "000000000000abc1"), ElementsAre("n02"));
  EXPECT_THAT(found(agents, "abc"), IsEmpty());
  EXPECT_THAT(found(listed_tasks(cluster()), "run/t"), ElementsAre("t-1"));
}

TEST(ListedRows, WithThatVeryNameHideThoseThatBeginSo) {
  auto state = cluster();
  state.agents[0].name = "n";
  EXPECT_THAT(found(listed_agents(state), "n"), ElementsAre("n"));
}

TEST(ListedRow, IsALineAColumn) {
  const auto list = listed_tasks(cluster());
  EXPECT_THAT(row_text(list, list.rows[0], "table"), HasSubstr("task          t-1\nframework     run\n"));
}

}  // namespace
}  // namespace proffer::cli
