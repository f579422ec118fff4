// What the server does not do: change anything, answer strangers, or let clients hold it up.
#include <gmock/gmock.h>

#include <vector>

#include "live/http/connection.hpp"
#include "live/http/hosts.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/reach.hpp"
#include "tests/live_http/http_client.hpp"
#include "tests/live_http/shown.hpp"

namespace proffer::live::test {
namespace {

using testing::HasSubstr;

class HttpBounds : public testing::Test {
 protected:
  Running daemon{[](Stop& stop, const Ready& ready) { return run_allocator(with_dashboard(), stop, ready); }};
  std::string http = daemon.value("http");
};

TEST_F(HttpBounds, NoRequestOfAPageLeavesAndNoOtherPageShowsIt) {
  for (const std::string path : {"/", "/style.css", "/app.js", "/api/v1/cluster", "/metrics", "/nowhere"}) {
    const auto head = get(http, path).head;
    EXPECT_THAT(head, HasSubstr("Content-Security-Policy: default-src 'none'; script-src 'self';")) << path;
    EXPECT_THAT(head, HasSubstr("frame-ancestors 'none'")) << path;
    EXPECT_THAT(head, HasSubstr("X-Content-Type-Options: nosniff")) << path;
    EXPECT_THAT(head, testing::Not(HasSubstr("Access-Control-Allow"))) << path;
  }
}

TEST_F(HttpBounds, WhatIsNotThereIsSaid) {
  const auto answer = get(http, "/api/v1/jobs");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.body, R"({"error":"there is no /api/v1/jobs"})");
  EXPECT_EQ(get(http, "/../etc/passwd").status, 404);
}

TEST_F(HttpBounds, OnlyGetAndHeadAreAnswered) {
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
    const auto answer = get(http, "/api/v1/cluster", method);
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_THAT(answer.head, HasSubstr("Allow: GET, HEAD"));
  }
  const auto head = get(http, "/api/v1/cluster", "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
}

TEST_F(HttpBounds, APageUnderAnotherNameReadsNothing) {
  for (const std::string host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::2]", ""}) {
    EXPECT_EQ(get(http, "/api/v1/cluster", "GET", "Host: " + host + "\r\n").status, 403) << host;
  }
  EXPECT_EQ(get(http, "/api/v1/cluster", "GET", "").status, 403);
  EXPECT_EQ(get(http, "/api/v1/cluster", "GET", "Host: " + http + "\r\n").status, 200);
}

TEST(LoopbackNames, AreAddressesOfLoopbackAndLocalhost) {
  for (const auto* name : {"localhost", "LocalHost:80", "127.0.0.1", "127.3.2.1:5152", "[::1]", "[::1]:80"}) {
    EXPECT_TRUE(is_loopback_name(name)) << name;
  }
  for (const auto* name :
       {"", ":80", "localhost.evil", "10.0.0.1", "127.0.0.1:x", "[::1", "localhost:", "::1"}) {
    EXPECT_FALSE(is_loopback_name(name)) << name;
  }
}

TEST_F(HttpBounds, ALongRequestIsNotReadToItsEnd) {
  const HttpConnection connection(http);
  connection.say("GET / HTTP/1.1\r\nHost: localhost\r\n");
  // 4 MB of headers: a server that took them all would answer, or wait for more.
  for (int i = 0;
       i < 1000 && connection.say("X-" + std::to_string(i) + ": " + std::string(4000, 'x') + "\r\n"); ++i) {
  }
  EXPECT_TRUE(connection.closes(std::chrono::seconds(20)));
  EXPECT_EQ(get(http, "/healthz").status, 200);
}

TEST_F(HttpBounds, ASlowRequestIsNotWaitedFor) {
  const HttpConnection connection(http);
  const auto until = steady_now() + std::chrono::seconds(20);
  // A header a byte at a time: each byte alone comes soon enough.
  connection.say("GET / HTTP/1.1\r\nX: ");
  bool closed = false;
  while (!closed && steady_now() < until) {
    connection.say("x");
    closed = connection.closes(std::chrono::milliseconds(100));
  }
  EXPECT_TRUE(closed);
}

