#include "proffer/formats/fair_scheduler_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "proffer/formats/config_keys.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

using boost::property_tree::ptree;

constexpr std::int64_t kMilli = 1000;
constexpr int kMostWeight = 1'000'000;

std::string trimmed(std::string text) {
  constexpr auto kBlanks = " \t\r\n";
  text.erase(0, std::min(text.find_first_not_of(kBlanks), text.size()));
  text.erase(text.find_last_not_of(kBlanks) + 1);
  return text;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end) return {};
  return number;
}

class Importer {
 public:
  explicit Importer(std::string_view file) : file_(file) {}

  Result<ImportedPools> import(const ptree& allocations) {
    read_defaults(allocations);
    for (const auto& [name, node] : allocations) top(name, node);
    if (error_) return *error_;
    finish();
    return std::move(imported_);
  }

 private:
  /// Their place in the file does not matter.
  void read_defaults(const ptree& allocations) {
    const auto first = [&](std::initializer_list<const char*> names) -> std::optional<std::string> {
      for (const auto* name : names) {
        if (const auto found = allocations.get_child_optional(name)) return trimmed(found->data());
      }
      return {};
    };
    if (const auto text = first({"defaultPoolSchedulingMode", "defaultQueueSchedulingPolicy"})) {
      default_order_ = order_of("the default order", *text);
    }
    if (const auto text = first({"poolMaxJobsDefault", "queueMaxAppsDefault"})) {
      default_max_running_ = count("the default limit", *text);
    }
    if (const auto text = first({"defaultMinSharePreemptionTimeout"})) {
      default_timeout_ = seconds("defaultMinSharePreemptionTimeout", *text);
    }
  }

  void top(const std::string& element, const ptree& node) {
    static const std::set<std::string> kDefaults{"defaultPoolSchedulingMode", "defaultQueueSchedulingPolicy",
                                                 "poolMaxJobsDefault", "queueMaxAppsDefault",
                                                 "defaultMinSharePreemptionTimeout"};
    auto& preemption = imported_.allocator.preemption;
    const auto text = trimmed(node.data());
    if (element == "<xmlcomment>" || kDefaults.contains(element)) return;
    if (element == "pool" || element == "queue") return pool(node, "");
    if (element == "userMaxJobsDefault" || element == "userMaxAppsDefault") {
      root_.max_running_per_user = count(element, text);
    } else if (element == "fairSharePreemptionTimeout" || element == "defaultFairSharePreemptionTimeout") {
      preemption.fair_share_timeout = seconds(element, text);
    } else if (element == "fairSharePreemptionThreshold" ||
               element == "defaultFairSharePreemptionThreshold") {
      preemption.fair_share_threshold_milli = milli(element, text, 1);
    } else if (element == "user") {
      unsupported("user " + node.get("<xmlattr>.name", std::string()), "limits of single users");
    } else {
      unsupported("at the top", element);
    }
  }

  void pool(const ptree& node, const std::string& above) {
    const auto given = node.get("<xmlattr>.name", std::string());
    if (given.empty()) return fail("a pool or queue has no name");
    const bool is_root = above.empty() && given == "root";
    AllocatorPool pool;
    pool.share.name = is_root ? "" : (above.empty() ? "" : above + ".") + usable(given, above);
    pool.share.order = default_order_;
    pool.share.max_running = is_root ? 0 : default_max_running_;
    pool.min_share_timeout = is_root ? std::nullopt : default_timeout_;
    const auto where = "pool " + (is_root ? "root" : pool.share.name);
    const auto dots = std::count(pool.share.name.begin(), pool.share.name.end(), '.');
    if (static_cast<std::size_t>(dots) >= limits::kPoolDepth) {
      return fail(fmt::format("{}: pools lie at most {} deep in each other", where, limits::kPoolDepth));
    }
    std::vector<const ptree*> below;
    for (const auto& [element, child] : node) {
      if (element == "queue" || element == "pool") {
        below.push_back(&child);
      } else {
        setting(where, element, trimmed(child.data()), pool);
      }
    }
    if (node.get("<xmlattr>.type", std::string()) == "parent" && below.empty()) {
      unsupported(where, "type=\"parent\" (any pool may have pools below it)");
    }
    if (is_root) {
      take_root(pool);
    } else {
      imported_.allocator.pools.push_back(pool);
    }
    for (const auto* child : below) this->pool(*child, pool.share.name);
  }

  void take_root(const AllocatorPool& pool) {
    root_.order = pool.share.order;
    root_.max_running = pool.share.max_running;
    if (pool.share.weight_milli != kMilli) unsupported("pool root", "weight");
    if (!pool.share.min_share.empty()) unsupported("pool root", "a min share");
    if (pool.min_share_timeout) unsupported("pool root", "minSharePreemptionTimeout");
  }

