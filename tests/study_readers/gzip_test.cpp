// Packed files: known by their first bytes, whatever they are called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "proffer/formats/job_list.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using testing::EndsWith;

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// A file of the test, for as long as it runs.
class PackedFile : public testing::Test {
 protected:
  PackedFile()
      : path_(testing::TempDir() + "proffer_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {}
  ~PackedFile() override { std::filesystem::remove(path_); }
  Result<std::string> read(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return formats::read_text_file(path_);
  }
  std::string path_;
};

const std::string kLine = "a\t0\t0\t1\t0\t0\n";

TEST_F(PackedFile, IsUnpackedWhateverItsName) {
  read(gzipped(kLine)).value();
  EXPECT_EQ(read_trace({TraceFormat::swim, path_, {}}).value().workload.jobs.size(), 1u);
  EXPECT_EQ(read(kLine).value(), kLine) << "what is not packed is as it is";
}

TEST_F(PackedFile, LinesOfATraceAreCountedUnpacked) {
  read(gzipped(kLine + "b\t1\n")).value();
  EXPECT_THAT(error_of(read_trace({TraceFormat::swim, path_, {}})),
              testing::StartsWith(path_ + ":2: 2 of 6"));
}

TEST_F(PackedFile, HasOneMemberBehindTheOther) {
  std::string large;
  for (int line = 0; line < 100'000; ++line) large += std::to_string(line * 7919) + "\n";
  EXPECT_EQ(read(gzipped(large) + gzipped("more") + std::string(512, '\0')).value(), large + "more");
  EXPECT_EQ(read(gzipped("")).value(), "");
}

TEST_F(PackedFile, HoldsAJobListToo) {
  read(gzipped("[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"cat\"\n")).value();
  EXPECT_EQ(read_job_list(path_, PoolOrder::fair).value().jobs.at(0).mapper, "cat");
}

TEST_F(PackedFile, ThatIsCutOffOrBrokenIsNamed) {
  const auto whole = gzipped("a text of some length, so that there is something to cut");
  for (const auto length : {std::size_t{2}, std::size_t{12}, whole.size() - 1}) {
    EXPECT_EQ(error_of(read(whole.substr(0, length))),
              "cannot unpack " + path_ + ", a file of gzip: cut off");
  }
  auto broken = whole;
  broken[broken.size() - 6] ^= 1;
  EXPECT_EQ(error_of(read(broken)), "cannot unpack " + path_ + ", a file of gzip: incorrect data check");
  EXPECT_THAT(error_of(read(whole + "x")), EndsWith("something else stands behind the packed data"));
}

}  // namespace
}  // namespace proffer::study
