#include <array>

#include "sim/record/node_runs.h"
#include "sim/results/catalog.h"
#include "sim/text/csv.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::array<std::string_view, 25> sstable_columns = {
    "sstable",      "node",         "table",        "born",         "died",       "why_born",    "why_died",
    "parents",      "level",        "window",       "bytes",        "rows",       "partitions",  "oldest_write",
    "newest_write", "first_expiry", "last_expiry",  "droppable_at", "blocked_by", "frees_bytes", "holds_bytes",
    "goes_at",      "was_blocker",  "state_at_end", "readable_rows"};

/// Ids separated by spaces; the memtable by its name.
std::string ids_text(const std::vector<std::int64_t>& ids) {
  std::string text;
  for (const std::int64_t id : ids) {
    if (!text.empty()) text += ' ';
    if (id == memtable_id) {
      text += "memtable";
    } else {
      append_number(text, id);
    }
  }
  return text;
}

/// The same of inputs, which all outputs of a compaction have.
class ParentsText {
 public:
  std::string_view of(const SharedIds& parents) {
    if (!parents) return {};
    if (!last_ || *parents != *last_) {
      last_ = parents;
      text_ = ids_text(*parents);
    }
    return text_;
  }

 private:
  SharedIds last_{};
  std::string text_{};
};

/// "never" where rows without TTL keep it from coming.
void time_or_never(CsvFile& csv, Seconds at_s) {
  if (at_s == no_deletion_time) {
    csv.word("never");
  } else {
    csv.time_s(at_s);
  }
}

void write_lifeline(CsvFile& csv, const RunRecord& record, const TableRecord& table, const Lifeline& line,
                    ParentsText& parents) {
  csv.number(line.id).number(std::int64_t{record.identity.node}).text(table.name).time(line.born_us);
  csv.time_or_empty(line.died_us)
      .word(line.why_born)
      .word(line.why_died)
      .word(parents.of(line.parents))
      .number(std::int64_t{line.level});
  if (line.window_s) {
    csv.time_s(*line.window_s);
  } else {
    csv.empty();
  }
  csv.number(line.bytes)
      .number(line.rows)
      .number(line.partitions)
      .time(line.min_timestamp_us)
      .time(line.max_timestamp_us);
  time_or_never(csv, line.min_local_deletion_time_s);
  time_or_never(csv, line.max_local_deletion_time_s);
  time_or_never(csv, line.droppable_at_s());
  csv.word(ids_text(line.blocked_by)).number(line.frees_bytes).number(line.holds_bytes);
  if (line.goes_at_s) {
    time_or_never(csv, *line.goes_at_s);
  } else {
    csv.empty();
  }
  csv.word(line.blocker ? "yes" : "no").word(line.state(record.scenario->end_us));
  csv.number_or_empty(line.readable_rows).end_row();
}

}  // namespace

void write_sstables(const RunRecord& record, Sink& sink) {
  CsvFile csv(sink, "sstables.csv", sstable_columns);
  ParentsText parents;
  each_node_table(record, [&](const RunRecord& run, const TableRecord& table) {
    for (const Lifeline& line : table.lifelines) write_lifeline(csv, run, table, line, parents);
  });
  csv.close();
}

}  // namespace windrow
