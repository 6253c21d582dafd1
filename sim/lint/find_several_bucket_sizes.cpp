#include <fmt/format.h>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"

namespace windrow {

namespace {

void find_several_bucket_sizes(const LintTable& table, const LintSubject&, Report& report) {
  for (const Named<StreamSection>* stream : table.streams) {
    for (const auto& [name, rule] : stream->section.column) {
      const Column* column = table.schema->find_column(name);
      if (column == nullptr || column->kind != Column::Kind::partition_key) continue;
      const ColumnRule& first = rule->parts.front().value;
      if (first.kind == ColumnRule::Kind::bucket && first.fine_above_per_s > 0) {
        report.add(
            rule.place(),
            fmt::format("some entities have {} buckets and others {}: a reader has to know which, and since when",
                        first.bucket.text, first.fine_bucket.text));
        continue;
      }
      for (const auto& part : rule->parts) {
        if (part.value.kind != ColumnRule::Kind::bucket || part.value.bucket.text == first.bucket.text) continue;
        report.add(rule.place(), fmt::format("the bucket changes from {} to {}: reads across the change ask for both",
                                             first.bucket.text, part.value.bucket.text));
        break;
      }
    }
  }
}

}  // namespace

const LintRule several_bucket_sizes{.id = "several-bucket-sizes",
                                    .severity = Severity::warning,
                                    .what = "an entity's rows lie in buckets of several sizes",
                                    .why =
                                        "A reader that asks for the wrong size finds nothing, without an error. "
                                        "Entities that cross the border have their rows in both.",
                                    .fix =
                                        "Write down in a table which entity has which bucket since when, and read it "
                                        "first; or one size for all, with shards for the few.",
                                    .seen = "a stream's bucket is adaptive, or changes with `then`.",
                                    .find = find_several_bucket_sizes};

}  // namespace windrow
