#include "live/store/record_store.hpp"

#include <utility>

#include "live/store/crc32.hpp"
#include "live/store/sqlite.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

// "pror".
constexpr int kRecordsApplication = 0x70726f72;
constexpr int kRecordsVersion = 1;

// Without a row id each change writes one page and not that of an index as well.
constexpr const char* kRecordsSchema =
    "CREATE TABLE records(kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, crc32 INTEGER NOT NULL,"
    " PRIMARY KEY(kind, key)) WITHOUT ROWID;";

FileFormat records_format() {
  return {kRecordsApplication, kRecordsVersion, kRecordsSchema, "store of records"};
}

/// The checksum of a row: SQLite has none of its own for what has reached its file.
std::uint64_t checksum(const std::string& kind, const std::string& key, std::string_view value) {
  const std::string_view end("\0", 1);
  Crc32 crc;
  for (const std::string_view part : {std::string_view(kind), end, std::string_view(key), end, value}) {
    crc.add(part);
  }
  return crc.value();
}

std::string kind_of(const KeptKey& key) { return std::string(record_kind(key.kind)); }

}  // namespace

struct RecordStore::Impl {
  explicit Impl(Database opened) : database(std::move(opened)) {}

  Database database;
  Statement put{database.handle(), "INSERT OR REPLACE INTO records VALUES(?, ?, ?, ?)"};
  Statement remove{database.handle(), "DELETE FROM records WHERE kind = ? AND key = ?"};
  std::vector<Kept> records;
  std::string value;  // one buffer for all records

  Result<> check() const;
  Result<> load();
  Result<Kept> read(const Statement& row) const;
  Error damaged(const std::string& what) const;
};

Error RecordStore::Impl::damaged(const std::string& what) const {
  return database.corrupt("the store of records is damaged: " + what +
                          "; restore it from a copy, or remove it and lose what it says");
}

/// Reads the whole file: a page that has changed on the disk would be found too late otherwise.
Result<> RecordStore::Impl::check() const {
  Statement pages(database.handle(), "PRAGMA quick_check(1)");
  if (!pages.row()) return database.failure("cannot read");
  if (const auto found = pages.text(0); found != "ok") return damaged(found);
  return {};
}

Result<> RecordStore::Impl::load() {
  if (auto sound = check(); !sound) return sound;
  Statement rows(database.handle(), "SELECT kind, key, value, crc32 FROM records ORDER BY kind, key");
  while (rows.row()) {
    auto record = read(rows);
    if (!record) return record.error();
    records.push_back(std::move(*record));
  }
  if (!rows.finished()) return database.failure("cannot read");
  return {};
}

Result<Kept> RecordStore::Impl::read(const Statement& row) const {
  const auto kind = row.text(0);
  const auto key = row.text(1);
  const auto bytes = row.text(2);
  const auto name = "the record '" + kind + (key.empty() ? "'" : " " + key + "'");
  if (checksum(kind, key, bytes) != row.number(3))
    return damaged("the checksum of " + name + " does not hold");
  auto record = decode_record(bytes);
  if (!record) return damaged(name + " cannot be read: " + record.error().message);
  const auto known_as = key_of(*record);
  if (kind_of(known_as) != kind || known_as.key != key) return damaged(name + " is that of another");
  return record;
}

RecordStore::RecordStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordStore::~RecordStore() = default;

Result<std::unique_ptr<RecordStore>> RecordStore::open(const std::string& path) {
  auto opened = Database::open(path, records_format());
  if (!opened) return opened.error();
  auto impl = std::make_unique<Impl>(std::move(*opened));
  if (auto loaded = impl->load(); !loaded) return loaded.error();
  return std::unique_ptr<RecordStore>(new RecordStore(std::move(impl)));
}

std::vector<Kept> RecordStore::records() { return std::exchange(impl_->records, {}); }

Result<> RecordStore::keep(const Kept& record) {
  auto& self = *impl_;
  encode_record(record, self.value);
  const auto name = key_of(record);
  const auto kind = kind_of(name);
  if (self.value.size() > limits::kRecordBytes) {
    return Error{ErrorCode::invalid, self.database.path() + ": the record '" + kind + " " + name.key +
                                         "' has more than " + std::to_string(limits::kRecordBytes) +
                                         " bytes"};
  }
  if (auto begun = self.database.begin(); !begun) return begun;
  const auto crc = checksum(kind, name.key, self.value);
  if (!self.put.ok() || !self.put.with(kind, name.key, Blob{self.value}, crc).run())
    return self.database.give_up();
  return {};
}

Result<> RecordStore::drop(const KeptKey& key) {
  auto& self = *impl_;
  if (auto begun = self.database.begin(); !begun) return begun;
  if (!self.remove.ok() || !self.remove.with(kind_of(key), key.key).run()) return self.database.give_up();
  return {};
}

Result<> RecordStore::commit() { return impl_->database.commit(); }
void RecordStore::tidy() { impl_->database.tidy(); }

}  // namespace proffer::live
