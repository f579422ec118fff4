// Maps on blocks of their own agent, as real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "live/store/crc32.hpp"
#include "live/worker/line_key.hpp"
#include "tests/live_host/small_disk.hpp"
#include "tests/live_worker/worker_run.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

class Map : public testing::Test {
 protected:
  TempDir dir;
  Place place{{Bits128{1, 1}}, dir / "blocks", dir / "outputs"};

  WorkerEnd run(const MapWork& work, const Environment& env = {}) {
    return run_worker_program(dir, place, "j1-m-00000-0", work, env);
  }
  std::string output(const WorkerEnd& end, std::size_t partition = 0) {
    return read_partition(place, "j1-m-00000-0", end.map().partitions.at(partition));
  }
  /// What a map of `cat` makes of these bytes.
  std::string cat(const std::string& bytes) {
    const auto end = run(map_of({put_block(place, 1, bytes)}, "cat"));
    EXPECT_EQ(end.code, 0) << end.err;
    return output(end);
  }
};

TEST_F(Map, LinesAreSortedAndCounted) {
  const auto end = run(map_of({put_block(place, 1, "b\t2\na\t1\nb\t1\n")}, "cat"));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(output(end), "a\t1\nb\t1\nb\t2\n");
  EXPECT_EQ(end.map().input_records, 3u);
  EXPECT_EQ(end.map().output_records, 3u);
  EXPECT_EQ(end.map().output_bytes, 12u);
  EXPECT_EQ(end.map().local_bytes, 12u);
  EXPECT_EQ(end.map().remote_bytes, 0u);
}

TEST_F(Map, LinesComeThroughByteForByte) {
  EXPECT_EQ(cat("b\r\na\r\n"), "a\r\nb\r\n");
  EXPECT_EQ(cat("no line feed"), "no line feed\n");
  EXPECT_EQ(cat("\n\n"), "\n\n");
  const std::string binary("\xff\xfe\0\x01\n\x80\n", 7);
  EXPECT_EQ(cat(binary), std::string("\x80\n\xff\xfe\0\x01\n", 7));
}

TEST_F(Map, PartitionsHoldTheKeysTheyShouldWithTheirChecksums) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "key" + std::to_string(i % 100) + "\t" + std::to_string(i) + "\n";
  const auto end = run(map_of({put_block(place, 1, text)}, "cat", 7));
  ASSERT_EQ(end.map().partitions.size(), 7u);
  std::uint64_t bytes = 0;
  for (std::uint32_t partition = 0; partition < 7; ++partition) {
    const auto part = output(end, partition);
    Crc32 crc;
    crc.add(part);
    EXPECT_EQ(crc.value(), end.map().partitions[partition].crc32);
    std::istringstream lines(part);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_EQ(partition_of(key_of(line), 7), partition);
    }
    bytes += part.size();
  }
  EXPECT_EQ(bytes, text.size());
}

TEST_F(Map, ARecordThatReachesIntoTwoMoreBlocksIsReadWhole) {
  auto first = put_block(place, 1, "not mine\nmine\nlong ", 9);
  const auto second = put_block(place, 2, "longer ", 7);
  const auto third = put_block(place, 3, "longest\nnot mine\n", 8);
  const auto end = run(map_of({first, second, third}, "cat"));
  EXPECT_EQ(output(end), "long longer longest\nmine\n");
  EXPECT_EQ(end.map().input_records, 2u);
}

TEST_F(Map, ABlockInWhichNoRecordStartsGivesNothing) {
  const auto end = run(map_of({put_block(place, 1, "rest\n", 5)}, "cat", 2));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_THAT(end.map().partitions, ElementsAre(PartitionSpan{0, 0, 0}, PartitionSpan{0, 0, 0}));
}

