#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/lint/catalog.h"
#include "sim/lint/subject.h"
#include "sim/size/key_roles.h"

namespace windrow {

namespace {

/// Columns that are the same for all writers at a moment.
bool is_common(const LintTable& table, const Column& column) {
  const auto common = [&](const Named<StreamSection>* stream) {
    const auto rule = stream->section.column.find(column.name);
    if (rule == stream->section.column.end()) return false;
    const ColumnRule::Kind kind = rule->second->parts.front().value.kind;
    return kind == ColumnRule::Kind::bucket || kind == ColumnRule::Kind::constant;
  };
  return std::ranges::all_of(table.streams, common);
}

void find_time_only_partition_key(const LintTable& table, const LintSubject& subject, Report& report) {
  const auto key = table.schema->partition_key();
  bool common = true;
  if (table.written()) {
    // Writers that share their partitions are one in the run.
    const auto many = [](const Named<StreamSection>* stream) {
      const Entities& entities = *stream->section.entities;
      return entities.count > 1 || entities.names.size() > 1 || entities.kind == Entities::Kind::file;
    };
    common = std::ranges::all_of(key, [&](const Column& column) { return is_common(table, column); }) &&
             (table.streams.size() > 1 || std::ranges::any_of(table.streams, many));
  } else {
    const std::vector<KeyRole> roles = partition_key_roles(*table.schema);
    common = std::ranges::all_of(roles, [](KeyRole role) { return role == KeyRole::time_bucket; }) &&
             !table.schema->clustering().empty();
  }
  if (!common || key.empty()) return;
  std::vector<std::string> names;
  for (const Column& column : key) names.push_back(column.name);
  const auto finest = time_bucket(table, subject);
  report.add(
      subject.places.column(*table.schema, key.front().name),
      fmt::format("the partition key is time alone: all that is written in one {} is one partition, on one set of "
                  "replicas",
                  finest ? finest->column : names.back()),
      fmt::format("PRIMARY KEY (({}, shard), …) or with the writer in the brackets", fmt::join(names, ", ")));
}

}  // namespace

const LintRule time_only_partition_key{
    .id = "time-only-partition-key",
    .severity = Severity::warning,
    .what = "one partition for all writers of a time",
    .why =
        "At any moment the whole load goes to the replicas of a single partition; more nodes make nothing faster, and "
        "the partition is as large as all writers together.",
    .fix = "The writer, or a shard, into the partition key beside the time.",
    .seen =
        "every column of the partition key is a time bucket (or a constant), and there is more than one writer or, in "
        "a "
        "schema alone, a clustering column.",
    .find = find_time_only_partition_key};

}  // namespace windrow
