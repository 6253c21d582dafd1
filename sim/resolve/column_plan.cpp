#include "sim/resolve/column_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/base/nearest.h"
#include "sim/resolve/column_forms.h"
#include "sim/resolve/column_values.h"
#include "sim/resolve/part_sizes.h"
#include "sim/stats/vint.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

using Rule = ColumnRule::Kind;

bool is_collection(const ColumnRule& rule) {
  return rule.kind == Rule::set || rule.kind == Rule::list || rule.kind == Rule::map;
}

CqlType::Kind collection_kind(const ColumnRule& rule) {
  if (rule.kind == Rule::set) return CqlType::Kind::set;
  return rule.kind == Rule::list ? CqlType::Kind::list : CqlType::Kind::map;
}

std::vector<std::string> names_of(std::span<const Column> columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return names;
}

void check_names(const StreamSection& stream, const Table& table) {
  const std::vector<std::string> names = names_of(table.columns);
  const auto check = [&](const std::string& name, const SettingBase& setting) {
    if (table.find_column(name) != nullptr) return;
    refuse(setting, fmt::format("speaks of a column `{}` that table {} does not have", name, table.name),
           fmt::format("{}", fmt::join(names, ", ")), std::string(nearest_name(name, names)));
  };
  for (const auto& [name, setting] : stream.column) check(name, setting);
  for (const std::string& name : stream.columns->names) check(name, stream.columns);
}

class Planner {
 public:
  Planner(const Named<StreamSection>& stream, const Table& table, const EntityList& entities, Micros at_us)
      : stream_(stream), table_(table), entities_(entities), at_us_(at_us) {}

  ColumnPlan run() {
    check_names(stream_.section, table_);
    plan_partition_key();
    plan_clustering();
    plan_.columns = plan_values(stream_, table_, entities_, at_us_);
    return std::move(plan_);
  }

 private:
  const Setting<Timed<ColumnRule>>* given(const Column& column) const {
    const auto found = stream_.section.column.find(column.name);
    return found == stream_.section.column.end() ? nullptr : &found->second;
  }
  const ColumnRule* rule_of(const Column& column) const {
    const auto* setting = given(column);
    return setting == nullptr ? nullptr : &(*setting)->at(at_us_);
  }

  [[noreturn]] void refuse_missing(const Column& column, const std::string& problem, const std::string& accepted,
                                   const std::string& line) const {
    throw ScenarioError({.place = stream_.place,
                         .key = fmt::format("stream.{}.column.{}", stream_.name, column.name),
                         .problem = problem,
                         .accepted = accepted,
                         .note = "add a line such as `" + line + "` to [stream." + stream_.name + "]"});
  }

  void check_fit(const Column& column, const ColumnRule& rule) const {
    const std::string wrong = misfit(column.type, rule, entities_);
    if (wrong.empty()) return;
    const auto* setting = given(column);
    if (setting != nullptr) refuse(*setting, "does not fit: " + wrong);
    throw ScenarioError(
        {.place = stream_.place,
         .key = fmt::format("stream.{}.column.{}", stream_.name, column.name),
         .problem = "cannot hold the entity: " + wrong,
         .accepted = "entities that are numbers, such as entities = 1000, or another column for the entity"});
  }

  /// An hour of the day says which hour only beside the day.
  void check_part(const Column& column, const ColumnRule& rule) const {
    const std::optional<Seconds> part_of_s = tells_part_of(column.type, rule);
    if (!part_of_s) return;
    const std::vector<ColumnRule> rules = partition_rules();
    const bool coarser = std::ranges::any_of(rules, [&](const ColumnRule& other) {
      const Seconds length_s = other.bucket.nominal_length_s();
      return other.kind == Rule::bucket && length_s > rule.bucket.nominal_length_s() && length_s <= *part_of_s;
    });
    if (coarser) return;
    refuse(*given(column),
           fmt::format("does not fit: {} has room for a part of the date, and no coarser bucket of the partition key "
                       "tells the rest",
                       with_article(column.type)),
           "a larger type, or a coarser bucket, such as a day beside an hour, in the partition key");
  }

