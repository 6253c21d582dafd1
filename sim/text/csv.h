#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/units.h"
#include "sim/text/sink.h"

namespace windrow {

/// A cell of text from outside: printable, and no spreadsheet takes it for a formula (a leading = + - @ gets an
/// apostrophe).
std::string csv_text(std::string_view text);

/// One CSV file (RFC 4180): a header row, then rows with as many cells. Numbers have at most nine significant digits.
class CsvFile {
 public:
  CsvFile(Sink& sink, std::string_view name, std::span<const std::string_view> columns);
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  ~CsvFile() = default;

  /// Text from outside.
  CsvFile& text(std::string_view value);
  /// Text of our own: no formulas to fear; quoted where it must be.
  CsvFile& word(std::string_view value);
  CsvFile& number(std::int64_t value);
  CsvFile& number(double value);
  CsvFile& time(Micros at_us);
  CsvFile& time_s(Seconds at_s);
  CsvFile& empty();
  CsvFile& number_or_empty(std::optional<double> value) { return value ? number(*value) : empty(); }
  CsvFile& number_or_empty(std::optional<std::int64_t> value) { return value ? number(*value) : empty(); }
  CsvFile& time_or_empty(std::optional<Micros> at_us) { return at_us ? time(*at_us) : empty(); }
  /// Ends the row.
  void end_row();
  /// Hands over what is left: the file is whole.
  void close();

 private:
  /// Where its text goes.
  std::string& next_cell();

  Sink& sink_;
  std::size_t columns_ = 0;
  std::size_t cells_ = 0;
  std::string buffer_{};
  std::string last_text_{};  // of text(): rows of one table follow each other
  std::string last_cell_{};
};

}  // namespace windrow
