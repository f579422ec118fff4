#include "frameworks/mapreduce/catalog_talk.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::mapreduce {

void CatalogTalk::ask(Driver& driver, Question question, Message request) {
  const auto number = driver.ask_catalog(std::move(request));
  const bool is_new = open_.emplace(number, question).second;
  PROFFER_CHECK(is_new, "two questions have one number");
}

std::optional<Question> CatalogTalk::take_answered(const Message& answer) {
  const auto number = request_of(answer);
  if (!number) return {};
  const auto node = open_.extract(*number);
  if (node.empty()) return {};
  return node.mapped();
}

std::set<JobId> CatalogTalk::asking() const {
  std::set<JobId> jobs;
  for (const auto& [number, question] : open_) jobs.insert(question.job);
  return jobs;
}

}  // namespace proffer::mapreduce
