#include "proffer/formats/fair_scheduler_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "formats/hadoop_values.hpp"
#include "formats/xml.hpp"
#include "proffer/formats/config_keys.hpp"
#include "proffer/formats/user_limits.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

using formats::HadoopPolicy;
using formats::HadoopValue;
using formats::ImportNotes;
using formats::XmlElement;

bool is_pool(const XmlElement& element) { return element.name == "pool" || element.name == "queue"; }
bool is_policy(const XmlElement& element) {
  return element.name == "schedulingMode" || element.name == "schedulingPolicy";
}
bool is_job_limit(const XmlElement& element) {
  return element.name == "maxRunningJobs" || element.name == "maxRunningApps";
}
// The same name as in YARN.
bool is_root_name(const std::string& name) { return boost::iequals(name, "root"); }

class Importer {
 public:
  explicit Importer(std::string_view file) : file_(file), notes_(file) { entries_.emplace_back(); }

  Result<ImportedPools> import(const XmlElement& allocations) {
    for (const auto& element : allocations.children) {  // their place in the file does not matter
      if (!is_pool(element)) general(element);
    }
    choose_sharing(allocations);
    for (const auto& element : allocations.children) {
      if (is_pool(element)) pool(element, "");
    }
    finish();
    if (notes_.error()) return *notes_.error();
    imported_.unsupported = notes_.take();
    return std::move(imported_);
  }

 private:
  struct Said {  // the file's words on how a queue is shared
    HadoopPolicy policy = HadoopPolicy::fair;
    std::string what;
    std::uint32_t line = 0;
  };
  struct Entry {
    AllocatorPool pool = {};
    std::uint32_t line = 0;  // 0: the root, while the file does not have it
    bool has_policy = false;
    std::uint32_t min_share_line = 0;  // line of the queue's own min share; 0: none
    std::uint32_t timeout_line = 0;
    bool is_root() const { return pool.share.name.empty(); }
    std::string where() const { return "pool " + (is_root() ? "root" : pool.share.name); }
  };

  // ---- settings of all pools ----

  void general(const XmlElement& element) {
    const auto& name = element.name;
    const HadoopValue value{name, element.text, element.line};
    if (name == "defaultPoolSchedulingMode" || name == "defaultQueueSchedulingMode" ||
        name == "defaultQueueSchedulingPolicy") {
      if (const auto policy = read_policy(value, notes_)) default_policy_ = {*policy, name, element.line};
    } else if (name == "poolMaxJobsDefault" || name == "queueMaxAppsDefault") {
      default_max_running_ = read_job_limit(value, notes_).value_or(0);
    } else if (name == "userMaxJobsDefault" || name == "userMaxAppsDefault") {
      entries_.front().pool.share.max_running_per_user = read_job_limit(value, notes_).value_or(0);
    } else if (name == "defaultMinSharePreemptionTimeout") {
      default_timeout_ = read_timeout(value, notes_);
    } else if (name == "user") {
      user(element);
    } else if (!fair_share_preemption(value)) {
      notes_.unsupported(element.line, name);
    }
  }

  bool fair_share_preemption(const HadoopValue& value) {
    auto& preemption = imported_.allocator.preemption;
    if (value.what == "fairSharePreemptionTimeout" || value.what == "defaultFairSharePreemptionTimeout") {
      preemption.fair_share_timeout = read_timeout(value, notes_);
      fair_share_ = value;
    } else if (value.what == "fairSharePreemptionThreshold" ||
               value.what == "defaultFairSharePreemptionThreshold") {
      const auto part = read_threshold(value, notes_);
      nobody_is_short_ = !part;
      preemption.fair_share_threshold_milli = part.value_or(preemption.fair_share_threshold_milli);
    } else {
      return false;
    }
    return true;
  }