TEST_F(Map, ATinyMemoryMakesTheSameOutput) {
  std::string text;
  for (int i = 0; i < 200'000; ++i)
    text += std::to_string(i * 7919 % 200'003) + "\t" + std::to_string(i) + "\n";
  const auto work = map_of({put_block(place, 1, text)}, "cat", 3);
  const auto large = run(work);
  const auto expected = output(large, 1);
  const auto small = run(work, {{"PROFFER_SORT_BYTES", "200000"}});
  EXPECT_EQ(small.map(), large.map());
  EXPECT_TRUE(output(small, 1) == expected);
  const auto file = dir.write("expected", expected);
  EXPECT_EQ(std::system(("LC_ALL=C sort -c -t '\t' -k1,1 " + file).c_str()), 0);
  EXPECT_THAT(small.left, ElementsAre("stderr", "stdout", "work.msgpack"));
}

TEST_F(Map, AMapperThatHasSeenEnoughIsNoError) {
  std::string text;
  for (int i = 0; i < 2'000'000; ++i) text += "line\n";
  const auto end = run(map_of({put_block(place, 1, text)}, "head -2"));
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(output(end), "line\nline\n");
}

TEST_F(Map, AFailingMapperIsTheTasksFailureAndItsLastWordsAreTold) {
  const auto end = run(map_of({put_block(place, 1, "a\n")}, "cat > /dev/null; echo oops >&2; exit 3"));
  EXPECT_EQ(end.code, 3);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(end.result));
  ASSERT_EQ(end.said.size(), 1u);
  EXPECT_EQ(end.said[0],
            (TaskSaid{TaskSaid::What::failure, "the mapper ended with exit code 3; its last words:\noops"}));
  EXPECT_THAT(end.err, EndsWith("oops\nproffer-worker: the mapper ended with exit code 3\n"));
  EXPECT_THAT(TempDir::names_in(dir / ""), testing::Not(testing::Contains("outputs")));
}

TEST_F(Map, AMapperThatIsKilledHasTheShellsCode) {
  EXPECT_EQ(run(map_of({put_block(place, 1, "a\n")}, "kill -11 $$")).code, 139);
}

TEST_F(Map, CountersAndStatusReachTheFramework) {
  const auto end = run(map_of({put_block(place, 1, "a\nb\n")},
                              "while read x; do echo reporter:counter:g,lines,1 >&2; done; "
                              "echo reporter:status:done >&2; echo for people >&2"));
  EXPECT_THAT(end.map().counters, ElementsAre(Counter{"g", "lines", 2}));
  EXPECT_THAT(end.said, ElementsAre(TaskSaid{TaskSaid::What::status, "done"}));
  EXPECT_EQ(end.err, "for people\n");
}

TEST_F(Map, ACombinerShrinksEachPartition) {
  auto work = map_of({put_block(place, 1, "b\na\nb\na\nb\n")}, "cat", 2);
  work.combiner = "uniq -c | awk '{print $2 \"\\t\" $1}' | sort -r";
  const auto end = run(work);
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(output(end, 0) + output(end, 1), partition_of("a", 2) == partition_of("b", 2) ? "a\t2\nb\t3\n"
                                             : partition_of("a", 2) == 0                  ? "a\t2\nb\t3\n"
                                                                                          : "b\t3\na\t2\n");
  EXPECT_EQ(end.map().output_records, 5u);
}

TEST_F(Map, AFailingCombinerFailsTheTask) {
  auto work = map_of({put_block(place, 1, "a\n")}, "cat");
  work.combiner = "exit 4";
  const auto end = run(work);
  EXPECT_EQ(end.code, 4);
  EXPECT_THAT(end.said.at(0).text, HasSubstr("the combiner ended with exit code 4"));
  EXPECT_THAT(TempDir::names_in(place.outputs_dir + "/" + to_hex(kTestFramework.value) + "/1"), IsEmpty());
}

TEST_F(Map, TheMapperHasStreamingsVariablesAndTheJobs) {
  auto work = map_of({put_block(place, 1, "a\n")},
                     "echo $mapreduce_task_attempt_id; echo $map_input_file $mapreduce_task_partition; "
                     "echo $MINE $PROFFER_RESULT_FD");
  work.index = 3;
  work.env = {{"MINE", "my own"}};
  const auto id = to_hex(kTestFramework.value);
  const auto end = run(work);
  EXPECT_EQ(output(end), "/in 3\nattempt_" + id + "_0001_m_000003_0\nmy own\n");
}

TEST_F(Map, ShippedFilesAreOnThePath) {
  const auto script = dir.write("j1-m-00000-0/twice.sh", "#!/bin/sh\nsed p\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_EQ(output(run(map_of({put_block(place, 1, "a\n")}, "twice.sh"))), "a\na\n");
}

TEST_F(Map, InputThatNobodyHasFailsTheTask) {
  BlockRead gone{BlockId{9}, 10, 0, "token", {}};
  const auto end = run(map_of({gone}, "cat"));
  EXPECT_EQ(end.code, 74);
  EXPECT_EQ(end.said.size(), 1u);
}

TEST_F(Map, WorkThatCannotBeReadIsSaidSo) {
  dir.write("t/work.msgpack", "");
  const auto end = run_worker_program(dir, place, "t", CommandWork{{"true"}, {}});
  EXPECT_EQ(end.code, 70);
  EXPECT_THAT(end.err, HasSubstr("commands are for the launcher"));
}

TEST_F(Map, ABlockThatAnotherTaskMadeAFifoIsNotWaitedFor) {
  auto block = put_block(place, 1, "a\n");
  std::filesystem::remove(place.blocks_dir + "/1");
  ASSERT_EQ(::mkfifo((place.blocks_dir + "/1").c_str(), 0600), 0);
  const auto end = run(map_of({block}, "cat"));
  EXPECT_EQ(end.code, 74);
  EXPECT_THAT(end.err, HasSubstr("no agent that holds it is there"));
}

TEST_F(Map, AnOutputThatAnotherTaskMadeALinkIsReplacedAndNotFollowed) {
  const auto secret = dir.write("secret", "of somebody else");
  const auto part = place.outputs_dir + "/" + to_hex(kTestFramework.value) + "/1/.j1-m-00000-0.part";
  std::filesystem::create_directories(std::filesystem::path(part).parent_path());
  std::filesystem::create_symlink(secret, part);
  EXPECT_EQ(cat("a\n"), "a\n");
  EXPECT_EQ(TempDir::read(secret), "of somebody else");
}

TEST_F(Map, AnOutputThatTheDiskHasNoRoomForIsTheAgentsFault) {
  std::filesystem::create_directories(place.outputs_dir);
  const test::SmallDisk disk(place.outputs_dir, "64k");
  PROFFER_NEEDS_DISK(disk);
  const auto end = run(map_of({put_block(place, 1, "a\n")}, "head -c 1000000 /dev/zero | tr '\\0' 'x'"));
  EXPECT_EQ(end.code, 74);
  EXPECT_EQ(end.lost, "cannot write a file of this task: No space left on device");
}

TEST_F(Map, AMapperThatFailsIsNotItsAgentsFault) {
  EXPECT_EQ(run(map_of({put_block(place, 1, "a\n")}, "exit 74")).lost, "");
}

}  // namespace
}  // namespace proffer::live
