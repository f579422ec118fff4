#include "live/store/sqlite.hpp"

#include <fcntl.h>
#include <sqlite3.h>

#include <cerrno>
#include <utility>

#include "live/os/descriptor.hpp"
#include "live/os/io_error.hpp"

namespace proffer::live {
namespace {

// Exclusive before the first access: then the WAL needs no shared memory, and a second process is refused.
// FULL: every commit syncs the WAL; NORMAL could lose the last commits when the machine fails.
constexpr const char* kSettings =
    "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA "
    "foreign_keys=OFF;";

/// Makes the file where there is none: SQLite would make it readable for everybody, and gives its journals
/// the mode of the file. A file that is there is not opened: closing it again would end the locks of a store
/// of this process.
Result<> make_private(const std::string& path) {
  const Descriptor made(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (made.open() || errno == EEXIST) return {};
  return io_error("cannot make " + path);
}

}  // namespace

void Statement::Finish::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Statement::Statement(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql, -1, &statement, nullptr);
  statement_.reset(statement);
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

bool Statement::row() {
  const int code = ok() ? sqlite3_step(statement_.get()) : SQLITE_ERROR;
  finished_ = code == SQLITE_DONE;
  return code == SQLITE_ROW;
}

bool Statement::run() {
  while (row()) {
  }
  reset();
  return finished();
}

std::uint64_t Statement::number(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement_.get(), column));
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Statement::bind(int place, std::uint64_t value) {
  sqlite3_bind_int64(statement_.get(), place, static_cast<sqlite3_int64>(value));
}
void Statement::bind(int place, const std::string& text) {
  sqlite3_bind_text(statement_.get(), place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}
void Statement::bind(int place, Blob blob) {
  sqlite3_bind_blob64(statement_.get(), place, blob.bytes.data(), blob.bytes.size(), SQLITE_TRANSIENT);
}

Result<Database> Database::open(const std::string& path, const FileFormat& format) {
  if (auto made = make_private(path); !made) return made.error();
  Database database(path, format.name);
  if (auto opened = database.open(format); !opened) return opened.error();
  return database;
}

Result<> Database::open(const FileFormat& format) {
  sqlite3* opened = nullptr;
  const int code =
      sqlite3_open_v2(path_.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(opened);
  if (code != SQLITE_OK || !execute(kSettings)) return failure("cannot open");
  return check(format);
}

Result<> Database::check(const FileFormat& format) {
  // A write lock at once: a process that only read so far would find out too late that another one writes.
  if (!execute("BEGIN EXCLUSIVE")) return failure("cannot lock");
  bool empty = false;
  {
    Statement application(handle(), "PRAGMA application_id");
    Statement version(handle(), "PRAGMA user_version");
    Statement tables(handle(), "SELECT count(*) FROM sqlite_master");
    if (!application.row() || !version.row() || !tables.row()) return failure("cannot read");
    // A file that was ours once is not new, whatever it has lost.
    empty = tables.number(0) == 0 && application.number(0) == 0 && version.number(0) == 0;
    if (!empty && application.number(0) != static_cast<std::uint64_t>(format.application_id))
      return corrupt("this is no " + name_);
    if (!empty && version.number(0) != static_cast<std::uint64_t>(format.version)) {
      return Error{ErrorCode::version, path_ + " was made by another version of proffer"};
    }
  }
  const auto stamp = "PRAGMA application_id=" + std::to_string(format.application_id) +
                     "; PRAGMA user_version=" + std::to_string(format.version);
  if (empty && (!execute(format.schema) || !execute(stamp.c_str()))) return failure("cannot make");
  if (!execute("COMMIT")) return failure("cannot write");
  return {};
}

bool Database::execute(const char* sql) const {
  return sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::uint64_t Database::newest_row() const {
  return static_cast<std::uint64_t>(sqlite3_last_insert_rowid(handle()));
}

Result<> Database::begin() {
  if (!group_open_ && !execute("BEGIN IMMEDIATE")) return give_up();
  group_open_ = true;
  return {};
}

Result<> Database::commit() {
  if (!group_open_) return {};
  if (!execute("COMMIT")) return give_up();
  group_open_ = false;
  return {};
}

/// SQLite may have given it up already.
Error Database::give_up() {
  auto error = failure("cannot write");
  if (sqlite3_get_autocommit(handle()) == 0) execute("ROLLBACK");
  group_open_ = false;
  return error;
}

Error Database::failure(const std::string& what) const {
  const int code = sqlite3_errcode(handle());
  // SQLite calls a full disk FULL, and a quota that is used up an error of writing.
  const bool full = code == SQLITE_FULL || (code == SQLITE_IOERR && sqlite3_system_errno(handle()) == EDQUOT);
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
    return {ErrorCode::exists, path_ + " is in use by another process"};
  }
  if (full) return {ErrorCode::no_space, path_ + ": No space left on device"};
  return {code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? ErrorCode::corrupt : ErrorCode::io,
          path_ + ": " + what + " the " + name_ + ": " + sqlite3_errmsg(handle())};
}

}  // namespace proffer::live
