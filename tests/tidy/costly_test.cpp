#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CostlyHeaders, ASecondSourceOfARoomIsCaught) {
  EXPECT_THAT(
      planted(check_costly_headers, {{"live/a.cpp", "#include <zmq.hpp>\n#include <zmq.h>\n"},
                                     {"live/b.cpp", "\n#include <zmq.h>\n"}}),
      ElementsAre("live/b.cpp:2: ZeroMQ is included by live/a.cpp already; one source a room pays for it"));
}

TEST(CostlyHeaders, HeadersThatPassItOnAreCaught) {
  EXPECT_THAT(
      planted(check_costly_headers, "cli/options.hpp", "#include <CLI/CLI.hpp>\n"),
      ElementsAre("cli/options.hpp:1: CLI11 in a header is paid for by all who include it; include it in one "
                  "source, behind an interface"));
}

TEST(CostlyHeaders, RoomsThatHaveNoUseForItAreCaught) {
  EXPECT_THAT(
      planted(check_costly_headers, "agent/agent.cpp", "#include <msgpack.hpp>\n"),
      ElementsAre("agent/agent.cpp:1: msgpack does not belong in agent; the rooms that know it are listed in "
                  "costly.cpp"));
}

TEST(CostlyHeaders, OneSourceARoomIsAllowed) {
  EXPECT_THAT(planted(check_costly_headers, {{"formats/config.cpp", "#include <toml++/toml.h>\n"},
                                             {"formats/codec.cpp", "#include <msgpack.hpp>\n"},
                                             {"study/report.cpp", "#include <nlohmann/json.hpp>\n"},
                                             {"tests/study/a.cpp", "#include <nlohmann/json.hpp>\n"},
                                             {"tests/live/a.cpp", "#include <nlohmann/json.hpp>\n"}}),
              IsEmpty());
}

}  // namespace
}  // namespace proffer::tidy