  void user(const XmlElement& element) {
    const auto name = element.attribute("name");
    if (name.empty()) return notes_.fail(element.line, "a user has no name");
    if (name.size() > limits::kNameBytes) {
      return notes_.unsupported(element.line,
                                fmt::format("a user whose name has more than {} bytes", limits::kNameBytes));
    }
    for (const auto& child : element.children) {
      const auto what = "user " + name + ": " + child.name;
      if (!is_job_limit(child)) {
        notes_.unsupported(child.line, what);
      } else if (const auto most = read_job_limit({what, child.text, child.line}, notes_)) {
        auto& users = imported_.allocator.users;
        std::erase_if(users, [&](const UserLimit& limit) { return limit.name == name; });
        users.push_back({name, *most});
      }
    }
  }

  // ---- the rule of sharing ----

  /// Chooses the one rule by which all pools are shared here: the root's, or else that of queues which do not
  /// set theirs.
  void choose_sharing(const XmlElement& allocations) {
    for (const auto& element : allocations.children) {
      if (!is_pool(element) || !is_root_name(element.attribute("name"))) continue;
      for (const auto& child : element.children) {
        ImportNotes said_later(file_);
        const auto policy =
            is_policy(child) ? read_policy({child.name, child.text, child.line}, said_later) : std::nullopt;
        if (policy) root_policy_ = {*policy, "pool root: " + child.name, child.line};
      }
    }
    const auto& first = root_policy_ ? root_policy_ : default_policy_;
    if (first && first->policy == HadoopPolicy::drf) imported_.allocator.share_by = ShareBy::dominant;
    if (default_policy_) note_other_sharing(*default_policy_);
  }

  bool dominant() const { return imported_.allocator.share_by == ShareBy::dominant; }

  void note_other_sharing(const Said& said) {
    const bool drf = said.policy == HadoopPolicy::drf;
    if (said.policy == HadoopPolicy::fifo || drf == dominant()) return;
    const auto* rest = drf ? "drf is not supported beside fair of all others: it is fair here"
                           : "fair is not supported beside drf of the root: it is drf here";
    notes_.note(said.line, fmt::format("{} {}, since all pools are shared alike", said.what, rest));
  }

  void policy(Entry& entry, const HadoopValue& value) {
    const auto policy = read_policy(value, notes_);
    if (!policy) return;
    entry.has_policy = true;
    entry.pool.share.order = *policy == HadoopPolicy::fifo ? PoolOrder::fifo : PoolOrder::fair;
    note_other_sharing({*policy, value.what, value.line});
  }

  // ---- pools ----

  void pool(const XmlElement& element, const std::string& above) {
    const auto given = element.attribute("name");
    if (given.empty()) return notes_.fail(element.line, "a pool or queue has no name");
    auto& entry = entry_of(element, given, above);
    const auto& name = entry.pool.share.name;
    const auto dots = static_cast<std::size_t>(std::count(name.begin(), name.end(), '.'));
    if (dots >= limits::kPoolDepth) {
      return notes_.fail(element.line, fmt::format("{}: pools lie at most {} deep in each other",
                                                   entry.where(), limits::kPoolDepth));
    }
    bool has_pools = false;
    for (const auto& child : element.children) {
      has_pools = has_pools || is_pool(child);
      if (!is_pool(child)) setting(entry, child);
    }
    if (has_pools && !entry.has_policy) entry.pool.share.order = PoolOrder::fair;  // fifo is for jobs
    if (element.attribute("type") == "parent" && !has_pools) {
      notes_.unsupported(element.line,
                         entry.where() + ": type=\"parent\" (any pool may have pools below it)");
    }
    for (const auto& child : element.children) {
      if (is_pool(child)) pool(child, name);
    }
  }

