#include "live/store/name_store.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <utility>

namespace proffer::live {
namespace {

// "prof" in SQLite's header, so that somebody else's database is not taken for ours.
constexpr int kApplicationId = 0x70726f66;
constexpr int kVersion = 1;

// Exclusive before the first access: then the WAL needs no shared memory, and a second process is refused.
// FULL: every commit syncs the WAL; NORMAL could lose the last commits when the machine fails.
constexpr const char* kSettings =
    "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA "
    "foreign_keys=OFF;";
constexpr const char* kSchema =
    "CREATE TABLE next_block(id INTEGER PRIMARY KEY CHECK(id = 0), next INTEGER NOT NULL);"
    "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, length INTEGER NOT NULL,"
    " replication INTEGER NOT NULL, complete INTEGER NOT NULL);"
    "CREATE TABLE blocks(file INTEGER NOT NULL, place INTEGER NOT NULL, block INTEGER NOT NULL UNIQUE,"
    " length INTEGER NOT NULL, first_record INTEGER NOT NULL, PRIMARY KEY(file, place)) WITHOUT ROWID;"
    "INSERT INTO next_block VALUES(0, 1);";

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// A prepared statement; every run binds all of its parameters in order.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database, sql, -1, &statement, nullptr);
    statement_.reset(statement);
  }
  bool ok() const { return statement_ != nullptr; }

  template <class... Values>
  Statement& with(const Values&... values) {
    sqlite3_reset(statement_.get());
    int place = 0;
    (bind(++place, values), ...);
    return *this;
  }
  /// True while there is a row.
  bool row() { return ok() && (last_ = sqlite3_step(statement_.get())) == SQLITE_ROW; }
  /// Runs to the end; false on an error.
  bool run() {
    while (row()) {
    }
    const bool done = finished();
    sqlite3_reset(statement_.get());
    return done;
  }
  bool finished() const { return last_ == SQLITE_DONE; }
  std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_.get(), column));
  }
  std::string text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
  }

 private:
  void bind(int place, std::uint64_t value) {
    sqlite3_bind_int64(statement_.get(), place, static_cast<sqlite3_int64>(value));
  }
  void bind(int place, const std::string& text) {
    sqlite3_bind_text(statement_.get(), place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }

  std::unique_ptr<sqlite3_stmt, FinishStatement> statement_;
  int last_ = SQLITE_ERROR;
};

bool execute(sqlite3* database, const char* sql) {
  return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace

struct NameStore::Impl {
  std::string path;
  Database database;
  std::vector<FileInfo> files;
  BlockId next_block{1};
  bool group_open = false;

  Error failure(const std::string& what) const {
    const int code = sqlite3_errcode(database.get());
    // SQLite calls a full disk FULL, and a quota that is used up an error of writing.
    const bool full =
        code == SQLITE_FULL || (code == SQLITE_IOERR && sqlite3_system_errno(database.get()) == EDQUOT);
    const auto text = path + ": " + what + ": " + sqlite3_errmsg(database.get());
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
      return {ErrorCode::exists, path + " is in use by another process"};
    }
    if (full) return {ErrorCode::no_space, path + ": No space left on device"};
    return {code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? ErrorCode::corrupt : ErrorCode::io, text};
  }
  Error corrupt(const std::string& what) const { return {ErrorCode::corrupt, path + ": " + what}; }

  /// Nothing of the group is kept; SQLite may have given it up already.
  Error give_up_group() {
    auto error = failure("cannot write the store of names");
    if (sqlite3_get_autocommit(database.get()) == 0) execute(database.get(), "ROLLBACK");
    group_open = false;
    return error;
  }

  Result<> open();
  Result<> check_version();
  Result<> load();
  Result<> load_blocks();
  Result<> check_loaded() const;

  bool apply(const PersistFile& change);
  bool apply(const ForgetFile& change);
  bool apply(const PersistNextBlock& change);
};

Result<> NameStore::Impl::open() {
  sqlite3* opened = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  database.reset(opened);
  if (code != SQLITE_OK) return failure("cannot open the store of names");
  if (!execute(opened, kSettings)) return failure("cannot open the store of names");
  if (auto known = check_version(); !known) return known;
  return load();
}

Result<> NameStore::Impl::check_version() {
  // A write lock at once: a process that only read so far would find out too late that another one writes.
  if (!execute(database.get(), "BEGIN EXCLUSIVE")) return failure("cannot lock the store of names");
  Statement application(database.get(), "PRAGMA application_id");
  Statement version(database.get(), "PRAGMA user_version");
  Statement tables(database.get(), "SELECT count(*) FROM sqlite_master");
  if (!application.row() || !version.row() || !tables.row()) return failure("cannot read the store of names");
  const bool empty = tables.number(0) == 0;
  if (!empty && application.number(0) != kApplicationId) return corrupt("this is no store of names");
  if (!empty && version.number(0) != kVersion) {
    return Error{ErrorCode::version, path + " was made by another version of proffer"};
  }
  if (empty && !execute(database.get(), kSchema)) return failure("cannot make the store of names");
  if (empty) {
    const auto stamp = "PRAGMA application_id=" + std::to_string(kApplicationId) +
                       "; PRAGMA user_version=" + std::to_string(kVersion);
    if (!execute(database.get(), stamp.c_str())) return failure("cannot make the store of names");
  }
  return {};
}

