// Questions to the catalog and their answers.
#include "frameworks/framework_impl.hpp"

namespace proffer {

void Framework::Impl::on_catalog(const Message& message, Turn turn) {
  // An ERROR names no request, so it speaks of all.
  if (const auto* error = std::get_if<ErrorMessage>(&message)) return lose_catalog(error->error, turn);
  if (const auto* changed = std::get_if<ReplicasChanged>(&message)) {
    return callback([&](Driver& driver) { scheduler.replicas_changed(driver, *changed); }, turn);
  }
  if (const auto answer = catalog.answer(message, turn.now)) deliver_catalog({*answer}, turn);
}

void Framework::Impl::lose_catalog(const Error& error, Turn turn) {
  deliver_catalog(catalog.fail_all(error), turn);
}

void Framework::Impl::deliver_catalog(const std::vector<Message>& answers, Turn turn) {
  for (const auto& answer : answers) {
    callback([&](Driver& driver) { scheduler.catalog_answered(driver, answer); }, turn);
  }
}

}  // namespace proffer
