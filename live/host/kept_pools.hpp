// The pools of an allocator as files: its configuration file, and what operators changed since, which is kept
// beside its identity and counts instead.
#pragma once

#include <string>
#include <vector>

#include "proffer/formats/config.hpp"

namespace proffer::live {

class KeptPools {
 public:
  /// `configured`: the configuration file; `kept`: where changes go. Either may be empty: there is none.
  KeptPools(std::string configured, std::string kept)
      : configured_(std::move(configured)), kept_(std::move(kept)) {}

  /// Returns `config` with the pools that count from now on: those that were kept, or its own. `invalid` with
  /// FILE:LINE, and `io`.
  Result<AllocatorConfig> start(AllocatorConfig config) const;
  /// Reads the configuration file again. `invalid` with FILE:LINE, `not_found`, `io`.
  Result<AllocatorSettings> configured() const;
  /// Keeps these pools, durably. Nothing where there is no file to keep them in. `no_space`: the file is as
  /// it was; `io`.
  Result<> keep(const std::vector<AllocatorPool>& pools) const;
  Result<> forget() const;

 private:
  std::string configured_;
  std::string kept_;
};

}  // namespace proffer::live
