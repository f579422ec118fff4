#include "study/measures/share_rows.hpp"

#include <set>
#include <string>
#include <utility>

namespace proffer::study {
namespace {

constexpr std::size_t kMostSamples = 2000;

}  // namespace

void ShareRows::take(std::vector<ShareRow> rows) {
  samples_.push_back({next(), std::move(rows)});
  ++next_;
  if (samples_.size() > kMostSamples) thin_out();
}

void ShareRows::thin_out() {
  std::vector<Sample> kept;
  for (std::size_t i = 0; i < samples_.size(); i += 2) kept.push_back(std::move(samples_[i]));
  samples_ = std::move(kept);
  interval_ *= 2;
  next_ = samples_.size();
}

std::vector<double> ShareRows::running(std::string_view kind) const {
  std::vector<double> running;
  for (const auto& sample : samples_) {
    auto& sum = running.emplace_back();
    for (const auto& row : sample.rows) sum += row.kind == kind ? static_cast<double>(row.running) : 0;
  }
  return running;
}

/// Without its row of zeros a plot would go on with what an idle tenant had before.
std::vector<ShareRow> ShareRows::rows() const {
  std::vector<ShareRow> rows;
  std::set<std::pair<std::string, std::string>> busy;  // framework and kind
  for (const auto& sample : samples_) {
    auto idle = std::exchange(busy, {});
    for (const auto& row : sample.rows) {
      idle.erase({row.framework, row.kind});
      busy.insert({row.framework, row.kind});
    }
    rows.insert(rows.end(), sample.rows.begin(), sample.rows.end());
    for (const auto& [framework, kind] : idle) rows.push_back({sample.time, framework, kind, 0, 0, 0, 0});
  }
  return rows;
}

}  // namespace proffer::study
