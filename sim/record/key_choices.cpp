#include "sim/record/key_choices.h"

#include <algorithm>
#include <array>

#include "sim/record/run_record.h"
#include "sim/text/csv.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 11> size_columns = {"table",
                                                           "bucket",
                                                           "bucket_length_s",
                                                           "shards",
                                                           "own",
                                                           "partition_p50_bytes",
                                                           "partition_p99_bytes",
                                                           "partition_max_bytes",
                                                           "partition_max_rows",
                                                           "partitions_per_year",
                                                           "verdict"};

}  // namespace

const KeyChoice* KeyChoices::own() const {
  const auto found = std::ranges::find(cells, true, &KeyChoice::own);
  return found == cells.end() ? nullptr : &*found;
}

const KeyChoice* KeyChoices::fewest_partitions() const {
  const KeyChoice* best = nullptr;
  const auto number = [](const KeyChoice& choice) { return std::pair(choice.partitions_per_year, choice.shards); };
  for (const KeyChoice& choice : cells) {
    if (choice.verdict == KeyChoice::Verdict::too_big) continue;
    if (best == nullptr || number(choice) < number(*best)) best = &choice;
  }
  return best;
}

std::string_view verdict_name(KeyChoice::Verdict verdict) {
  switch (verdict) {
    case KeyChoice::Verdict::fits:
      return "fits";
    case KeyChoice::Verdict::too_big:
      return "too big";
    case KeyChoice::Verdict::too_small:
      return "too small";
  }
  return "";
}

void write_key_choices(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "sizes.csv", size_columns);
  for (const TableRecord& table : record.tables) {
    for (const KeyChoice& choice : table.key_choices.cells) {
      csv.text(table.name).text(choice.bucket).number(choice.bucket_length_s).number(choice.shards);
      csv.word(choice.own ? "yes" : "no").number(choice.partition_bytes_p50).number(choice.partition_bytes_p99);
      csv.number(choice.partition_bytes_max).number(choice.partition_rows_max).number(choice.partitions_per_year);
      csv.word(verdict_name(choice.verdict)).end_row();
    }
  }
  csv.close();
}

}  // namespace windrow