  void setting(const std::string& where, const std::string& element, const std::string& text,
               AllocatorPool& pool) {
    if (element == "<xmlattr>" || element == "<xmlcomment>") return;
    const auto what = where + ": " + element;
    if (element == "weight") {
      pool.share.weight_milli = milli(what, text, kMostWeight);
    } else if (element == "minMaps") {
      pool.share.min_share.set(Kind("map"), count(what, text));
    } else if (element == "minReduces") {
      pool.share.min_share.set(Kind("reduce"), count(what, text));
    } else if (element == "minResources") {
      min_resources(what, text, pool.share.min_share);
    } else if (element == "schedulingMode" || element == "schedulingPolicy") {
      pool.share.order = order_of(what, text);
    } else if (element == "maxRunningJobs" || element == "maxRunningApps") {
      pool.share.max_running = count(what, text);
    } else if (element == "minSharePreemptionTimeout") {
      pool.min_share_timeout = seconds(what, text);
    } else {
      unsupported(where, element);
    }
  }

  // ---- values ----

  /// "10240 mb, 8 vcores"
  void min_resources(const std::string& what, const std::string& text, Resources& into) {
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
      std::istringstream words(lower(trimmed(part)));
      std::int64_t quantity = -1;
      std::string unit;
      words >> quantity >> unit;
      const bool known = quantity >= 0 && quantity <= limits::kQuantity && (unit == "mb" || unit == "vcores");
      if (!known) return unsupported(what, "\"" + text + "\" (write \"X mb, Y vcores\")");
      into.set(Kind(unit == "mb" ? "mem" : "cpus"), quantity);
    }
  }

  PoolOrder order_of(const std::string& what, const std::string& text) {
    const auto word = lower(text);
    if (word == "fifo") return PoolOrder::fifo;
    if (word == "drf") {
      imported_.allocator.share_by = ShareBy::dominant;
    } else if (word != "fair") {
      fail(what + " is fair, fifo or drf, not \"" + text + "\"");
    }
    return PoolOrder::fair;
  }

  std::uint32_t count(const std::string& what, const std::string& text) {
    const auto number = number_of<std::uint32_t>(text);
    if (!number) fail(what + " is a whole number from 0, not \"" + text + "\"");
    return number.value_or(0);
  }

  Duration seconds(const std::string& what, const std::string& text) {
    const auto number = count(what, text);
    if (number == 0) fail(what + " is a number of seconds above 0, not \"" + text + "\"");
    return std::chrono::seconds(number);
  }

  std::int64_t milli(const std::string& what, const std::string& text, int most) {
    const auto number = number_of<double>(text);
    if (number && *number > 0 && *number <= most) {
      return std::max<std::int64_t>(std::llround(*number * kMilli), 1);
    }
    fail(fmt::format("{} is a number above 0 and at most {}, not \"{}\"", what, most, text));
    return kMilli;
  }

  /// Hadoop allows any name. Names that become the same are numbered.
  std::string usable(const std::string& given, const std::string& above) {
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
    if (name != given) {
      imported_.unsupported.push_back(fmt::format("pool \"{}\" is called \"{}\" here", given, name));
    }
    return name;
  }

  void unsupported(const std::string& where, const std::string& what) {
    imported_.unsupported.push_back(fmt::format("{}: {} is not supported, and left out", where, what));
  }
  void fail(const std::string& what) {
    if (!error_) error_ = Error{ErrorCode::invalid, fmt::format("{}: {}", file_, what)};
  }

  PoolOrder order_around(const std::string& name) const {
    const auto dot = name.rfind('.');
    if (dot == name.npos) return root_.order;
    for (const auto& pool : imported_.allocator.pools) {
      if (pool.share.name == name.substr(0, dot)) return pool.share.order;
    }
    return PoolOrder::fair;
  }

  /// In a pool of another order than fair there are none.
  void drop_idle_promises() {
    for (auto& pool : imported_.allocator.pools) {
      if (order_around(pool.share.name) == PoolOrder::fair) continue;
      if (!pool.share.min_share.empty()) unsupported("pool " + pool.share.name, "a min share in a fifo pool");
      pool.share.min_share = {};
      pool.min_share_timeout.reset();
    }
  }

  void finish() {
    drop_idle_promises();
    const bool root_says_something =
        root_.max_running > 0 || root_.max_running_per_user > 0 || root_.order != PoolOrder::fair;
    if (!root_says_something) return;
    AllocatorPool root;
    root.share = root_;
    imported_.allocator.pools.insert(imported_.allocator.pools.begin(), root);
  }

  std::string_view file_;
  ImportedPools imported_;
  PoolSpec root_;
  PoolOrder default_order_ = PoolOrder::fair;
  std::uint32_t default_max_running_ = 0;
  std::optional<Duration> default_timeout_;
  std::set<std::string> names_;
  std::optional<Error> error_;
};

}  // namespace

Result<ImportedPools> import_fair_scheduler_xml(std::string_view text, std::string_view file) {
  ptree tree;
  try {
    std::istringstream in{std::string(text)};
    boost::property_tree::read_xml(in, tree, boost::property_tree::xml_parser::trim_whitespace);
  } catch (const boost::property_tree::xml_parser_error& error) {
    return Error{ErrorCode::invalid,
                 fmt::format("{}:{}: this is not XML: {}", file, error.line(), error.message())};
  }
  const auto allocations = tree.get_child_optional("allocations");
  if (!allocations) {
    return Error{ErrorCode::invalid,
                 fmt::format("{}: a fair-scheduler.xml has <allocations> around all", file)};
  }
  return Importer(file).import(*allocations);
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
  return text;
}

}  // namespace proffer
