#include "cluster.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "proffer/formats/toml.hpp"

namespace proffer::testing {
namespace {

const std::string kProffer = PROFFER_BIN_DIR "/proffer";

/// Clients keep their state in a folder of the tests, not in that of whoever runs them.
struct StateHome {
  StateHome() { ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1); }
  Folder folder;
};
const StateHome kStateHome;

std::vector<std::string> with_program(const std::vector<std::string>& words) {
  std::vector<std::string> all{kProffer};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::string all_lines(live::Child& child, Duration timeout) {
  std::string text;
  const auto deadline = live::steady_now() + timeout;
  while (auto line = child.read_line(deadline - live::steady_now())) text += *line + "\n";
  return text;
}

int exit_code_of(std::optional<int> status) {
  if (!status) return -1;
  return WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
}

}  // namespace

Folder::Folder() {
  std::string pattern = std::filesystem::temp_directory_path().string() + "/proffer-test-XXXXXX";
  path_ = ::mkdtemp(pattern.data());
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::file(const std::string& name, const std::string& text) const {
  std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  return path_ + "/" + name;
}

std::string read_file(const std::string& path) {
  // A process whose file it is may end meanwhile.
  const auto text = formats::read_text_file(path);
  return text ? *text : "";
}

std::vector<std::string> processes_of(const std::string& folder) {
  std::vector<std::string> commands;
  std::error_code gone;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    const auto name = process.path().filename().string();
    if (name.find_first_not_of("0123456789") != name.npos || name == std::to_string(::getpid())) continue;
    auto command = read_file(process.path() / "cmdline");
    std::replace(command.begin(), command.end(), '\0', ' ');
    const auto works_in = std::filesystem::read_symlink(process.path() / "cwd", gone).string();
    if (works_in.starts_with(folder) || command.find(folder) != command.npos) commands.push_back(command);
  }
  return commands;
}

/// The processes that name a folder in their arguments or environment, or work there.
std::vector<pid_t> pids_of(const std::string& folder) {
  std::vector<pid_t> pids;
  std::error_code gone;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    const auto name = process.path().filename().string();
    if (name.find_first_not_of("0123456789") != name.npos || name == std::to_string(::getpid())) continue;
    const auto about = read_file(process.path() / "cmdline") + read_file(process.path() / "environ");
    const auto works_in = std::filesystem::read_symlink(process.path() / "cwd", gone).string() + "/";
    if (works_in.starts_with(folder + "/") || about.find(folder + "/") != about.npos) {
      pids.push_back(std::stoi(name));
    }
  }
  return pids;
}

void lose_host(const std::string& folder) {
  const auto is_lost = [&] {
    const auto pids = pids_of(folder);
    for (const auto pid : pids) ::kill(pid, SIGSTOP);  // nobody does anything about the end of another
    for (const auto pid : pids) ::kill(pid, SIGKILL);
    return pids.empty();
  };
  EXPECT_TRUE(eventually(is_lost, std::chrono::seconds(10)));
}

std::string numbered_blocks(int records, std::size_t block) {
  std::string text;
  for (int i = 0; i < records; ++i) {
    auto line = std::to_string(i);
    line.resize(block - 1, ' ');
    text += line + "\n";
  }
  return text;
}

int json_number(const std::string& json, const std::string& pointer) {
  const auto parsed = nlohmann::json::parse(json, nullptr, false);
  const nlohmann::json::json_pointer where(pointer);
  return parsed.is_discarded() || !parsed.contains(where) ? -1 : parsed.at(where).get<int>();
}

std::string json_text(const std::string& json, const std::string& pointer) {
  const auto parsed = nlohmann::json::parse(json, nullptr, false);
  const nlohmann::json::json_pointer where(pointer);
  return parsed.is_discarded() || !parsed.contains(where) ? "" : parsed.at(where).get<std::string>();
}

Ran run_program(const std::vector<std::string>& words, Duration timeout) {
  const Folder folder;
  const auto log = folder.path() + "/err";
  auto child = live::Child::start(words, log);
  if (!child) return {-1, "", child.error().message};
  Ran ran;
  ran.out = all_lines(*child, timeout);
  ran.exit_code = exit_code_of(child->wait_exit(timeout));
  ran.err = read_file(log);
  if (ran.exit_code == -1) {
    child->signal(SIGTERM);  // it may have something to tidy up
    child->wait_exit(std::chrono::seconds(10));
  }
  return ran;
}

Ran proffer(const std::vector<std::string>& words, Duration timeout) {
  return run_program(with_program(words), timeout);
}

live::Child start_proffer(const std::vector<std::string>& words, const std::string& log) {
  return std::move(live::Child::start(with_program(words), log)).value();
}

Cluster::Cluster(int agents, const std::string& toml, const Resources& slots, bool drivers) {
  live::LocalClusterConfig config;
  config.proffer_path = kProffer;
  config.dir = folder_.path() + "/cluster";
  config.agents = live::even_agents(agents, 2, slots);
  auto settings = parse_config(toml, "cluster.toml");
  if (!settings) throw std::runtime_error(settings.error().message);
  config.allocator = settings->allocator.allocator;
  for (auto& agent : config.agents) agent.max_computing = settings->agent.agent.max_computing;
  config.replication = settings->catalog.catalog.replication;
  config.all_event_logs = config.replication.on();
  config.drivers = drivers;
  auto started = live::LocalCluster::start(config);
  if (!started) throw std::runtime_error(started.error().message);
  cluster_ = std::move(*started);
}

Ran Cluster::operator()(std::vector<std::string> words) const {
  words.insert(words.begin() + 1, {"--allocator", cluster_->allocator_endpoint()});
  return proffer(words);
}

live::Child Cluster::start(std::vector<std::string> words, const std::string& log) const {
  words.insert(words.begin() + 1, {"--allocator", cluster_->allocator_endpoint()});
  return start_proffer(words, log);
}

int Cluster::running(const std::string& framework) const {
  const auto ran = (*this)({"status", "-o", "json"});
  const auto json = nlohmann::json::parse(ran.out, nullptr, false);
  if (json.is_discarded()) return -1;
  for (const auto& known : json.at("frameworks")) {
    if (known.at("name") == framework) return known.at("used").value("map", 0);
  }
  return 0;
}

}  // namespace proffer::testing
