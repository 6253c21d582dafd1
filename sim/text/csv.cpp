#include "sim/text/csv.h"

#include <algorithm>
#include <array>

#include "sim/base/arithmetic.h"
#include "sim/base/check.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::size_t buffer_bytes = 65'536;

constexpr auto special = [] {
  std::array<bool, 256> characters{};
  for (const char c : {',', '"', '\r', '\n'}) characters[static_cast<unsigned char>(c)] = true;
  return characters;
}();

bool needs_quotes(std::string_view cell) {
  return std::ranges::any_of(cell, [](char c) { return special[static_cast<unsigned char>(c)]; });
}

std::string quoted(std::string_view cell) {
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

std::string& CsvFile::next_cell() {
  if (cells_++ > 0) buffer_ += ',';
  return buffer_;
}

CsvFile& CsvFile::text(std::string_view value) {
  if (last_cell_.empty() || value != last_text_) {
    last_text_ = value;
    last_cell_ = csv_text(value);
  }
  return word(last_cell_);
}

CsvFile& CsvFile::word(std::string_view value) {
  if (needs_quotes(value)) {
    next_cell() += quoted(value);
  } else {
    next_cell() += value;
  }
  return *this;
}

CsvFile& CsvFile::number(std::int64_t value) {
  append_number(next_cell(), value);
  return *this;
}

CsvFile& CsvFile::number(double value) {
  next_cell() += plain_number(value);
  return *this;
}

CsvFile& CsvFile::time(Micros at_us) { return time_s(floor_div(at_us, us_per_s)); }

CsvFile& CsvFile::time_s(Seconds at_s) {
  append_iso_time_s(next_cell(), at_s);
  return *this;
}

CsvFile& CsvFile::empty() {
  next_cell();
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
