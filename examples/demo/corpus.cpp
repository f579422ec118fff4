// Real text that every Debian machine with a compiler has: its header files.
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "examples/demo/demo.hpp"

namespace proffer::demo {
namespace {
namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  static const std::set<std::string> kEndings{".h", ".hh", ".hpp", ".hxx", ".ipp",
                                              ".c", ".cc", ".cpp", ".inl", ""};
  return kEndings.contains(path.extension().string());
}

/// All regular files below `input`, or itself; sources only when `input` is a folder.
std::vector<fs::path> files_below(const std::string& input) {
  std::vector<fs::path> files;
  std::error_code failed;
  if (fs::is_regular_file(input, failed)) return {input};
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator it(input, options, failed), end; !failed && it != end;
       it.increment(failed)) {
    std::error_code ignored;
    if (!it->is_symlink(ignored) && it->is_regular_file(ignored) && is_source(it->path()))
      files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Lines, cut at line ends into slices of about equal size.
class SliceWriter {
 public:
  SliceWriter(const Options& options, std::string dir) : options_(options), dir_(std::move(dir)) { open(); }

  bool full() const { return slice_ == options_.slices; }
  std::uint64_t written() const { return total_; }
  void line(const std::string& text) {
    if (full()) return;
    const auto size = text.size() + 1;
    // A slice never holds more than its blocks: the next line begins the next slice.
    if (in_slice_ + size > options_.slice_bytes()) next();
    if (full()) return;
    out_ << text << '\n';
    in_slice_ += size;
    total_ += size;
  }
  bool good() {
    out_.flush();
    return !out_.fail();
  }

 private:
  void open() { out_.open(dir_ + "/" + slice_name(slice_), std::ios::binary); }
  void next() {
    out_.close();
    in_slice_ = 0;
    if (++slice_ < options_.slices) open();
  }

  const Options& options_;
  std::string dir_;
  std::ofstream out_;
  int slice_ = 0;
  std::uint64_t in_slice_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace

std::string slice_name(int slice) { return fmt::format("slice-{}", slice); }

Result<Corpus> collect(const Options& options, const std::string& dir) {
  std::error_code failed;
  fs::create_directories(dir, failed);
  Corpus corpus{dir, 0, 0};
  SliceWriter slices(options, dir);
  std::string line;
  // Smaller inputs are read again from the start only by their owner's choice of --megabytes, never silently.
  for (const auto& path : files_below(options.input)) {
    if (slices.full()) break;
    std::ifstream in(path, std::ios::binary);
    while (!slices.full() && std::getline(in, line)) slices.line(line);
    ++corpus.files;
  }
  corpus.bytes = slices.written();
  if (!slices.full()) {
    return Error{
        ErrorCode::not_found,
        fmt::format("{} holds only {:.1f} MB of text where {:.1f} MB are wanted; name another folder with "
                    "--input, or ask for less with --megabytes",
                    options.input, static_cast<double>(corpus.bytes) / 1e6,
                    static_cast<double>(options.input_bytes) / 1e6)};
  }
  if (!slices.good()) return Error{ErrorCode::io, "cannot write the input to " + dir};
  return corpus;
}

}  // namespace proffer::demo
