#include "sim/size/question_values.h"

#include <fmt/format.h>

#include "sim/size/matrix.h"

namespace windrow {

std::string named_bucket(Seconds length_s) {
  if (length_s == 0) return "day";
  if (length_s > 100 * seconds_per_day) return "year";
  if (length_s > 20 * seconds_per_day) return "month";
  return fmt::format("{}s", length_s);
}

ColumnRule read_rule(const std::string& column, const std::string& text) {
  ColumnRule rule;
  try {
    Cursor cursor(text);
    read_value(cursor, rule);
    cursor.expect_done(accepted_column_rules);
  } catch (const ValueError& error) {
    throw SizeError(fmt::format("--column {}={}: {}; accepts {}", column, text, error.what(),
                                error.accepted().empty() ? accepted_column_rules : error.accepted()));
  }
  return rule;
}

BucketName read_bucket(const std::string& text) {
  try {
    Cursor cursor(text);
    ColumnRule rule;
    read_value(cursor, rule);
    cursor.expect_done({});
    if (rule.kind != ColumnRule::Kind::bucket || rule.rolling > 0) throw ValueError(0, 0, "is no time bucket");
    return rule.bucket;
  } catch (const ValueError& error) {
    throw SizeError(fmt::format("--bucket {}: {}; accepts minute, 10min, hour, day, week, month, year, any time", text,
                                error.what()));
  }
}

}  // namespace windrow
