#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_null_written(const LintTable& table, const LintSubject&, Report& report) {
  for (const Named<StreamSection>* stream : table.streams) {
    for (const auto& [name, rule] : stream->section.column) {
      const ColumnRule& first = rule->parts.front().value;
      const bool collection = first.kind == ColumnRule::Kind::set || first.kind == ColumnRule::Kind::list ||
                              first.kind == ColumnRule::Kind::map;
      const bool empty = collection && first.elements == 0;
      if (first.kind != ColumnRule::Kind::null && !empty) continue;
      report.add(rule.place(), fmt::format("each row writes a tombstone into {}, where there never was anything", name),
                 fmt::format("columns = … without {}: what is not bound is not written", name));
    }
  }
}

}  // namespace

const LintRule null_written{.id = "null-written",
                            .severity = Severity::warning,
                            .what = "nulls or empty collections are written",
                            .why =
                                "A null that is bound, and an empty collection, is a delete: a tombstone a row, which "
                                "reads count and compaction "
                                "keeps for gc_grace. The column looks the same when it is left out.",
                            .fix = "Leave the column out of the INSERT, or bind it as unset.",
                            .seen = "a stream writes a column as `null`, or a collection of no elements.",
                            .find = find_null_written};

}  // namespace windrow
