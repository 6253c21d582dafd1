#include "sim/resolve/input_files.h"

#include <algorithm>

#include "sim/keys/scenario_text.h"
#include "sim/words/plain_values.h"
#include "sim/words/quantities.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

template <class Read>
auto read_whole_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column,
                     const std::string& column_name, Read read) {
  Cursor cursor(row.cells[column]);
  try {
    const auto value = read(cursor);
    cursor.expect_done({});
    return value;
  } catch (const ValueError& error) {
    throw ScenarioError({.place = table.place(row),
                         .key = column_name,
                         .value = row.cells[column],
                         .problem = error.what(),
                         .accepted = error.accepted()});
  }
}

}  // namespace

std::shared_ptr<const SourceText> InputFiles::open(const std::string& name, const SettingBase& named_by) {
  std::shared_ptr<const SourceText> file = find(name);
  if (!file) refuse(named_by, "names a file that cannot be read", "the path of a file, relative to the scenario");
  return file;
}

std::shared_ptr<const SourceText> InputFiles::find(const std::string& name) {
  const auto known = std::ranges::find(opened_, name, [](const auto& file) { return file->name; });
  if (known != opened_.end()) return *known;
  std::optional<std::string> text = read_(name);
  if (!text) return nullptr;
  opened_.push_back(std::make_shared<const SourceText>(SourceText{.name = name, .text = std::move(*text)}));
  return opened_.back();
}

double read_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column, const std::string& column_name,
                 const ReadQuantity& read) {
  return read_whole_cell(table, row, column, column_name, read);
}

Micros read_moment_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column,
                        const std::string& column_name, Micros start_us) {
  return read_whole_cell(table, row, column, column_name, [&](Cursor& cursor) -> Micros {
    const std::string_view text = cursor.text();
    const bool date = text.size() > 4 && text[4] == '-';
    return date ? read_moment(cursor).us : start_us + read_duration(cursor).us;
  });
}

Seconds read_offset_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column,
                         const std::string& column_name) {
  return read_whole_cell(table, row, column, column_name, [](Cursor& cursor) {
    const std::size_t begin = cursor.at();
    Zone zone;
    read_value(cursor, zone);
    if (!zone.name.empty()) cursor.fail(begin, "is no offset", "UTC, or +02:00");
    return zone.offset_s;
  });
}

Token read_token_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column,
                      const std::string& column_name) {
  return read_whole_cell(table, row, column, column_name, [](Cursor& cursor) {
    TokenNumber number;
    read_value(cursor, number);
    return number.token;
  });
}

double read_rate_quantity(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  const auto number = cursor.number();
  if (number && cursor.done()) {
    if (number->value() > fastest_rate_per_s) cursor.fail(begin, "is too fast", "rates up to 1e7/s");
    return number->value();
  }
  cursor.move_to(begin);
  return read_rate(cursor).per_s();
}

void load_sample(Distribution& distribution, const ReadQuantity& quantity, InputFiles& files,
                 const SettingBase& named_by) {
  if (distribution.kind != Distribution::Kind::sample || !distribution.sample.empty()) return;
  const CsvTable table = read_csv(files.open(distribution.file, named_by), {distribution.column}, 1);
  for (const CsvTable::Row& row : table.rows)
    distribution.sample.push_back(read_cell(table, row, 0, distribution.column, quantity));
  std::ranges::sort(distribution.sample);
}

}  // namespace windrow
