// What Prometheus is told, and what the example of its use asks for.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "tests/live_http/http_client.hpp"
#include "tests/live_http/shown.hpp"

namespace proffer::live::test {
namespace {

using testing::HasSubstr;

std::string example(const std::string& name) {
  std::ifstream in(std::string(PROFFER_SOURCE_DIR) + "/examples/monitoring/" + name);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_NE(text, "") << name;
  return text;
}

std::set<std::string> names_in(const std::string& text, const std::regex& pattern) {
  std::set<std::string> names;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), pattern); found != std::sregex_iterator();
       ++found) {
    names.insert((*found)[1]);
  }
  return names;
}

TEST(Metrics, TellWhatHappened) {
  Shown shown;
  const auto text = body_with(shown.http(), "/metrics", "proffer_slots{kind=\"map\",state=\"used\"} 1");
  for (const auto* line :
       {"proffer_build_info{version=\"1.2.3\"} 1", "proffer_agents{state=\"up\"} 1",
        "proffer_slots{kind=\"map\",state=\"used\"} 1", "proffer_frameworks{state=\"up\"} 1",
        "proffer_offers_total{framework=\"etl\",outcome=\"accepted\"} 1",
        "proffer_offers_declined_total{framework=\"etl\",reason=\"no-node-local\"} 1",
        "proffer_pool_used_slots{pool=\"(root)\",kind=\"map\"} 1",
        "proffer_pool_min_share_slots{pool=\"(root)\",kind=\"map\"} 0",
        "proffer_task_launches_total{framework=\"etl\"} 1", "proffer_offer_hold_seconds_count 3",
        "# TYPE proffer_step_seconds histogram"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_EQ(
      names_in(text, std::regex("[{,]([a-z_]+)=\"")),
      (std::set<std::string>{"framework", "kind", "le", "outcome", "pool", "reason", "state", "version"}));
}

TEST(Metrics, ThatAlertsAndBoardAskForAreExported) {
  Shown shown;
  const auto exported = names_in(get(shown.http(), "/metrics").body, std::regex("# TYPE (proffer_[a-z_]+) "));
  const std::regex asked("(proffer_[a-z_]+?)(?:_bucket|_sum|_count)?(?![a-z_])");
  for (const auto* name : {"alerts.yml", "grafana.json"}) {
    const auto names = names_in(example(name), asked);
    EXPECT_FALSE(names.empty());
    for (const auto& metric : names) EXPECT_TRUE(exported.contains(metric)) << name << ": " << metric;
  }
  EXPECT_EQ(names_in(example("alerts.yml"), std::regex("- alert: ([A-Za-z]+)")).size(), 5u);
}

}  // namespace
}  // namespace proffer::live::test
