#include "live/store/name_store.hpp"

#include <utility>

#include "live/store/sqlite.hpp"

namespace proffer::live {
namespace {

// "prof".
constexpr int kApplicationId = 0x70726f66;
constexpr int kVersion = 1;

constexpr const char* kSchema =
    "CREATE TABLE next_block(id INTEGER PRIMARY KEY CHECK(id = 0), next INTEGER NOT NULL);"
    "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, length INTEGER NOT NULL,"
    " replication INTEGER NOT NULL, complete INTEGER NOT NULL);"
    "CREATE TABLE blocks(file INTEGER NOT NULL, place INTEGER NOT NULL, block INTEGER NOT NULL UNIQUE,"
    " length INTEGER NOT NULL, first_record INTEGER NOT NULL, PRIMARY KEY(file, place)) WITHOUT ROWID;"
    "INSERT INTO next_block VALUES(0, 1);";

FileFormat format() { return {kApplicationId, kVersion, kSchema, "store of names"}; }

}  // namespace

struct NameStore::Impl {
  explicit Impl(Database opened) : database(std::move(opened)) {}

  Database database;
  std::vector<FileInfo> files;
  BlockId next_block{1};

  Result<> load();
  Result<> load_blocks();
  Result<> check_loaded() const;

  bool apply(const PersistFile& change);
  bool apply(const ForgetFile& change);
  bool apply(const PersistNextBlock& change);
};

Result<> NameStore::Impl::load() {
  Statement next(database.handle(), "SELECT next FROM next_block");
  if (!next.row()) return database.failure("cannot read");
  next_block = BlockId{next.number(0)};
  Statement rows(database.handle(), "SELECT path, length, replication, complete FROM files ORDER BY id");
  while (rows.row()) {
    files.push_back(
        {rows.text(0), rows.number(1), static_cast<std::uint32_t>(rows.number(2)), rows.number(3) != 0, {}});
  }
  if (!rows.finished()) return database.failure("cannot read");
  if (auto loaded = load_blocks(); !loaded) return loaded;
  return check_loaded();
}

Result<> NameStore::Impl::load_blocks() {
  Statement rows(
      database.handle(),
      "SELECT files.path, block, blocks.length, first_record FROM files JOIN blocks ON file = files.id"
      " ORDER BY files.id, place");
  std::size_t file = 0;
  while (rows.row()) {
    const auto path_of_block = rows.text(0);
    while (files[file].path != path_of_block) ++file;
    files[file].blocks.push_back({BlockId{rows.number(1)}, rows.number(2), rows.number(3), {}});
  }
  if (!rows.finished()) return database.failure("cannot read");
  return {};
}

/// The catalog trusts what it is given, so it is judged here.
Result<> NameStore::Impl::check_loaded() const {
  for (const auto& file : files) {
    std::uint64_t length = 0;
    for (const auto& block : file.blocks) {
      if (block.block.value == 0 || block.block >= next_block)
        return database.corrupt("block ids and their bound disagree");
      if (block.length == 0 || block.first_record > block.length)
        return database.corrupt("a block of " + file.path + " is impossible");
      length += block.length;
    }
    if (length != file.length) return database.corrupt(file.path + " and its blocks differ in length");
  }
  return {};
}

bool NameStore::Impl::apply(const ForgetFile& change) {
  Statement blocks(database.handle(),
                   "DELETE FROM blocks WHERE file = (SELECT id FROM files WHERE path = ?)");
  Statement file(database.handle(), "DELETE FROM files WHERE path = ?");
  return blocks.ok() && file.ok() && blocks.with(change.path).run() && file.with(change.path).run();
}

bool NameStore::Impl::apply(const PersistFile& change) {
  if (!apply(ForgetFile{change.file.path})) return false;
  const auto& info = change.file;
  Statement file(database.handle(),
                 "INSERT INTO files(path, length, replication, complete) VALUES(?, ?, ?, ?)");
  const std::uint64_t complete = info.complete ? 1 : 0;
  if (!file.ok() || !file.with(info.path, info.length, std::uint64_t{info.replication}, complete).run())
    return false;
  const auto id = database.newest_row();
  Statement row(database.handle(), "INSERT INTO blocks VALUES(?, ?, ?, ?, ?)");
  std::uint64_t place = 0;
  for (const auto& block : info.blocks) {
    if (!row.ok() || !row.with(id, place++, block.block.value, block.length, block.first_record).run())
      return false;
  }
  return true;
}

bool NameStore::Impl::apply(const PersistNextBlock& change) {
  Statement next(database.handle(), "UPDATE next_block SET next = ?");
  return next.ok() && next.with(change.next.value).run();
}

NameStore::NameStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
NameStore::~NameStore() = default;

Result<std::unique_ptr<NameStore>> NameStore::open(const std::string& path) {
  auto opened = Database::open(path, format());
  if (!opened) return opened.error();
  auto impl = std::make_unique<Impl>(std::move(*opened));
  if (auto loaded = impl->load(); !loaded) return loaded.error();
  return std::unique_ptr<NameStore>(new NameStore(std::move(impl)));
}

std::vector<FileInfo> NameStore::files() { return std::exchange(impl_->files, {}); }
BlockId NameStore::next_block() const { return impl_->next_block; }

Result<> NameStore::apply(const Persist& change) {
  if (auto begun = impl_->database.begin(); !begun) return begun;
  const bool applied = std::visit([this](const auto& one) { return impl_->apply(one); }, change);
  if (!applied) return impl_->database.give_up();
  return {};
}

Result<> NameStore::commit() { return impl_->database.commit(); }
void NameStore::tidy() { impl_->database.tidy(); }

}  // namespace proffer::live
