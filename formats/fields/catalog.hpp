// The wire's view of messages/catalog.hpp: clients' numbers from 64, agents' from 80.
#pragma once

#include "formats/fields/field.hpp"
#include "formats/fields/work.hpp"
#include "proffer/messages/catalog.hpp"

namespace proffer::formats {

template <>
struct Layout<BlockInfo> {
  static constexpr std::string_view name = "block";
  static constexpr auto fields =
      std::tuple{field("block", &BlockInfo::block), field("length", &BlockInfo::length),
                 field("first_record", &BlockInfo::first_record), field("replicas", &BlockInfo::replicas)};
};

template <>
struct Layout<FileInfo> {
  static constexpr std::string_view name = "file";
  static constexpr auto fields =
      std::tuple{field("path", &FileInfo::path, Path{}), field("length", &FileInfo::length),
                 field("replication", &FileInfo::replication), field("complete", &FileInfo::complete),
                 field("blocks", &FileInfo::blocks, List<limits::kBlocksPerFile>{})};
};

template <>
struct Layout<CreateFile> {
  static constexpr std::uint8_t number = 64;
  static constexpr auto fields =
      std::tuple{field("request", &CreateFile::request), field("path", &CreateFile::path, Path{}),
                 field("replication", &CreateFile::replication)};
};

template <>
struct Layout<AddBlock> {
  static constexpr std::uint8_t number = 65;
  static constexpr auto fields =
      std::tuple{field("request", &AddBlock::request), field("path", &AddBlock::path, Path{}),
                 field("writer", &AddBlock::writer)};
};

template <>
struct Layout<BlockAllocated> {
  static constexpr std::uint8_t number = 66;
  static constexpr auto fields =
      std::tuple{field("request", &BlockAllocated::request), field("block", &BlockAllocated::block),
                 field("token", &BlockAllocated::token, Short{}), field("targets", &BlockAllocated::targets)};
};

template <>
struct Layout<SealBlock> {
  static constexpr std::uint8_t number = 67;
  static constexpr auto fields =
      std::tuple{field("request", &SealBlock::request), field("path", &SealBlock::path, Path{}),
                 field("block", &SealBlock::block), field("length", &SealBlock::length),
                 field("first_record", &SealBlock::first_record)};
};

template <>
struct Layout<CompleteFile> {
  static constexpr std::uint8_t number = 68;
  static constexpr auto fields =
      std::tuple{field("request", &CompleteFile::request), field("path", &CompleteFile::path, Path{})};
};

template <>
struct Layout<ListFiles> {
  static constexpr std::uint8_t number = 69;
  static constexpr auto fields =
      std::tuple{field("request", &ListFiles::request), field("path", &ListFiles::path, Path{}),
                 field("blocks", &ListFiles::blocks)};
};

template <>
struct Layout<UseWanted> {
  static constexpr std::string_view name = "use wanted";
  static constexpr auto fields = std::tuple{
      field("interval", &UseWanted::interval), field("threshold", &UseWanted::threshold),
      field("of_pending", &UseWanted::of_pending), field("remote_reads", &UseWanted::remote_reads)};
};

template <>
struct Layout<FilesListed> {
  static constexpr std::uint8_t number = 70;
  static constexpr auto fields =
      std::tuple{field("request", &FilesListed::request), field("files", &FilesListed::files),
                 field("token", &FilesListed::token, Short{}), field("more", &FilesListed::more),
                 field("use", &FilesListed::use)};
};

template <>
struct Layout<RenameFiles> {
  static constexpr std::uint8_t number = 71;
  static constexpr auto fields =
      std::tuple{field("request", &RenameFiles::request),
                 field("pairs", &RenameFiles::pairs, List<limits::kItems, Pair<Path, Path>>{})};
};

template <>
struct Layout<RemoveFiles> {
  static constexpr std::uint8_t number = 72;
  static constexpr auto fields =
      std::tuple{field("request", &RemoveFiles::request), field("path", &RemoveFiles::path, Path{})};
};

template <>
struct Layout<CatalogDone> {
  static constexpr std::uint8_t number = 73;
  static constexpr auto fields =
      std::tuple{field("request", &CatalogDone::request), field("error", &CatalogDone::error)};
};

template <>
struct Layout<BlockUse> {
  static constexpr std::string_view name = "block use";
  static constexpr auto fields =
      std::tuple{field("block", &BlockUse::block), field("tasks", &BlockUse::tasks),
                 field("delayed", &BlockUse::delayed), field("delay", &BlockUse::delay)};
};

template <>
struct Layout<RemoteRead> {
  static constexpr std::string_view name = "remote read";
  static constexpr auto fields =
      std::tuple{field("block", &RemoteRead::block), field("agent", &RemoteRead::agent)};
};

template <>
struct Layout<BlocksUsed> {
  static constexpr std::uint8_t number = 74;
  static constexpr auto fields =
      std::tuple{field("blocks", &BlocksUsed::blocks), field("remote", &BlocksUsed::remote)};
};

template <>
struct Layout<BlockPlaces> {
  static constexpr std::string_view name = "block places";
  static constexpr auto fields =
      std::tuple{field("block", &BlockPlaces::block), field("replicas", &BlockPlaces::replicas)};
};

template <>
struct Layout<ReplicasChanged> {
  static constexpr std::uint8_t number = 75;
  static constexpr auto fields = std::tuple{field("blocks", &ReplicasChanged::blocks)};
};

template <>
struct Layout<CatalogHello> {
  static constexpr std::uint8_t number = 76;
  static constexpr std::tuple<> fields{};
};

template <>
struct Layout<CatalogSession> {
  static constexpr std::uint8_t number = 77;
  static constexpr std::tuple<> fields{};
};

template <>
struct Layout<BlockReport> {
  static constexpr std::uint8_t number = 80;
  static constexpr auto fields = std::tuple{field("agent", &BlockReport::agent),
                                            field("name", &BlockReport::name, Name{}),
                                            field("rack", &BlockReport::rack, Name{}),
                                            field("data_endpoint", &BlockReport::data_endpoint, Endpoint{}),
                                            field("page", &BlockReport::page),
                                            field("last", &BlockReport::last),
                                            field("blocks", &BlockReport::blocks),
                                            field("secret", &BlockReport::secret)};
};

template <>
struct Layout<CatalogWelcome> {
  static constexpr std::uint8_t number = 81;
  static constexpr auto fields =
      std::tuple{field("token", &CatalogWelcome::token, Short{}),
                 field("heartbeat", &CatalogWelcome::heartbeat), field("secret", &CatalogWelcome::secret)};
};

template <>
struct Layout<BlocksChanged> {
  static constexpr std::uint8_t number = 82;
  static constexpr auto fields =
      std::tuple{field("number", &BlocksChanged::number), field("added", &BlocksChanged::added),
                 field("removed", &BlocksChanged::removed)};
};

template <>
struct Layout<SendBlockReport> {
  static constexpr std::uint8_t number = 83;
  static constexpr std::tuple<> fields{};
};

template <>
struct Layout<DeleteBlocks> {
  static constexpr std::uint8_t number = 84;
  static constexpr auto fields = std::tuple{field("blocks", &DeleteBlocks::blocks)};
};

template <>
struct Layout<CopyBlock> {
  static constexpr std::uint8_t number = 85;
  static constexpr auto fields =
      std::tuple{field("block", &CopyBlock::block), field("length", &CopyBlock::length),
                 field("sources", &CopyBlock::sources), field("token", &CopyBlock::token, Short{})};
};

template <>
struct Layout<CopyFailed> {
  static constexpr std::uint8_t number = 86;
  static constexpr auto fields =
      std::tuple{field("block", &CopyFailed::block), field("error", &CopyFailed::error)};
};

}  // namespace proffer::formats
