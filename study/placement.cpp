#include "proffer/study/placement.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace proffer::study {
namespace {

using Places = std::vector<std::uint32_t>;

class Placer {
 public:
  Placer(const Plan& plan, Random& random) : plan_(plan), random_(random) {
    for (std::uint32_t n = 0; n < plan.nodes.size(); ++n) {
      by_name_.emplace(plan.nodes[n].name, n);
      auto [rack, fresh] = racks_.try_emplace(plan.nodes[n].rack, Places{});
      rack->second.push_back(n);
    }
    for (const auto& node : plan.nodes) rack_of_.push_back(&racks_.at(node.rack));
  }

  Result<Places> named(const WorkloadFile& file, const WorkloadBlock& block) const {
    Places places;
    for (const auto& name : block.nodes) {
      const auto at = by_name_.find(name);
      if (at == by_name_.end()) {
        return Error{ErrorCode::not_found,
                     "a block of " + file.path + " lies on \"" + name + "\", and there is no such node"};
      }
      places.push_back(at->second);
    }
    return places;
  }

  Places drawn() {
    const auto wanted = std::min<std::size_t>(plan_.replication, plan_.nodes.size());
    Places places;
    if (plan_.placement == Placement::hdfs && racks_.size() > 1) draw_over_racks(wanted, places);
    while (places.size() < wanted) draw(everywhere(), places);
    return places;
  }

 private:
  /// The first anywhere, the second in another rack, the third in the rack of the second (White, Hadoop: The
  /// Definitive Guide; HDFS's default). The rest are drawn from all nodes.
  void draw_over_racks(std::size_t wanted, Places& places) {
    draw(everywhere(), places);
    if (places.size() == wanted) return;
    Places others;
    for (const auto n : everywhere()) {
      if (rack_of_[n] != rack_of_[places[0]]) others.push_back(n);
    }
    draw(others, places);
    if (places.size() < wanted && rack_of_[places[1]]->size() > 1) draw(*rack_of_[places[1]], places);
  }

  const Places& everywhere() {
    if (all_.empty()) {
      for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) all_.push_back(n);
    }
    return all_;
  }

  /// One of `from` that is not taken; at least one must be left.
  void draw(const Places& from, Places& places) {
    for (;;) {
      const auto n = from[random_.below(from.size())];
      if (std::find(places.begin(), places.end(), n) != places.end()) continue;
      places.push_back(n);
      return;
    }
  }

  const Plan& plan_;
  Random& random_;
  Places all_;
  std::map<std::string, std::uint32_t> by_name_;
  std::map<std::string, Places> racks_;
  std::vector<const Places*> rack_of_;
};

}  // namespace

Result<BlockPlaces> place_blocks(const Plan& plan, Random& random) {
  Placer placer(plan, random);
  BlockPlaces all;
  for (const auto& file : plan.workload.files) {
    auto& places = all.emplace_back();
    for (const auto& block : file.blocks) {
      auto named = placer.named(file, block);
      if (!named) return named.error();
      places.push_back(named->empty() ? placer.drawn() : std::move(*named));
    }
  }
  return all;
}

Result<BlockPlaces> place_blocks(const Plan& plan) {
  Random seeds(plan.seed);
  Random random(seeds.bits());
  return place_blocks(plan, random);
}

}  // namespace proffer::study
