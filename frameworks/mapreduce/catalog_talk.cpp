#include "frameworks/mapreduce/catalog_talk.hpp"

#include <utility>
#include <variant>

#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

/// The number of the request that it answers; 0, which no request has, for a message that answers none.
std::uint64_t number_of(const Message& answer) {
  return std::visit(
      [](const auto& body) -> std::uint64_t {
        if constexpr (requires { body.request; }) return body.request;
        return 0;
      },
      answer);
}

}  // namespace

void CatalogTalk::ask(Driver& driver, Question question, Message request) {
  const auto number = driver.ask_catalog(std::move(request));
  const bool is_new = open_.emplace(number, question).second;
  PROFFER_CHECK(is_new, "two questions have one number");
}

std::optional<Question> CatalogTalk::take_answered(const Message& answer) {
  const auto node = open_.extract(number_of(answer));
  if (node.empty()) return {};
  return node.mapped();
}

std::set<JobId> CatalogTalk::asking() const {
  std::set<JobId> jobs;
  for (const auto& [number, question] : open_) jobs.insert(question.job);
  return jobs;
}

}  // namespace proffer::mapreduce
