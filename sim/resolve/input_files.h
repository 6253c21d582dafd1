#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/words/csv.h"
#include "sim/words/distribution.h"
#include "sim/words/setting.h"
#include "sim/words/source_text.h"

namespace windrow {

/// The text of a file that a scenario names (paths are relative to the scenario), or nothing if it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& name)>;

/// Files that a scenario has read, each once; in order of first use.
class InputFiles {
 public:
  explicit InputFiles(ReadFile read) : read_(std::move(read)) {}

  /// Throws ScenarioError at the setting that names it.
  std::shared_ptr<const SourceText> open(const std::string& name, const SettingBase& named_by);
  /// Null if it cannot be read.
  std::shared_ptr<const SourceText> find(const std::string& name);
  const std::vector<std::shared_ptr<const SourceText>>& opened() const { return opened_; }

 private:
  ReadFile read_{};
  std::vector<std::shared_ptr<const SourceText>> opened_{};
};

/// Reads one cell with `read`, which takes a Cursor; what it cannot read is a ScenarioError with the line.
double read_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column, const std::string& column_name,
                 const ReadQuantity& read);
/// The same for a point in time: a date, or a time since `start_us`.
Micros read_moment_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column,
                        const std::string& column_name, Micros start_us);
/// How far a clock is ahead of UTC: +02:00, in seconds.
Seconds read_offset_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column,
                         const std::string& column_name);
/// A token: a whole number of 64 bits.
Token read_token_cell(const CsvTable& table, const CsvTable::Row& row, std::size_t column,
                      const std::string& column_name);
/// A rate: 20/s, or a plain number of rows per second.
double read_rate_quantity(Cursor& cursor);

/// Fills a distribution of kind sample from its file; others stay as they are.
void load_sample(Distribution& distribution, const ReadQuantity& quantity, InputFiles& files,
                 const SettingBase& named_by);

}  // namespace windrow