Result<> NameStore::Impl::load() {
  if (!execute(database.get(), "COMMIT")) return failure("cannot write the store of names");
  Statement next(database.get(), "SELECT next FROM next_block");
  if (!next.row()) return failure("cannot read the store of names");
  next_block = BlockId{next.number(0)};
  Statement rows(database.get(), "SELECT path, length, replication, complete FROM files ORDER BY id");
  while (rows.row()) {
    files.push_back(
        {rows.text(0), rows.number(1), static_cast<std::uint32_t>(rows.number(2)), rows.number(3) != 0, {}});
  }
  if (!rows.finished()) return failure("cannot read the store of names");
  if (auto loaded = load_blocks(); !loaded) return loaded;
  return check_loaded();
}

Result<> NameStore::Impl::load_blocks() {
  Statement rows(
      database.get(),
      "SELECT files.path, block, blocks.length, first_record FROM files JOIN blocks ON file = files.id"
      " ORDER BY files.id, place");
  std::size_t file = 0;
  while (rows.row()) {
    const auto path_of_block = rows.text(0);
    while (files[file].path != path_of_block) ++file;
    files[file].blocks.push_back({BlockId{rows.number(1)}, rows.number(2), rows.number(3), {}});
  }
  if (!rows.finished()) return failure("cannot read the store of names");
  return {};
}

/// The catalog trusts what it is given, so it is judged here.
Result<> NameStore::Impl::check_loaded() const {
  for (const auto& file : files) {
    std::uint64_t length = 0;
    for (const auto& block : file.blocks) {
      if (block.block.value == 0 || block.block >= next_block)
        return corrupt("block ids and their bound disagree");
      if (block.length == 0 || block.first_record > block.length)
        return corrupt("a block of " + file.path + " is impossible");
      length += block.length;
    }
    if (length != file.length) return corrupt(file.path + " and its blocks differ in length");
  }
  return {};
}

bool NameStore::Impl::apply(const ForgetFile& change) {
  Statement blocks(database.get(), "DELETE FROM blocks WHERE file = (SELECT id FROM files WHERE path = ?)");
  Statement file(database.get(), "DELETE FROM files WHERE path = ?");
  return blocks.ok() && file.ok() && blocks.with(change.path).run() && file.with(change.path).run();
}

bool NameStore::Impl::apply(const PersistFile& change) {
  if (!apply(ForgetFile{change.file.path})) return false;
  const auto& info = change.file;
  Statement file(database.get(), "INSERT INTO files(path, length, replication, complete) VALUES(?, ?, ?, ?)");
  const std::uint64_t complete = info.complete ? 1 : 0;
  if (!file.ok() || !file.with(info.path, info.length, std::uint64_t{info.replication}, complete).run())
    return false;
  const auto id = static_cast<std::uint64_t>(sqlite3_last_insert_rowid(database.get()));
  Statement row(database.get(), "INSERT INTO blocks VALUES(?, ?, ?, ?, ?)");
  std::uint64_t place = 0;
  for (const auto& block : info.blocks) {
    if (!row.ok() || !row.with(id, place++, block.block.value, block.length, block.first_record).run())
      return false;
  }
  return true;
}

bool NameStore::Impl::apply(const PersistNextBlock& change) {
  Statement next(database.get(), "UPDATE next_block SET next = ?");
  return next.ok() && next.with(change.next.value).run();
}

NameStore::NameStore() : impl_(new Impl) {}
NameStore::~NameStore() = default;

Result<std::unique_ptr<NameStore>> NameStore::open(const std::string& path) {
  std::unique_ptr<NameStore> store(new NameStore);
  store->impl_->path = path;
  if (auto opened = store->impl_->open(); !opened) return opened.error();
  return store;
}

std::vector<FileInfo> NameStore::files() { return std::exchange(impl_->files, {}); }
BlockId NameStore::next_block() const { return impl_->next_block; }

Result<> NameStore::apply(const Persist& change) {
  if (!impl_->group_open && !execute(impl_->database.get(), "BEGIN IMMEDIATE")) return impl_->give_up_group();
  impl_->group_open = true;
  const bool applied = std::visit([this](const auto& one) { return impl_->apply(one); }, change);
  if (!applied) return impl_->give_up_group();
  return {};
}

Result<> NameStore::commit() {
  if (!std::exchange(impl_->group_open, false)) return {};
  if (!execute(impl_->database.get(), "COMMIT")) return impl_->give_up_group();
  return {};
}

void NameStore::tidy() { execute(impl_->database.get(), "PRAGMA wal_checkpoint(RESTART)"); }

}  // namespace proffer::live
