#include "sim/resolve/column_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

using Rule = ColumnRule::Kind;
constexpr int deck_cards = 127;

bool is_collection_rule(const ColumnRule& rule) {
  return rule.kind == Rule::set || rule.kind == Rule::list || rule.kind == Rule::map;
}

// Bytes of a frozen collection: a count, and a length before every element.
Distribution frozen_bytes(const ColumnRule& rule) {
  const auto elements = static_cast<double>(rule.elements.elements);
  const Distribution& key = rule.elements.key;
  const Distribution& value = rule.elements.value;
  double bytes = 4;
  if (rule.kind != Rule::list) bytes += elements * (4 + key.mean_of_ranks(0, 1, 1));
  if (rule.kind != Rule::set) bytes += elements * (4 + value.mean_of_ranks(0, 1, 1));
  return {.first = bytes};
}

class ValuePlanner {
 public:
  ValuePlanner(const Named<StreamSection>& stream, const EntityList& entities, Micros at_us)
      : stream_(stream), entities_(entities), at_us_(at_us) {}

  ColumnValue plan(const Column& column, int position) const {
    ColumnValue value{.column = column.name,
                      .position = position,
                      .is_static = column.kind == Column::Kind::static_,
                      .fixed_length = column.type.fixed_length() >= 0};
    const auto setting = stream_.section.column.find(column.name);
    if (setting == stream_.section.column.end()) {
      plan_default(column, value);
    } else {
      plan_rule(column, setting->second, value);
    }
    return value;
  }

 private:
  void plan_default(const Column& column, ColumnValue& value) const {
    if (column.type.is_multi_cell() && !column.type.is_collection() && plan_fields(column.type, value)) return;
    const std::int64_t natural = natural_bytes(column.type);
    if (natural < 0 || column.type.is_multi_cell()) refuse_unsized(column);
    value.sizes_bytes = {static_cast<std::int32_t>(natural)};
  }

  // A user type that is not frozen: one cell per field, all of them set.
  static bool plan_fields(const CqlType& type, ColumnValue& value) {
    std::vector<std::int32_t> sizes;
    for (const CqlType& field : type.arguments) {
      const std::int64_t bytes = natural_bytes(field);
      if (bytes < 0) return false;
      sizes.push_back(static_cast<std::int32_t>(bytes));
    }
    std::ranges::sort(sizes);
    value.collection = true;
    value.elements = static_cast<int>(sizes.size());
    value.element_key_sizes_bytes = {2};
    value.sizes_bytes = std::move(sizes);
    return true;
  }

  void plan_rule(const Column& column, const Setting<Timed<ColumnRule>>& setting, ColumnValue& value) const {
    const ColumnRule& rule = setting->at(at_us_);
    if (rule.kind == Rule::null) {
      value.null = true;
      value.collection = column.type.is_multi_cell();  // no elements: what was there is deleted
      return;
    }
    if (is_collection_rule(rule)) {
      plan_collection(column, setting, rule, value);
      return;
    }
    if (rule.kind == Rule::size) {
      plan_size(column, setting, rule, value);
      return;
    }
    const std::string wrong = misfit(column.type, rule, entities_);
    if (!wrong.empty()) refuse(setting, "does not fit: " + wrong);
    const std::int64_t natural = natural_bytes(column.type);
    const double bytes = natural >= 0
                             ? static_cast<double>(natural)
                             : rule_bytes({.column = column.name, .type = column.type, .rule = rule}, entities_);
    value.sizes_bytes = {static_cast<std::int32_t>(std::llround(bytes))};
  }

  void plan_size(const Column& column, const Setting<Timed<ColumnRule>>& setting, const ColumnRule& rule,
                 ColumnValue& value) const {
    const std::int64_t natural = natural_bytes(column.type);
    const bool other_size = natural >= 0 && (rule.bytes.varies() || std::llround(rule.bytes.first) != natural);
    if (other_size)
      refuse(setting, fmt::format("is another size than the {} bytes of a {}", natural, column.type.to_string()),
             "leave the line out: columns of a fixed size are full");
    if (column.type.is_multi_cell()) {
      refuse(setting, fmt::format("is one size for a {} of several cells", column.type.to_string()),
             "set(5, text(10)), list(5, text(10)) or map(5, text(8), text(20))");
    }
    value.sizes_bytes = deck_of(rule.bytes, deck_cards);
  }

  void plan_collection(const Column& column, const Setting<Timed<ColumnRule>>& setting, const ColumnRule& rule,
                       ColumnValue& value) const {
    using Kind = CqlType::Kind;
    const Kind wanted = rule.kind == Rule::set ? Kind::set : rule.kind == Rule::list ? Kind::list : Kind::map;
    if (column.type.kind != wanted)
      refuse(setting,
             fmt::format("is a {}, but the column is a {}",
                         rule.kind == Rule::set    ? "set"
                         : rule.kind == Rule::list ? "list"
                                                   : "map",
                         column.type.to_string()),
             "what the column's type is");
    if (!column.type.is_multi_cell()) {
      if (rule.append)
        refuse(setting, fmt::format("appends to a {}, which is written whole", column.type.to_string()),
               "the collection without `append`, or a type that is not frozen");
      value.sizes_bytes = deck_of(frozen_bytes(rule), deck_cards);
      return;
    }
    value.collection = true;
    value.append = rule.append;
    value.elements = static_cast<int>(rule.elements.elements);
    value.element_key_sizes_bytes = deck_of(rule.elements.key, deck_cards);
    value.sizes_bytes =
        rule.kind == Rule::set ? std::vector<std::int32_t>{0} : deck_of(rule.elements.value, deck_cards);
  }

  [[noreturn]] void refuse_unsized(const Column& column) const {
    const std::string type = column.type.to_string();
    std::string form = "text(20)";
    if (column.type.kind == CqlType::Kind::blob) form = "blob(100)";
    if (column.type.kind == CqlType::Kind::set) form = "set(5, text(10))";
    if (column.type.kind == CqlType::Kind::list) form = "list(5, text(10))";
    if (column.type.kind == CqlType::Kind::map) form = "map(5, text(8), text(20))";
    throw ScenarioError(
        {.place = stream_.place,
         .key = fmt::format("stream.{}.column.{}", stream_.name, column.name),
         .problem = fmt::format("is a {}, and nothing says how large its values are", type),
         .accepted =
             "a size in bytes or a distribution of sizes, such as text(20), text(lognormal(90, 280)), blob(1KiB)",
         .note = fmt::format("add a line such as `column.{} = {}` to [stream.{}]", column.name, form, stream_.name)});
  }

  const Named<StreamSection>& stream_;
  const EntityList& entities_;
  Micros at_us_ = 0;
};

}  // namespace

std::vector<ColumnValue> plan_values(const Named<StreamSection>& stream, const Table& table, const EntityList& entities,
                                     Micros at_us) {
  const ValuePlanner planner(stream, entities, at_us);
  const Setting<NameList>& chosen = stream.section.columns;
  std::vector<ColumnValue> values;
  const auto add = [&](std::span<const Column> columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool written =
          !chosen.present() || std::ranges::find(chosen->names, columns[i].name) != chosen->names.end();
      const auto said = stream.section.column.find(columns[i].name);
      if (!written && said != stream.section.column.end() && said->second.given())
        refuse(said->second, "is not written: it is not among `columns`", "a column of `columns`");
      if (written) values.push_back(planner.plan(columns[i], static_cast<int>(i)));
    }
  };
  if (stream.section.op->kind == WriteOp::remove) return values;
  add(table.static_columns());
  add(table.regular_columns());
  return values;
}

}  // namespace windrow