  /// Returns the entry of a queue; the earlier one where the file has the queue twice: as in Hadoop, the
  /// later settings count.
  Entry& entry_of(const XmlElement& element, const std::string& given, const std::string& above) {
    if (above.empty() && is_root_name(given)) return once(entries_.front(), element);
    const auto [known, is_new] = given_.try_emplace({above, given}, nullptr);
    if (!is_new) return once(*known->second, element);
    auto& entry = entries_.emplace_back();
    known->second = &entry;
    auto& share = entry.pool.share;
    share.name = (above.empty() ? "" : above + ".") + usable(element, above);
    if (default_policy_ && default_policy_->policy == HadoopPolicy::fifo) share.order = PoolOrder::fifo;
    share.max_running = default_max_running_;
    share.min_share_timeout = timeout_above(above);
    return once(entry, element);
  }

  /// Returns the timeout of the queue around, which a queue without one inherits.
  std::optional<Duration> timeout_above(const std::string& above) const {
    const auto around = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return !entry.is_root() && entry.pool.share.name == above;
    });
    return around == entries_.end() ? default_timeout_ : around->pool.share.min_share_timeout;
  }

  Entry& once(Entry& entry, const XmlElement& element) {
    if (entry.line > 0) {
      notes_.note(element.line, fmt::format("{} stands in line {} already: what is said here counts, beside "
                                            "what is only said there",
                                            entry.where(), entry.line));
    } else {
      entry.line = element.line;
    }
    return entry;
  }

  void setting(Entry& entry, const XmlElement& element) {
    const auto& name = element.name;
    const HadoopValue value{entry.where() + ": " + name, element.text, element.line};
    auto& share = entry.pool.share;
    if (is_policy(element)) {
      policy(entry, value);
    } else if (is_job_limit(element)) {
      share.max_running = read_job_limit(value, notes_).value_or(share.max_running);
    } else if (name == "weight") {
      const auto weight = read_weight(value, notes_);
      if (!entry.is_root()) share.weight_milli = weight;
      if (entry.is_root() && weight != PoolSpec{}.weight_milli) notes_.unsupported(value.line, value.what);
    } else if (!promise(entry, name, value)) {
      notes_.unsupported(value.line, value.what);
    }
  }

  /// Sets a min share or its timeout. False for any other setting, and for the root, which has all there is.
  bool promise(Entry& entry, const std::string& name, const HadoopValue& value) {
    auto& share = entry.pool.share;
    if (entry.is_root()) return false;
    if (name == "minSharePreemptionTimeout") {
      share.min_share_timeout = read_timeout(value, notes_);
      entry.timeout_line = value.line;
      return true;
    }
    if (name == "minMaps") {
      share.min_share.set(Kind("map"), read_count(value, notes_));
    } else if (name == "minReduces") {
      share.min_share.set(Kind("reduce"), read_count(value, notes_));
    } else if (name == "minResources") {
      for (const auto& [kind, units] : read_resources(value, notes_)) share.min_share.set(kind, units);
    } else {
      return false;
    }
    entry.min_share_line = value.line;
    return true;
  }

  /// Makes a name that proffer allows from one of Hadoop's, which may be anything. Names that become the same
  /// are numbered.
  std::string usable(const XmlElement& element, const std::string& above) {
    const auto given = element.attribute("name");
    auto name = given.substr(0, limits::kNameBytes);
    for (auto& c : name) {
      const bool fits =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      if (!fits && c != '-') c = '_';
    }
    const auto base = name;
    for (int n = 2; !names_.insert(above + "." + name).second; ++n) {
      const auto suffix = "-" + std::to_string(n);
      name = base.substr(0, limits::kNameBytes - suffix.size()) + suffix;
    }
    if (name != given)
      notes_.note(element.line, fmt::format("pool \"{}\" is called \"{}\" here", given, name));
    return name;
  }

  // ---- checks of the whole ----

  PoolOrder order_around(const std::string& name) const {
    const auto dot = name.rfind('.');
    const auto parent = dot == name.npos ? "" : name.substr(0, dot);
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& entry) { return entry.pool.share.name == parent; });
    return at == entries_.end() ? PoolOrder::fair : at->pool.share.order;
  }

  /// Drops min shares where the pool around has an order other than fair: they would have no effect.
  void drop_idle_promises() {
    for (auto& entry : entries_) {
      auto& share = entry.pool.share;
      if (entry.is_root() || order_around(share.name) == PoolOrder::fair) continue;
      if (!share.min_share.empty()) {
        notes_.unsupported(entry.min_share_line, entry.where() + ": a min share in a fifo pool");
      }
      if (entry.timeout_line > 0) {
        notes_.unsupported(entry.timeout_line, entry.where() + ": minSharePreemptionTimeout in a fifo pool");
      }
      share.min_share = {};
      share.min_share_timeout.reset();
    }
  }

  void drop_idle_preemption() {
    auto& timeout = imported_.allocator.preemption.fair_share_timeout;
    if (timeout && dominant()) {
      notes_.unsupported(fair_share_.line, fair_share_.what + " together with drf");
    } else if (timeout && nobody_is_short_) {
      notes_.unsupported(fair_share_.line,
                         fair_share_.what + " with a threshold of 0, below which nobody is,");
    }
    if (dominant() || nobody_is_short_) timeout.reset();
  }

  /// Notes queues that set no policy: in Hadoop those would be fair.
  void note_silent_queues() {
    const bool silent = std::any_of(entries_.begin(), entries_.end(),
                                    [](const Entry& entry) { return !entry.is_root() && !entry.has_policy; });
    if (!dominant() || !root_policy_ || default_policy_ || !silent) return;
    notes_.note(root_policy_->line, root_policy_->what +
                                        " drf counts for all pools here, also for those that "
                                        "do not say it");
  }

  void finish() {
    drop_idle_promises();
    drop_idle_preemption();
    note_silent_queues();
    for (auto& entry : entries_) {
      const auto& share = entry.pool.share;
      const bool says_something =
          share.max_running > 0 || share.max_running_per_user > 0 || share.order != PoolOrder::fair;
      if (!entry.is_root() || says_something) imported_.allocator.pools.push_back(std::move(entry.pool));
    }
  }

  std::string_view file_;
  ImportNotes notes_;
  ImportedPools imported_;
  std::deque<Entry> entries_;  // the root first; references to entries stay valid
  // Keyed by the pool above, and the name in the file.
  std::map<std::pair<std::string, std::string>, Entry*> given_;
  std::set<std::string> names_;
  std::optional<Said> default_policy_;
  std::optional<Said> root_policy_;
  std::uint32_t default_max_running_ = 0;
  std::optional<Duration> default_timeout_;
  HadoopValue fair_share_;
  bool nobody_is_short_ = false;
};

}  // namespace