  // The only key column that nothing is said about holds the entity.
  std::vector<ColumnRule> partition_rules() const {
    const auto key = table_.partition_key();
    std::vector<ColumnRule> rules(key.size());
    std::vector<const Column*> silent;
    bool entity = false;
    for (std::size_t i = 0; i < key.size(); ++i) {
      const ColumnRule* rule = rule_of(key[i]);
      if (rule == nullptr) {
        silent.push_back(&key[i]);
      } else {
        rules[i] = *rule;
        entity = entity || rule->kind == Rule::entity;
      }
    }
    for (const Column& column : table_.clustering()) {
      const ColumnRule* rule = rule_of(column);
      entity = entity || (rule != nullptr && rule->kind == Rule::entity);
    }
    if (silent.size() == 1 && !entity) {
      rules[static_cast<std::size_t>(silent.front() - key.data())] = {.kind = Rule::entity, .text = "entity"};
      silent.clear();
    }
    if (!silent.empty()) {
      refuse_missing(*silent.front(), "is part of the partition key, and nothing says what it holds",
                     "entity, a bucket such as day, shard(4), each(50), unique, 'a constant'",
                     fmt::format("column.{} = {}", silent.front()->name, entity ? "day" : "entity"));
    }
    return rules;
  }

  void plan_partition_key() {
    const auto key = table_.partition_key();
    const std::vector<ColumnRule> rules = partition_rules();
    bool entity = false;
    for (std::size_t i = 0; i < key.size(); ++i) {
      ColumnRule rule = rules[i];
      check_key_kind(key[i], rule);
      if (entities_.living_s() > 0) plan_short_life(key[i], rule);
      check_fit(key[i], rule);
      check_part(key[i], rule);
      plan_.partition_key.push_back({.column = key[i].name, .type = key[i].type, .rule = rule});
      entity = entity || rule.kind == Rule::entity;
      if (rule.kind == Rule::unique) plan_.unique_partitions = true;
      if (rule.kind == Rule::shard) plan_.shards = rule.count;
      if (rule.kind == Rule::each) plan_.each_in_key *= rule.count;
      const bool finer = rule.kind == Rule::bucket &&
                         (!plan_.bucket || rule.bucket.nominal_length_s() < plan_.bucket->bucket.nominal_length_s());
      if (finer) plan_.bucket = rule;
    }
    plan_.entities_share_partitions = !entity && !plan_.unique_partitions;
    if (entities_.living_s() > 0 && plan_.living_s == 0)
      refuse_short_life("needs a column of the partition key that holds them", "column.NAME = entity");
  }

  /// Of entities that live shortly, a name of its own for each.
  void plan_short_life(const Column& column, ColumnRule& rule) {
    const bool shared = rule.kind == Rule::shard || rule.kind == Rule::each || rule.kind == Rule::unique ||
                        rule.rolling > 0 || rule.fine_above_per_s > 0;
    if (shared)
      refuse(*given(column), "divides the partitions of entities that live shortly: each is one",
             "entity, a bucket such as day, 'a constant'");
    if (rule.kind != Rule::entity) return;
    rule.kind = Rule::unique;
    plan_.living_s = entities_.living_s();
  }

  [[noreturn]] void refuse_short_life(const std::string& problem, const std::string& accepted) const {
    if (stream_.section.entities.given()) refuse(stream_.section.entities, problem, accepted);
    throw ScenarioError({.place = stream_.place,
                         .key = fmt::format("stream.{}.entities", stream_.name),
                         .problem = problem,
                         .accepted = accepted});
  }

