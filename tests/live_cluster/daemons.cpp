#include "daemons.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "proffer/live/executor.hpp"

namespace proffer::testing {
namespace {

using namespace std::chrono_literals;

const std::string kSomePort = "tcp://127.0.0.1:0";

std::string name_of(int agent) { return "n" + std::to_string(agent + 1); }

}  // namespace

std::string Daemon::value(const std::string& key) const {
  std::istringstream words(ready_);
  for (std::string word; words >> word;) {
    if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
  }
  ADD_FAILURE() << words_.front() << " is not ready: " << read_file(log_);
  return "";
}

void Daemon::set(const std::string& flag, const std::string& value) {
  *std::next(std::find(words_.begin(), words_.end(), flag)) = value;
}

void Daemon::end_by(int number) {
  child_.signal(number);
  const auto status = child_.wait_exit(20s);
  EXPECT_EQ(status, std::optional(number == SIGTERM ? 0 : number)) << words_.front() << read_file(log_);
}

live::Child Daemon::begin() {
  auto child = start_proffer(words_, log_);
  if (auto line = child.read_line(20s)) ready_ = *line;
  return child;
}

Daemons::Daemons(int agents, const std::string& slots)
    : catalog_({"catalog", "--endpoint", kSomePort, "--state-dir", make_dir("catalog"), "--end-with-parent"},
               dir("catalog.log")),
      allocator_({"allocator", "--frameworks-endpoint", kSomePort, "--agents-endpoint", kSomePort,
                  "--catalog-endpoint", catalog_.value("endpoint"), "--state-dir", make_dir("allocator"),
                  "--end-with-parent"},
                 dir("allocator.log")),
      endpoint_(allocator_.value("frameworks")) {
  catalog_.set("--endpoint", catalog_.value("endpoint"));
  allocator_.set("--frameworks-endpoint", endpoint_);
  allocator_.set("--agents-endpoint", allocator_.value("agents"));
  for (int i = 0; i < agents; ++i) {
    const auto name = name_of(i);
    agents_.emplace_back(
        std::vector<std::string>{"agent", "--name", name, "--allocator", allocator_.value("agents"),
                                 "--work-dir", make_dir(name), "--slots", slots, "--end-with-parent"},
        dir(name + ".log"));
  }
  EXPECT_TRUE(eventually([&] { return whole(); }, 30s));
}

Daemons::~Daemons() {
  const auto count = static_cast<int>(agents_.size());
  agents_.clear();
  for (int i = 0; i < count; ++i) {
    const auto ended = live::end_runs_in(dir(name_of(i)), PROFFER_BIN_DIR "/proffer-launcher");
    EXPECT_TRUE(ended) << ended.error().message;
  }
}

std::string Daemons::make_dir(const std::string& name) const {
  std::filesystem::create_directories(dir(name));
  return dir(name);
}

std::vector<std::string> Daemons::with_address(std::vector<std::string> words) const {
  words.insert(words.begin() + 1, {"--allocator", endpoint_});
  return words;
}

Ran Daemons::command(std::vector<std::string> words) const {
  return proffer(with_address(std::move(words)), 120s);
}

live::Child Daemons::begin(std::vector<std::string> words, const std::string& log) const {
  return start_proffer(with_address(std::move(words)), log);
}

int Daemons::used(const std::string& framework, const std::string& kind) const {
  const auto state = nlohmann::json::parse(status(), nullptr, false);
  int used = -1;
  for (const auto& one : state.is_object() ? state.at("frameworks") : nlohmann::json::array()) {
    if (one.at("name") == framework) used = std::max(used, 0) + one.at("used").value(kind, 0);
  }
  return used;
}

bool Daemons::whole() const {
  const auto state = nlohmann::json::parse(status(), nullptr, false);
  if (!state.is_object() || state.at("agents").size() != agents_.size()) return false;
  const auto& agents = state.at("agents");
  return std::all_of(agents.begin(), agents.end(),
                     [](const auto& agent) { return agent.at("reach") == "up"; });
}

}  // namespace proffer::testing
