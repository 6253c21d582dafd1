#include "sim/size/matrix_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/text/text.h"

namespace windrow {

namespace {

using Row = std::vector<std::string>;

std::string grouped_number(double value) {
  std::string text = fmt::format("{:.0f}", value);
  for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3)
    text.insert(static_cast<std::size_t>(place), ",");
  return text;
}
std::string grouped_number(std::int64_t value) { return grouped_number(static_cast<double>(value)); }

std::string_view word_of(const SizeCell& cell) { return cell.too_long ? "too long" : verdict_name(cell.verdict); }

std::string verdict_text(const SizeCell& cell) {
  return cell.reason.empty() ? std::string(word_of(cell)) : fmt::format("{}, {}", word_of(cell), cell.reason);
}

bool compressed(const SizeMatrix& matrix) { return matrix.compression_ratio > 0; }

std::vector<Row> table_of(const SizeMatrix& matrix) {
  std::vector<Row> rows{
      {"rate", "bucket", "shards", "rows", "cells", "median", "p99", "max", "partitions/year", "verdict"}};
  if (compressed(matrix)) rows.front().insert(rows.front().begin() + 8, "max on disk");
  for (const SizeCell& cell : matrix.cells) {
    const Spread& bytes = cell.size.partition_bytes;
    const auto shown = [](std::int64_t value) { return human_bytes(static_cast<double>(value)); };
    rows.push_back({cell.rate, cell.bucket, fmt::format("{}", cell.shards),
                    grouped_number(cell.size.partition_rows.max), grouped_number(cell.size.partition_cells.max),
                    shown(bytes.p50), shown(bytes.p99), shown(bytes.max), grouped_number(cell.size.partitions_per_year),
                    verdict_text(cell)});
    if (compressed(matrix)) {
      const double on_disk = static_cast<double>(bytes.max) * matrix.compression_ratio;
      rows.back().insert(rows.back().begin() + 8, human_bytes(on_disk));
    }
  }
  return rows;
}

bool is_left(const SizeMatrix& matrix, std::size_t column) {
  return column < 2 || column == (compressed(matrix) ? 10U : 9U);
}

std::string limits_text(const PartitionLimits& limits) {
  std::string text = fmt::format("{} to {}", human_bytes(static_cast<double>(limits.bytes_min)),
                                 human_bytes(static_cast<double>(limits.bytes_max)));
  if (limits.rows_max > 0) text += ", " + number_of(limits.rows_max, "row");
  if (limits.cells_max > 0) text += ", " + number_of(limits.cells_max, "cell");
  return text;
}

std::string heading(const SizeMatrix& matrix) {
  return fmt::format(
      "{}: {:.1f} bytes a row in format {}, everything included, before compression; a partition should have {}",
      matrix.table, matrix.bytes_per_row, matrix.format, limits_text(matrix.limits));
}

std::string advice_text(const SizeAdvice& advice) {
  const std::string choice =
      advice.shards > 1 ? fmt::format("{} in {} shards", advice.bucket, advice.shards) : advice.bucket;
  return fmt::format("{}: {} ({})", advice.rate, choice, advice.why);
}

nlohmann::ordered_json spread_json(const Spread& spread) {
  return {{"p50", spread.p50}, {"p99", spread.p99}, {"max", spread.max}};
}

}  // namespace

std::string matrix_as_text(const SizeMatrix& matrix) {
  const std::vector<Row> rows = table_of(matrix);
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = heading(matrix) + "\n\n";
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 ? "" : "  ";
      line += is_left(matrix, i) ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("{:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += "\ntake\n";
  for (const SizeAdvice& advice : matrix.advice) text += "  " + advice_text(advice) + "\n";
  for (const std::string& note : matrix.notes) text += "note: " + note + "\n";
  if (!compressed(matrix))
    text += "note: compression makes files smaller, not partitions; --compression-ratio 0.3 adds what is on disk\n";
  return text;
}

std::string matrix_as_markdown(const SizeMatrix& matrix) {
  const std::vector<Row> rows = table_of(matrix);
  std::string text = heading(matrix) + "\n\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const std::string& cell : rows[r]) text += "| " + cell + " ";
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t i = 0; i < rows[r].size(); ++i) text += is_left(matrix, i) ? "|---" : "|---:";
    text += "|\n";
  }
  text += "\n";
  for (const SizeAdvice& advice : matrix.advice) text += "- " + advice_text(advice) + "\n";
  for (const std::string& note : matrix.notes) text += "- note: " + note + "\n";
  return text;
}

std::string matrix_as_csv(const SizeMatrix& matrix) {
  std::string text =
      "rate,bucket,shards,rows_max,cells_max,partition_bytes_p50,partition_bytes_p99,partition_bytes_max,on_disk_bytes_"
      "max,"
      "partitions_per_year,verdict\n";
  for (const SizeCell& cell : matrix.cells) {
    const Spread& bytes = cell.size.partition_bytes;
    const std::string rate = cell.rate.find(',') == std::string::npos ? cell.rate : "\"" + cell.rate + "\"";
    const double ratio = compressed(matrix) ? matrix.compression_ratio : 1;
    text += fmt::format("{},{},{},{},{},{},{},{},{:.0f},{:.0f},{}\n", rate, cell.bucket, cell.shards,
                        cell.size.partition_rows.max, cell.size.partition_cells.max, bytes.p50, bytes.p99, bytes.max,
                        static_cast<double>(bytes.max) * ratio, cell.size.partitions_per_year, word_of(cell));
  }
  return text;
}

std::string matrix_as_json(const SizeMatrix& matrix) {
  nlohmann::ordered_json json;
  json["table"] = matrix.table;
  json["format"] = matrix.format;
  json["bytes_per_row"] = matrix.bytes_per_row;
  json["limits"] = {{"partition_bytes_min", matrix.limits.bytes_min},
                    {"partition_bytes_max", matrix.limits.bytes_max},
                    {"partition_rows_max", matrix.limits.rows_max},
                    {"partition_cells_max", matrix.limits.cells_max}};
  if (compressed(matrix)) json["compression_ratio"] = matrix.compression_ratio;
  json["notes"] = matrix.notes;
  json["cells"] = nlohmann::ordered_json::array();
  for (const SizeCell& cell : matrix.cells) {
    nlohmann::ordered_json one = {{"rate", cell.rate}, {"bucket", cell.bucket}, {"shards", cell.shards}};
    one["rows"] = spread_json(cell.size.partition_rows);
    one["cells"] = spread_json(cell.size.partition_cells);
    one["partition_bytes"] = spread_json(cell.size.partition_bytes);
    if (compressed(matrix))
      one["on_disk_bytes_max"] =
          std::llround(static_cast<double>(cell.size.partition_bytes.max) * matrix.compression_ratio);
    one["bucket_bytes"] = cell.size.bytes;
    one["bucket_rows"] = cell.size.rows;
    one["partitions_per_year"] = cell.size.partitions_per_year;
    one["exact"] = cell.size.exact;
    one["verdict"] = word_of(cell);
    if (!cell.reason.empty()) one["reason"] = cell.reason;
    json["cells"].push_back(std::move(one));
  }
  json["advice"] = nlohmann::ordered_json::array();
  for (const SizeAdvice& advice : matrix.advice) {
    json["advice"].push_back({{"rate", advice.rate},
                              {"bucket", advice.bucket},
                              {"shards", advice.shards},
                              {"fits", advice.fits},
                              {"why", advice.why}});
  }
  return json.dump(2) + "\n";
}

}  // namespace windrow
