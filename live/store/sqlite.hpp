// A SQLite file that belongs to one process at a time. Changes come in groups: each group is durable as a
// whole once commit() says so, and is as if it had never been otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "proffer/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace proffer::live {

/// Bytes, where a std::string is text.
struct Blob {
  std::string_view bytes;
};

/// A prepared statement; every run binds all of its parameters in order.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql);
  bool ok() const { return statement_ != nullptr; }

  template <class... Values>
  Statement& with(const Values&... values) {
    reset();
    int place = 0;
    (bind(++place, values), ...);
    return *this;
  }
  /// True while there is a row.
  bool row();
  /// Runs to the end; false on an error.
  bool run();
  /// Returns whether there was no further row, rather than an error.
  bool finished() const { return finished_; }
  std::uint64_t number(int column) const;
  std::string text(int column) const;

 private:
  struct Finish {
    void operator()(sqlite3_stmt* statement) const;
  };
  void reset();
  void bind(int place, std::uint64_t value);
  void bind(int place, const std::string& text);
  void bind(int place, Blob blob);

  std::unique_ptr<sqlite3_stmt, Finish> statement_;
  bool finished_ = false;
};

/// The format of a file, as SQLite's header names it, so that nobody else's database is taken for ours.
struct FileFormat {
  int application_id = 0;
  int version = 0;
  const char* schema = "";  ///< makes the tables of a new file
  std::string name;         ///< "store of names"
};

class Database {
 public:
  /// Opens the file, and makes it (for its owner only) when there is none; its folder must exist. `exists`:
  /// another process has it open; `version`: another proffer made it; `corrupt`: it is of another format;
  /// `no_space`; `io`.
  static Result<Database> open(const std::string& path, const FileFormat& format);

  sqlite3* handle() const { return database_.get(); }
  const std::string& path() const { return path_; }
  bool execute(const char* sql) const;
  /// Returns the row id of the newest row.
  std::uint64_t newest_row() const;

  /// Opens a group unless one is open. After an error of this or of commit(), nothing of the group is kept.
  Result<> begin();
  Result<> commit();
  /// Gives the group up, and returns why: the newest error of SQLite.
  Error give_up();
  /// Moves committed changes to their place in the file, as far as there is room, so that the next changes
  /// are written where these have been and need no room of their own.
  void tidy() const { execute("PRAGMA wal_checkpoint(RESTART)"); }

  /// The newest error of SQLite: `exists`, `no_space`, `corrupt` or `io`. `what`: "cannot read", for a
  /// sentence about this file.
  Error failure(const std::string& what) const;
  Error corrupt(const std::string& what) const { return {ErrorCode::corrupt, path_ + ": " + what}; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  Database(std::string path, std::string name) : path_(std::move(path)), name_(std::move(name)) {}
  Result<> open(const FileFormat& format);
  Result<> check(const FileFormat& format);

  std::string path_;
  std::string name_;
  std::unique_ptr<sqlite3, Close> database_;
  bool group_open_ = false;
};

}  // namespace proffer::live
