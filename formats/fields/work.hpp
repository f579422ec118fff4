// The wire's view of messages/work.hpp, and of the types that several conversations share.
#pragma once

#include "formats/fields/field.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"
#include "proffer/task_state.hpp"
#include "proffer/topology.hpp"

namespace proffer::formats {

using EnvironmentRule = List<limits::kArgs, Pair<VariableName, Argument>>;

template <>
struct Layout<Error> {
  static constexpr std::string_view name = "error";
  static constexpr auto fields =
      std::tuple{field("code", &Error::code), field("message", &Error::message, Text{})};
};

template <>
struct Layout<ExitStatus> {
  static constexpr std::string_view name = "exit";
  static constexpr auto fields =
      std::tuple{field("code", &ExitStatus::code), field("signal", &ExitStatus::signal)};
};

template <>
struct Layout<AgentInfo> {
  static constexpr std::string_view name = "agent";
  static constexpr auto fields = std::tuple{
      field("id", &AgentInfo::id), field("name", &AgentInfo::name, Name{}),
      field("rack", &AgentInfo::rack, Name{}), field("data_endpoint", &AgentInfo::data_endpoint, Endpoint{})};
};

template <>
struct Layout<ShippedFile> {
  static constexpr std::string_view name = "shipped file";
  static constexpr auto fields =
      std::tuple{field("name", &ShippedFile::name, FileName{}),
                 field("bytes", &ShippedFile::bytes, Bytes<limits::kShippedFileBytes>{}),
                 field("executable", &ShippedFile::executable)};
};

template <>
struct Layout<CommandWork> {
  static constexpr std::string_view name = "command work";
  static constexpr auto fields = std::tuple{
      field("argv", &CommandWork::argv, List<limits::kArgs, Argument>{}),
      field("env", &CommandWork::env, EnvironmentRule{}),
      field("output_token", &CommandWork::output_token, Short{}), field("files", &CommandWork::files)};
};

template <>
struct Layout<Replica> {
  static constexpr std::string_view name = "replica";
  static constexpr auto fields =
      std::tuple{field("agent", &Replica::agent), field("endpoint", &Replica::endpoint, Endpoint{}),
                 field("rack", &Replica::rack, NameOrEmpty{})};
};

template <>
struct Layout<BlockRead> {
  static constexpr std::string_view name = "block read";
  static constexpr auto fields =
      std::tuple{field("block", &BlockRead::block), field("length", &BlockRead::length),
                 field("first_record", &BlockRead::first_record), field("token", &BlockRead::token, Short{}),
                 field("replicas", &BlockRead::replicas)};
};

template <>
struct Layout<CachedFile> {
  static constexpr std::string_view name = "cached file";
  static constexpr auto fields =
      std::tuple{field("name", &CachedFile::name, FileName{}), field("blocks", &CachedFile::blocks)};
};
using CachedFilesRule = List<limits::kCachedFiles>;

template <>
struct Layout<OutputPath> {
  static constexpr std::string_view name = "output path";
  static constexpr auto fields = std::tuple{
      field("path", &OutputPath::path, Path{}),
      field("catalog_endpoint", &OutputPath::catalog_endpoint, Endpoint{}),
      field("replication", &OutputPath::replication), field("block_bytes", &OutputPath::block_bytes)};
};

template <>
struct Layout<MapWork> {
  static constexpr std::string_view name = "map work";
  static constexpr auto fields = std::tuple{field("job", &MapWork::job),
                                            field("index", &MapWork::index),
                                            field("job_token", &MapWork::job_token, Short{}),
                                            field("mapper", &MapWork::mapper, Argument{}),
                                            field("combiner", &MapWork::combiner, Argument{}),
                                            field("blocks", &MapWork::blocks),
                                            field("input_path", &MapWork::input_path, Path{}),
                                            field("partitions", &MapWork::partitions),
                                            field("output", &MapWork::output),
                                            field("env", &MapWork::env, EnvironmentRule{}),
                                            field("files", &MapWork::files),
                                            field("cached", &MapWork::cached, CachedFilesRule{})};
};

template <>
struct Layout<MapOutput> {
  static constexpr std::string_view name = "map output";
  static constexpr auto fields = std::tuple{field("map", &MapOutput::map),
                                            field("agent", &MapOutput::agent),
                                            field("endpoint", &MapOutput::endpoint, Endpoint{}),
                                            field("offset", &MapOutput::offset),
                                            field("length", &MapOutput::length),
                                            field("crc32", &MapOutput::crc32)};
};

template <>
struct Layout<ReduceWork> {
  static constexpr std::string_view name = "reduce work";
  static constexpr auto fields = std::tuple{field("job", &ReduceWork::job),
                                            field("index", &ReduceWork::index),
                                            field("job_token", &ReduceWork::job_token, Short{}),
                                            field("reducer", &ReduceWork::reducer, Argument{}),
                                            field("inputs", &ReduceWork::inputs),
                                            field("output", &ReduceWork::output),
                                            field("env", &ReduceWork::env, EnvironmentRule{}),
                                            field("files", &ReduceWork::files),
                                            field("complete", &ReduceWork::complete),
                                            field("cached", &ReduceWork::cached, CachedFilesRule{})};
};

template <>
struct Layout<SyntheticInput> {
  static constexpr std::string_view name = "synthetic input";
  static constexpr auto fields = std::tuple{
      field("map", &SyntheticInput::map), field("agent", &SyntheticInput::agent),
      field("endpoint", &SyntheticInput::endpoint, Endpoint{}),
      field("output_bytes", &SyntheticInput::output_bytes), field("bytes", &SyntheticInput::bytes)};
};

template <>
struct Layout<SyntheticWork> {
  static constexpr std::string_view name = "synthetic work";
  static constexpr auto fields = std::tuple{
      field("job", &SyntheticWork::job),           field("index", &SyntheticWork::index),
      field("map", &SyntheticWork::map),           field("job_token", &SyntheticWork::job_token, Short{}),
      field("blocks", &SyntheticWork::blocks),     field("inputs", &SyntheticWork::inputs),
      field("compute", &SyntheticWork::compute),   field("output_bytes", &SyntheticWork::output_bytes),
      field("complete", &SyntheticWork::complete), field("cached", &SyntheticWork::cached, CachedFilesRule{}),
      field("output", &SyntheticWork::output)};
};

template <>
struct Layout<Counter> {
  static constexpr std::string_view name = "counter";
  static constexpr auto fields =
      std::tuple{field("group", &Counter::group, Text{}), field("name", &Counter::name, Text{}),
                 field("value", &Counter::value)};
};

template <>
struct Layout<PartitionSpan> {
  static constexpr std::string_view name = "span";
  static constexpr auto fields =
      std::tuple{field("offset", &PartitionSpan::offset), field("length", &PartitionSpan::length),
                 field("crc32", &PartitionSpan::crc32)};
};

template <>
struct Layout<std::monostate> {
  static constexpr std::string_view name = "no result";
  static constexpr std::tuple<> fields{};
};

template <>
struct Layout<MapResult> {
  static constexpr std::string_view name = "map result";
  static constexpr auto fields = std::tuple{field("partitions", &MapResult::partitions),
                                            field("local_bytes", &MapResult::local_bytes),
                                            field("remote_bytes", &MapResult::remote_bytes),
                                            field("input_records", &MapResult::input_records),
                                            field("output_records", &MapResult::output_records),
                                            field("output_bytes", &MapResult::output_bytes),
                                            field("counters", &MapResult::counters)};
};

template <>
struct Layout<ReduceResult> {
  static constexpr std::string_view name = "reduce result";
  static constexpr auto fields = std::tuple{field("missing", &ReduceResult::missing),
                                            field("local_bytes", &ReduceResult::local_bytes),
                                            field("remote_bytes", &ReduceResult::remote_bytes),
                                            field("input_records", &ReduceResult::input_records),
                                            field("output_records", &ReduceResult::output_records),
                                            field("output_bytes", &ReduceResult::output_bytes),
                                            field("counters", &ReduceResult::counters)};
};

}  // namespace proffer::formats
