// The same jobs without any cluster, to compare with.
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>

#include "examples/demo/demo.hpp"
#include "proffer/live/local_mapreduce.hpp"

namespace proffer::demo {
namespace {
namespace fs = std::filesystem;

live::LocalJob local_job(const Corpus& corpus, const std::string& dir, int framework, int slice) {
  const auto& app = application(framework);
  live::LocalJob job;
  job.inputs = {corpus.dir + "/" + slice_name(slice)};
  job.output = dir + "/" + job_name(framework, slice);
  job.mapper = app.mapper;
  job.reducer = app.reducer;
  job.num_reduces = static_cast<std::uint32_t>(app.reduces);
  return job;
}

std::optional<std::string> bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool same_job(const fs::path& output, const fs::path& reference, int parts) {
  if (!fs::exists(output / "_SUCCESS")) return false;
  for (int part = 0; part < parts; ++part) {
    const auto name = fmt::format("part-{:05}", part);
    const auto a = bytes_of(output / name);
    const auto b = bytes_of(reference / name);
    if (!a || !b || *a != *b) return false;
  }
  return true;
}

}  // namespace

Result<> make_references(const Options& options, const Corpus& corpus, const std::string& dir) {
  std::error_code failed;
  fs::create_directories(dir, failed);
  const int jobs = options.frameworks * options.slices;
  std::atomic<int> next{0};
  std::mutex mutex;
  std::optional<Error> error;
  const auto work = [&] {
    for (int i = next++; i < jobs; i = next++) {
      const auto job = local_job(corpus, dir, i / options.slices, i % options.slices);
      if (auto ran = live::run_local_mapreduce(job); !ran) {
        const std::lock_guard lock(mutex);
        error = ran.error();
      }
    }
  };
  std::thread second(work);
  work();
  second.join();
  if (error) return *error;
  return {};
}

bool same_results(const Options& options, const std::string& outputs, const std::string& references) {
  bool same = true;
  for (int framework = 0; framework < options.frameworks; ++framework) {
    for (int slice = 0; slice < options.slices; ++slice) {
      const auto name = job_name(framework, slice);
      if (same_job(fs::path(outputs) / name, fs::path(references) / name, application(framework).reduces))
        continue;
      std::fprintf(stderr, "the result of job %s differs from the one made without a cluster\n",
                   name.c_str());
      same = false;
    }
  }
  return same;
}

}  // namespace proffer::demo
