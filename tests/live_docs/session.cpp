#include "session.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "proffer/formats/toml.hpp"
#include "proffer/live/local_cluster.hpp"

namespace proffer::testing {
namespace {

namespace fs = std::filesystem;

class Checkout {
 public:
  Checkout() {
    auto pattern = (fs::temp_directory_path() / "proffer-docs-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
    for (const auto* folder : {"checkout/build", "home", "tmp", "seen"})
      fs::create_directories(path_ / folder);
    fs::copy(PROFFER_SOURCE_DIR "/examples", path_ / "checkout/examples", fs::copy_options::recursive);
    fs::create_directory_symlink(PROFFER_BUILD_DIR, path_ / "checkout/build/release");
  }
  ~Checkout() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Nobody has it now; somebody may take it before it is used, which is unlikely.
int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

std::string script_of(const fs::path& path, const std::vector<Typed>& commands) {
  auto script = fmt::format(
      "trap 'jobs -p | xargs -r kill 2>/dev/null; wait' EXIT\n"
      "export HOME={0}/home TMPDIR={0}/tmp USER=reader PATH={1}:$PATH\n"
      "unset XDG_CONFIG_HOME\n"
      "export PROFFER_PORT={2} PROFFER_ALLOCATOR=tcp://127.0.0.1:{2}\n"
      "exec </dev/null\ncd {0}/checkout\n",
      path.string(), PROFFER_BIN_DIR, free_port());
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const auto seen = fmt::format("{}/seen/{}", path.string(), i);
    if (commands[i].begins) script += fmt::format("cd {}/checkout\n", path.string());
    script += fmt::format("exec >{0}.out 2>{0}.err\n{1}\necho $? >{0}.exit\n", seen, commands[i].text);
  }
  return script;
}

std::string read(const fs::path& path) {
  const auto text = formats::read_text_file(path.string());
  return text ? *text : "";
}

}  // namespace

std::vector<Seen> type_all(const std::vector<Typed>& commands, Duration within) {
  const Checkout checkout;
  const auto script = checkout.path() / "script";
  std::ofstream(script) << script_of(checkout.path(), commands);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(within).count();
  // timeout ends all processes of its group, those in the background as well.
  auto shell = live::Child::start(
      {"/usr/bin/timeout", "--kill-after=10", std::to_string(seconds), "/bin/bash", script.string()},
      checkout.path() / "log");
  if (shell) shell->wait_exit(within + std::chrono::seconds(20));
  std::vector<Seen> all;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const auto seen = [&](const char* what) {
      return read(checkout.path() / "seen" / (std::to_string(i) + what));
    };
    const auto code = seen(".exit");
    all.push_back({code.empty() ? -1 : std::stoi(code), seen(".out"), seen(".err")});
  }
  return all;
}

}  // namespace proffer::testing
