// Effects of a machine that keeps records.
#pragma once

#include "live/host/ballast.hpp"
#include "live/host/traced.hpp"
#include "live/store/record_store.hpp"

namespace proffer::live {

/// Keeps records in a store; a machine whose world has none keeps them nowhere, and begins anew each time.
class KeepingEffects : public TracedEffects {
 public:
  /// Both must outlive this object.
  void keep_in(RecordStore& store, Ballast& ballast);

  Result<> keep_record(const KeepRecord& change) override;
  Result<> drop_record(const DropRecord& change) override;
  Result<> commit() override;
  std::optional<StoreRoom> make_room(const Error& why) override;

 private:
  RecordStore* store_ = nullptr;
  Ballast* ballast_ = nullptr;
  bool was_full_ = false;
};

}  // namespace proffer::live