  void check_key_kind(const Column& column, const ColumnRule& rule) {
    const bool allowed = rule.kind == Rule::entity || rule.kind == Rule::bucket || rule.kind == Rule::shard ||
                         rule.kind == Rule::each || rule.kind == Rule::constant || rule.kind == Rule::unique;
    if (!allowed)
      refuse(*given(column), "is nothing that a partition-key column can hold",
             "entity, a bucket such as day, shard(4), each(50), unique, 'a constant'");
    if (rule.kind == Rule::shard && plan_.shards > 1)
      refuse(*given(column), "is a second one in the partition key", "one shard(n) in a key");
    const bool two_adaptive = rule.kind == Rule::bucket && plan_.bucket &&
                              (rule.rolling > 0 || rule.fine_above_per_s > 0 || plan_.bucket->rolling > 0 ||
                               plan_.bucket->fine_above_per_s > 0);
    if (two_adaptive)
      refuse(*given(column), "stands beside another bucket of the key",
             "one rolling or adaptive bucket, or several plain ones");
  }

  void plan_clustering() {
    const auto columns = table_.clustering();
    std::int64_t bytes = columns.empty() ? 0 : static_cast<std::int64_t>((columns.size() + 31) / 32);
    bool timed = std::ranges::any_of(columns, [&](const Column& column) {
      const ColumnRule* rule = rule_of(column);
      return rule != nullptr && rule->kind == Rule::time;
    });
    bool entity = !plan_.entities_share_partitions;
    bool differ_otherwise = false;
    for (const Column& column : columns) {
      const ColumnRule rule = clustering_rule(column, timed);
      check_fit(column, rule);
      check_part(column, rule);
      ClusteringSpec spec = clustering_spec(column, rule);
      timed = timed || spec.source == ClusteringSpec::Source::time;
      plan_.rows_differ = plan_.rows_differ || spec.source == ClusteringSpec::Source::time ||
                          (spec.source == ClusteringSpec::Source::unique && rule.kind != Rule::entity) ||
                          (rule.kind == Rule::start && stream_.section.per.present());
      if (is_coarse(column, rule)) {
        plan_.coarse_column = column.name;
        if (column.type.kind != CqlType::Kind::date)
          plan_.coarse_values = std::int64_t{1} << (8 * natural_bytes(column.type) - 1);
      } else {
        differ_otherwise = differ_otherwise || spec.source == ClusteringSpec::Source::time ||
                           (spec.source == ClusteringSpec::Source::unique && rule.kind != Rule::entity);
      }
      if (rule.kind == Rule::each) plan_.rows_per_event *= rule.count;
      if (rule.kind == Rule::entity) entity = true;
      bytes +=
          (spec.fixed_length ? 0 : unsigned_vint_size(static_cast<std::uint64_t>(spec.size_bytes))) + spec.size_bytes;
      plan_.clustering.push_back(std::move(spec));
    }
    const bool row_a_partition = plan_.unique_partitions && plan_.living_s == 0;
    plan_.rows_differ = plan_.rows_differ || row_a_partition;
    if (differ_otherwise || row_a_partition) plan_.coarse_column.clear();
    plan_.clustering_bytes = static_cast<int>(bytes);
    if (!entity && entities_.count() > 1) {
      throw ScenarioError({.place = stream_.place,
                           .key = fmt::format("stream.{}", stream_.name),
                           .problem = fmt::format("has {} entities, but no column of the primary key of {} holds them",
                                                  entities_.count(), table_.name),
                           .accepted = "column.NAME = entity for a key column",
                           .note = fmt::format("the key has {}", fmt::join(names_of(table_.partition_key()), ", "))});
    }
  }

  ColumnRule clustering_rule(const Column& column, bool timed) const {
    if (const ColumnRule* rule = rule_of(column)) {
      if (rule->kind == Rule::null || rule->append)
        refuse(*given(column), "is nothing that a clustering column can hold", accepted_in_clustering(column));
      if (is_collection(*rule) && column.type.kind != collection_kind(*rule))
        refuse(*given(column), fmt::format("does not fit: the column is {}", with_article(column.type)),
               accepted_in_clustering(column));
      return *rule;
    }
    const bool time_like = column.type.kind == CqlType::Kind::timestamp || column.type.kind == CqlType::Kind::timeuuid;
    if (time_like && !timed) return {.kind = Rule::time, .text = "time"};
    if (timed && natural_bytes(column.type) > 0) return {.kind = Rule::unique, .text = "unique"};
    refuse_missing(
        column,
        fmt::format("is a clustering column of type {}, and nothing says what it holds", column.type.to_string()),
        accepted_in_clustering(column), fmt::format("column.{} = {}", column.name, key_forms(column).front()));
  }

