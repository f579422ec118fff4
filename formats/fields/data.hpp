// The wire's view of messages/data.hpp: numbers from 96.
#pragma once

#include "formats/fields/field.hpp"
#include "formats/fields/work.hpp"
#include "proffer/messages/data.hpp"

namespace proffer::formats {

template <>
struct Layout<MapOutputFile> {
  static constexpr std::string_view name = "map output file";
  static constexpr auto fields =
      std::tuple{field("framework", &MapOutputFile::framework), field("job", &MapOutputFile::job),
                 field("map", &MapOutputFile::map)};
};

template <>
struct Layout<CommandOutput> {
  static constexpr std::string_view name = "command output";
  static constexpr auto fields =
      std::tuple{field("framework", &CommandOutput::framework), field("job", &CommandOutput::job),
                 field("task", &CommandOutput::task), field("is_err", &CommandOutput::is_err)};
};

template <>
struct Layout<Fetch> {
  static constexpr std::uint8_t number = 96;
  static constexpr auto fields = std::tuple{
      field("request", &Fetch::request), field("token", &Fetch::token, Short{}), field("what", &Fetch::what),
      field("offset", &Fetch::offset), field("length", &Fetch::length, UpTo<limits::kChunkBytes>{})};
};

template <>
struct Layout<Chunk> {
  static constexpr std::uint8_t number = 97;
  static constexpr auto fields =
      std::tuple{field("request", &Chunk::request),
                 field("bytes", &Chunk::bytes, Bytes<limits::kChunkBytes>{}), field("total", &Chunk::total)};
};

template <>
struct Layout<Store> {
  static constexpr std::uint8_t number = 98;
  static constexpr auto fields = std::tuple{field("request", &Store::request),
                                            field("token", &Store::token, Short{}),
                                            field("block", &Store::block),
                                            field("offset", &Store::offset),
                                            field("bytes", &Store::bytes, Bytes<limits::kChunkBytes>{}),
                                            field("last", &Store::last),
                                            field("crc32", &Store::crc32)};
};

template <>
struct Layout<Stored> {
  static constexpr std::uint8_t number = 99;
  static constexpr auto fields = std::tuple{field("request", &Stored::request)};
};

template <>
struct Layout<DataFailed> {
  static constexpr std::uint8_t number = 100;
  static constexpr auto fields =
      std::tuple{field("request", &DataFailed::request), field("error", &DataFailed::error)};
};

}  // namespace proffer::formats
