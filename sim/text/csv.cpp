#include "sim/text/csv.h"

#include "sim/base/check.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::size_t buffer_bytes = 65'536;

std::string quoted(std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(cell);
  std::string safe = "\"";
  for (const char c : cell) {
    if (c == '"') safe += '"';
    safe += c;
  }
  return safe + '"';
}

}  // namespace

std::string csv_text(std::string_view text) {
  std::string safe = printable(text);
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) safe.insert(0, "'");
  return safe;
}

CsvFile::CsvFile(Sink& sink, std::string_view name, std::span<const std::string_view> columns)
    : sink_(sink), columns_(columns.size()) {
  sink_.open(name);
  for (const std::string_view column : columns) word(column);
  end_row();
}

void CsvFile::close() {
  SIM_CHECK(cells_ == 0, "a CSV file ends with a whole row");
  if (!buffer_.empty()) sink_.append(buffer_);
  buffer_.clear();
}

void CsvFile::put(std::string_view cell) {
  if (cells_++ > 0) buffer_ += ',';
  buffer_ += cell;
}

CsvFile& CsvFile::text(std::string_view value) { return word(csv_text(value)); }

CsvFile& CsvFile::word(std::string_view value) {
  put(quoted(value));
  return *this;
}

CsvFile& CsvFile::number(std::int64_t value) {
  put(std::to_string(value));
  return *this;
}

CsvFile& CsvFile::number(double value) {
  put(plain_number(value));
  return *this;
}

CsvFile& CsvFile::time(Micros at_us) {
  put(iso_time(at_us));
  return *this;
}

CsvFile& CsvFile::time_s(Seconds at_s) {
  put(iso_time_s(at_s));
  return *this;
}

CsvFile& CsvFile::empty() {
  put({});
  return *this;
}

void CsvFile::end_row() {
  SIM_CHECK(cells_ == columns_, "a CSV row has as many cells as the header");
  cells_ = 0;
  buffer_ += "\r\n";
  if (buffer_.size() < buffer_bytes) return;
  sink_.append(buffer_);
  buffer_.clear();
}

}  // namespace windrow
