#include "study/measures/storage_counts.hpp"

#include <algorithm>

namespace proffer::study {

void StorageCounts::counted(const StorageCounted& trace, double now) {
  any_ = true;
  sum_ += part_ * (now - since_);
  since_ = now;
  part_ = trace.base == 0 ? 0 : static_cast<double>(trace.extra) / static_cast<double>(trace.base);
  most_ = std::max(most_, part_);
}

void StorageCounts::copy_ended(const CopyEnded& trace) {
  ++(trace.ok ? copied_ : failed_);
  if (trace.ok) bytes_ += trace.bytes;
}

void StorageCounts::begin(double now) {
  begin_ = since_ = now;
  sum_ = 0;
  most_ = part_;
  copied_ = failed_ = dropped_ = bytes_ = 0;
}

void StorageCounts::measure(double now, std::map<std::string, double>& measures) const {
  if (!any_) return;
  const auto last = part_ * std::max(0.0, now - since_);
  measures["storage_extra_mean"] = now > begin_ ? (sum_ + last) / (now - begin_) : 0;
  measures["storage_extra_max"] = most_;
  measures["copies.made"] = static_cast<double>(copied_);
  measures["copies.failed"] = static_cast<double>(failed_);
  measures["copies.dropped"] = static_cast<double>(dropped_);
  measures["copies.bytes"] = static_cast<double>(bytes_);
}

}  // namespace proffer::study
