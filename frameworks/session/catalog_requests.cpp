#include "frameworks/session/catalog_requests.hpp"

#include <iterator>
#include <utility>

namespace proffer::frameworks {

void CatalogRequests::open(std::uint64_t request, Time now) { open_[request] = {{}, now + timeout_}; }

std::optional<Message> CatalogRequests::answer(const Message& message, Time now) {
  const auto number = request_of(message);
  const auto at = number ? open_.find(*number) : open_.end();
  if (at == open_.end()) return {};
  const auto* page = std::get_if<FilesListed>(&message);
  if (page == nullptr) {
    open_.erase(at);
    return message;
  }
  append_page(at->second.listed, *page);
  if (page->more) {
    at->second.deadline = now + timeout_;
    return {};
  }
  auto whole = std::move(at->second.listed);
  open_.erase(at);
  return whole;
}

std::vector<Message> CatalogRequests::fail_all(const Error& error) {
  std::vector<Message> answers;
  for (const auto& [request, open] : open_) answers.emplace_back(CatalogDone{request, error});
  open_.clear();
  return answers;
}

std::vector<Message> CatalogRequests::take_late(Time now) {
  std::vector<Message> answers;
  for (auto at = open_.begin(); at != open_.end();) {
    const bool late = at->second.deadline <= now;
    if (late) {
      answers.emplace_back(
          CatalogDone{at->first, Error{ErrorCode::timed_out, "the catalog did not answer in time"}});
    }
    at = late ? open_.erase(at) : std::next(at);
  }
  return answers;
}

void CatalogRequests::postpone(Duration by) {
  for (auto& [request, open] : open_) open.deadline += by;
}

std::optional<Time> CatalogRequests::next_deadline() const {
  std::optional<Time> next;
  for (const auto& [request, open] : open_) next = earlier(next, open.deadline);
  return next;
}

}  // namespace proffer::frameworks