  /// A time that rows may share: days, or what a small number counts.
  static bool is_coarse(const Column& column, const ColumnRule& rule) {
    const CqlType::Kind type = column.type.kind;
    return rule.kind == Rule::time &&
           (type == CqlType::Kind::date || type == CqlType::Kind::smallint || type == CqlType::Kind::tinyint);
  }

  std::string accepted_in_clustering(const Column& column) const {
    std::vector<std::string> forms = key_forms(column);
    const auto add = [&](const char* form, const ColumnRule& rule) {
      if (misfit(column.type, rule, entities_).empty()) forms.emplace_back(form);
    };
    add("start", {.kind = Rule::start});
    add("entity", {.kind = Rule::entity});
    add("a bucket", {.kind = Rule::bucket});
    return fmt::format("{}", fmt::join(forms, ", "));
  }

  double sized_bytes(const Column& column, const ColumnRule& rule) const {
    if (rule.kind == Rule::size) return rule.bytes.mean_of_ranks(0, 1, 1);
    std::int64_t bytes = 0;
    const PartMisfit wrong = read_frozen_bytes(column.type, rule, bytes);
    if (!wrong.problem.empty()) refuse(*given(column), wrong.problem, wrong.accepted);
    return static_cast<double>(bytes);
  }

  ClusteringSpec clustering_spec(const Column& column, const ColumnRule& rule) const {
    using Source = ClusteringSpec::Source;
    ClusteringSpec spec{.column = column.name,
                        .source = Source::constant,
                        .fixed_length = column.type.fixed_length() >= 0,
                        .size_bytes = 0};
    if (rule.kind == Rule::time) spec.source = Source::time;
    if (rule.kind == Rule::start || rule.kind == Rule::bucket) spec.source = Source::start;
    if (rule.kind == Rule::each) spec.source = Source::each;
    const bool sized = rule.kind == Rule::size || rule.kind == Rule::udt || is_collection(rule);
    if (rule.kind == Rule::unique || rule.kind == Rule::entity || sized) spec.source = Source::unique;
    const double bytes = sized ? sized_bytes(column, rule)
                               : rule_bytes({.column = column.name, .type = column.type, .rule = rule}, entities_);
    spec.size_bytes = static_cast<std::int32_t>(std::llround(bytes));
    if (const std::int64_t natural = natural_bytes(column.type); natural >= 0)
      spec.size_bytes = static_cast<std::int32_t>(natural);
    return spec;
  }

  const Named<StreamSection>& stream_;
  const Table& table_;
  const EntityList& entities_;
  Micros at_us_ = 0;
  ColumnPlan plan_{};
};

}  // namespace

ColumnPlan plan_columns(const Named<StreamSection>& stream, const Table& table, const EntityList& entities,
                        Micros at_us) {
  return Planner(stream, table, entities, at_us).run();
}

ColumnPlan plan_at_rate(ColumnPlan plan, double rows_per_s, bool fine_bucket) {
  const auto is_fine = [&](const ColumnRule& rule) {
    return rule.fine_above_per_s > 0 && (rule.kind == Rule::shard ? rows_per_s > rule.fine_above_per_s : fine_bucket);
  };
  for (KeyPart& part : plan.partition_key) {
    if (!is_fine(part.rule)) continue;
    part.rule.bucket = part.rule.fine_bucket;
    if (part.rule.kind != Rule::shard) continue;
    part.rule.count = part.rule.fine_count;
    plan.shards = part.rule.fine_count;
  }
  if (plan.bucket && is_fine(*plan.bucket)) plan.bucket->bucket = plan.bucket->fine_bucket;
  return plan;
}

}  // namespace windrow
