// Histories of records, and the images of a store that a crash may leave.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "live/store/record_store.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/limits.hpp"
#include "temp_dir.hpp"

namespace proffer::live {

inline std::vector<Kept> one_record_of_each() {
  const Resources slots{{Kind("map"), 1}};
  TaskStatus status;
  status.framework = {{1, 7}};
  status.task = {"m-1"};
  status.seq = 2;
  status.state = TaskState::finished;
  status.exit = {3, 0};
  status.message = "it said \"no\"\n";
  status.result = std::make_shared<TaskResult>(MapResult{{{0, 10, 1}}, 1, 2, 3, 4, 5, {}});
  return {
      KeptFramework{{{1, 7}}, {{2, 7}}, "mr", "somebody", "high", "red", "", std::chrono::minutes(10), 2, 81},
      KeptAgent{{{{1, 1}}, "a1", "r1", "tcp://h:1"}, {{2, 1}}, 3, AgentWish::drain, true},
      RetiredAgent{{{1, 2}}, "a2"},
      KeptLaunch{{5, 8}, {{1, 7}}, {"m-1"}, JobId{2}, slots, 2, {status}, TaskReason::preempted, true, 4},
      KeptServer{ServerRole::catalog, {{1, 3}}, Epoch{5}, 82},
      KeptBoot{"5f3c"},
      KeptIdentity{{{1, 7}}, {{2, 7}}, 2},
      KeptTask{{"m-1"}, {{1, 1}}, slots, 12, TaskState::running, (7ull << 32) + 1},
      KeptNote{"job/1", std::string("any bytes: \0\xff", 13)}};
}

/// Records by name: what a store holds.
using Image = std::map<KeptKey, std::string>;
inline Image image_of(const std::vector<Kept>& records) {
  Image image;
  for (const auto& record : records) {
    encode_record(record, image[key_of(record)]);
  }
  return image;
}

/// Changes, each a commit of one to three records, and what a store holds after each of them.
class History {
 public:
  History(std::size_t changes, unsigned seed) {
    std::mt19937 draw(seed);
    images_.emplace_back();
    for (std::size_t n = 0; n < changes; ++n) add(draw, n);
  }
  std::size_t size() const { return groups_.size(); }
  /// What there is after that many changes.
  const Image& after(std::size_t changes) const { return images_.at(changes); }
  /// Gives the change of that number to a store; it is to be committed then.
  bool apply(std::size_t number, RecordStore& store) const {
    for (const auto& change : groups_.at(number)) {
      const auto* kept = std::get_if<KeepRecord>(&change);
      if (!(kept != nullptr ? store.keep(kept->record) : store.drop(std::get<DropRecord>(change).key)))
        return false;
    }
    return true;
  }
  /// After how many changes there is this image; at least `least`. None: it never was.
  std::optional<std::size_t> find(const Image& image, std::size_t least) const {
    for (auto n = least; n < images_.size(); ++n) {
      if (images_[n] == image) return n;
    }
    return {};
  }

 private:
  using Change = std::variant<KeepRecord, DropRecord>;

  /// The number is in each change, so that no two images are equal.
  void add(std::mt19937& draw, std::size_t number) {
    auto image = images_.back();
    std::vector<Change> group;
    const auto keep = [&](Kept record) {
      encode_record(record, image[key_of(record)]);
      group.emplace_back(KeepRecord{std::move(record)});
    };
    keep(KeptServer{ServerRole::allocator, {{1, 2}}, Epoch{number + 1}, number});
    const LaunchId launch{5, draw() % 40};
    KeptLaunch kept{launch, {{1, 7}}, {"m-" + std::to_string(launch.n)}, JobId{2}, {{Kind("map"), 1}},
                    number, {}};
    kept.statuses.resize(draw() % 3, status_of(number));
    if (draw() % 4 == 0) {
      image.erase(key_of(launch));
      group.emplace_back(DropRecord{key_of(launch)});
    } else {
      keep(std::move(kept));
    }
    if (draw() % 3 == 0) keep(KeptNote{std::to_string(draw() % 5), std::string(draw() % 900, 'x')});
    groups_.push_back(std::move(group));
    images_.push_back(std::move(image));
  }
  static TaskStatus status_of(std::size_t number) {
    TaskStatus status;
    status.framework = {{1, 7}};
    status.task = {"m"};
    status.seq = number;
    status.state = TaskState::running;
    return status;
  }

  std::vector<std::vector<Change>> groups_;
  std::vector<Image> images_;
};

/// Opens images of a store; in memory where the system has such a folder, since their bytes alone matter.
class ImageFolder {
 public:
  ImageFolder() : path_(std::filesystem::exists("/dev/shm") ? shared() : disk_ / "image") {}
  ~ImageFolder() { remove(); }
  ImageFolder(const ImageFolder&) = delete;
  ImageFolder& operator=(const ImageFolder&) = delete;

  /// What the store holds; none when it is refused.
  std::optional<Image> open(const std::string& file, const std::string& wal) const {
    remove();
    write(path_, file);
    if (!wal.empty()) write(path_ + "-wal", wal);
    const auto store = RecordStore::open(path_);
    if (store) return image_of((*store)->records());
    return {};
  }

 private:
  static std::string shared() { return "/dev/shm/proffer-image-" + std::to_string(::getpid()); }
  static void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  void remove() const {
    for (const auto* end : {"", "-wal", "-journal", "-shm"}) ::unlink((path_ + end).c_str());
  }

  TempDir disk_;
  std::string path_;
};

}  // namespace proffer::live
