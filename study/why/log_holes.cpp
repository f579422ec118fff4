#include "study/why/log_holes.hpp"

namespace proffer::study::why {

/// Notes may come with the number 0, before all others.
bool LogHoles::note(const TraceLine& line) {
  const auto [at, is_new] = lives_.try_emplace({line.source, line.life});
  auto& life = at->second;
  const bool earlier = line.seq < life.last;
  if (earlier && line.life != 0) {  // of the same life, with a time that is a little later than its number
    auto& hole = holes_[line.source];
    auto& lines = hole.later > 0 ? hole.later : hole.first;
    lines -= lines > 0 ? 1 : 0;
    return false;
  }
  const auto next = is_new || earlier ? 1 : life.last + 1;
  const auto missing = line.seq > next ? line.seq - next : 0;
  life.last = line.seq;
  if (is_new) {
    if (missing > 0) holes_[line.source].first += missing;
    return !known_.insert(line.source).second;
  }
  // Two frameworks of one name take turns in a log that does not tell their lives; an allocator is alone.
  if (earlier && line.source != "allocator") life.mixed = true;
  if (missing > 0 && !life.mixed) holes_[line.source].later += missing;
  return earlier;
}

LogHole LogHoles::of(const std::string& source) const {
  const auto at = holes_.find(source);
  return at == holes_.end() ? LogHole{} : at->second;
}

}  // namespace proffer::study::why
