#include "live/host/keeping.hpp"

#include <utility>

namespace proffer::live {

void KeepingEffects::keep_in(RecordStore& store, Ballast& ballast) {
  store_ = &store;
  ballast_ = &ballast;
}

Result<> KeepingEffects::keep_record(const KeepRecord& change) {
  return store_ == nullptr ? Result<>() : store_->keep(change.record);
}

Result<> KeepingEffects::drop_record(const DropRecord& change) {
  return store_ == nullptr ? Result<>() : store_->drop(change.key);
}

Result<> KeepingEffects::commit() {
  if (store_ == nullptr) return {};
  auto committed = store_->commit();
  if (committed && std::exchange(was_full_, false)) store_->tidy();
  return committed;
}

std::optional<StoreRoom> KeepingEffects::make_room(const Error& why) {
  if (ballast_ == nullptr) return {};
  was_full_ = true;
  return ballast_->release(why);
}

}  // namespace proffer::live