Result<ImportedPools> import_fair_scheduler_xml(std::string_view text, std::string_view file) {
  const auto root = formats::parse_xml(text, file);
  if (!root) return root.error();
  if (root->name != "allocations") {
    return Error{ErrorCode::invalid,
                 fmt::format("{}:{}: a fair-scheduler.xml has <allocations> around all", file, root->line)};
  }
  return Importer(file).import(*root);
}

std::string print_pools(const ImportedPools& imported) {
  const auto& config = imported.allocator;
  std::string text = "[allocator]\n";
  text += "preemption = \"off\"  # fair-scheduler.xml does not say whether it is on\n";
  if (config.share_by == ShareBy::dominant) text += "share_by = \"dominant\"\n";
  if (config.preemption.fair_share_timeout) {
    text += fmt::format("fair_share_timeout = {}\n",
                        formats::AsDuration::print(*config.preemption.fair_share_timeout));
  }
  if (config.preemption.fair_share_threshold_milli != PreemptionConfig{}.fair_share_threshold_milli) {
    text += fmt::format("fair_share_threshold = {}\n",
                        formats::AsPart::print(config.preemption.fair_share_threshold_milli));
  }
  for (const auto& pool : config.pools) {
    text += "\n[[pool]]\n" + formats::print_settings(pool, formats::pool_keys());
  }
  text += formats::print_user_limits(config.users);
  return text;
}

}  // namespace proffer
