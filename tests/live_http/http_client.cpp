#include "tests/live_http/http_client.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>

#include "proffer/live/port.hpp"

namespace proffer::live::test {
namespace {

constexpr Duration kAnswerWithin = std::chrono::seconds(20);

}  // namespace

HttpConnection::HttpConnection(const std::string& address)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))));
  EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to), 0) << address;
}

bool HttpConnection::say(const std::string& bytes) const {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const auto n = ::send(socket_.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

std::string HttpConnection::hear(Duration at_most, const std::string& end) const {
  const auto until = steady_now() + at_most;
  std::string heard;
  for (;;) {
    if (!end.empty() && heard.find(end) != std::string::npos) return heard;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_now()).count();
    pollfd wanted{socket_.get(), POLLIN, 0};
    if (left <= 0 || ::poll(&wanted, 1, static_cast<int>(left)) <= 0) return heard;
    std::array<char, 65536> bytes{};
    const auto n = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
    if (n <= 0) return heard;
    heard.append(bytes.data(), static_cast<std::size_t>(n));
  }
}

bool HttpConnection::closes(Duration within) const {
  hear(within);
  // At its end there is nothing to read, and something to be told.
  pollfd wanted{socket_.get(), POLLIN, 0};
  char byte = 0;
  return ::poll(&wanted, 1, 0) > 0 && ::recv(socket_.get(), &byte, 1, MSG_DONTWAIT) <= 0;
}

HttpAnswer get(const std::string& address, const std::string& path, const std::string& method,
               const std::string& headers) {
  const HttpConnection connection(address);
  EXPECT_TRUE(connection.say(method + " " + path + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n"));
  const auto heard = connection.hear(kAnswerWithin);
  HttpAnswer answer;
  const auto end = heard.find("\r\n\r\n");
  if (end == std::string::npos) return answer;
  answer.head = heard.substr(0, end);
  answer.body = heard.substr(end + 4);
  answer.status = std::stoi(answer.head.substr(answer.head.find(' ') + 1));
  return answer;
}

}  // namespace proffer::live::test