TEST_F(HttpBounds, ManyConnectionsKeepNobodyFromTheAllocator) {
  std::vector<HttpConnection> idle;
  for (int i = 0; i < 40; ++i) idle.emplace_back(http);
  Context context;
  EXPECT_TRUE(describe(context, daemon.value("frameworks"), std::chrono::seconds(20)).ok());
  // Those who say nothing are sent away, and then there is a thread again.
  EXPECT_EQ(get(http, "/healthz").status, 200);
  EXPECT_TRUE(idle.front().closes(std::chrono::seconds(20)));
}

TEST_F(HttpBounds, StreamsLeaveThreadsToOthers) {
  std::vector<HttpConnection> streams;
  for (int i = 0; i < 8; ++i) {
    streams.emplace_back(http);
    streams.back().say("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(streams.back().hear(std::chrono::seconds(20), "\n\n"), HasSubstr("event: version"));
  }
  const auto one_more = get(http, "/api/v1/events");
  EXPECT_EQ(one_more.status, 503);
  EXPECT_THAT(one_more.head, HasSubstr("Retry-After"));
  EXPECT_EQ(get(http, "/api/v1/cluster").status, 200);
  const auto began = steady_now();
  EXPECT_TRUE(daemon.end().ok());
  EXPECT_LT(steady_now() - began, std::chrono::seconds(5));
}

TEST_F(HttpBounds, PartsOfAnAnswerAreNotAskedFor) {
  std::string parts = "bytes=0-1";
  while (parts.size() < 7000) parts += ",0-1";
  for (const std::string path : {"/", "/api/v1/cluster", "/api/v1/openapi.json", "/metrics"}) {
    const auto whole = get(http, path);
    const auto asked = get(http, path, "GET", "Host: localhost\r\nRange: " + parts + "\r\n");
    EXPECT_EQ(asked.status, 200) << path;
    EXPECT_LT(asked.body.size(), whole.body.size() + 1000) << path;
  }
}

TEST_F(HttpBounds, AnswersAreCompressedByGzipAlone) {
  const auto encoding = [&](const std::string& accepted) {
    return get(http, "/api/v1/openapi.json", "GET",
               "Host: localhost\r\nAccept-Encoding: " + accepted + "\r\n")
        .head;
  };
  EXPECT_THAT(encoding("gzip, deflate, br"), HasSubstr("Content-Encoding: gzip"));
  EXPECT_THAT(encoding("br"), testing::Not(HasSubstr("Content-Encoding")));
}

TEST_F(HttpBounds, ConnectionsThatAreKeptMakeRoomForOthers) {
  // More than there are threads, each with its next request long before it would be sent away.
  std::vector<HttpConnection> kept;
  const auto began = steady_now();
  for (int i = 0; i < 40; ++i) {
    kept.emplace_back(http);
    kept.back().say("GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(kept.back().hear(std::chrono::seconds(20), "\r\n\r\n"), HasSubstr("200 OK"));
  }
  // Without room the 13th had waited for the idle time of another, the 25th twice, the 37th thrice.
  EXPECT_LT(steady_now() - began, 2 * Connection::kIdleTime);
}

TEST(HttpAddress, InUseOrWrongIsOneSentence) {
  Running first([](Stop& stop, const Ready& ready) { return run_allocator(with_dashboard(), stop, ready); });
  auto settings = with_dashboard();
  settings.http = first.value("http");
  Running second([=](Stop& stop, const Ready& ready) { return run_allocator(settings, stop, ready); });
  EXPECT_EQ(second.line(), "");
  const auto ended = second.join();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::exists);
  EXPECT_THAT(ended.error().message, HasSubstr("in use by another program"));
}

TEST(HttpAddress, BeyondThisMachineNeedsConsent) {
  auto settings = with_dashboard();
  settings.http = "0.0.0.0:0";
  EXPECT_THAT(reach_of(settings).allowed.error().message, HasSubstr("sees all that runs"));
  settings.insecure = true;
  EXPECT_TRUE(reach_of(settings).allowed.ok());
  EXPECT_THAT(reach_of(settings).warning, HasSubstr("0.0.0.0"));
}

TEST(HttpAddress, NoneIsServedUnlessAsked) {
  auto settings = with_dashboard();
  settings.http.clear();
  Running daemon([=](Stop& stop, const Ready& ready) { return run_allocator(settings, stop, ready); });
  EXPECT_NE(daemon.value("frameworks"), "");
  EXPECT_EQ(daemon.value("http"), "");
}

}  // namespace
}  // namespace proffer::live::test
