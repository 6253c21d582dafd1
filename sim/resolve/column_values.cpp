#include "sim/resolve/column_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sim/resolve/column_forms.h"
#include "sim/resolve/part_sizes.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

using Rule = ColumnRule::Kind;
constexpr int deck_cards = 127;

bool is_collection_rule(const ColumnRule& rule) {
  return rule.kind == Rule::set || rule.kind == Rule::list || rule.kind == Rule::map;
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
      if (!of_the_row(column)) plan_default(column, value);
    } else {
      plan_rule(column, setting->second, value);
    }
    return value;
  }

  /// True of a column whose size only `row` says.
  bool of_the_row(const Column& column) const {
    return stream_.section.row.present() && column.kind == Column::Kind::regular &&
           !stream_.section.column.contains(column.name) && natural_bytes(column.type) < 0 &&
           !column.type.is_multi_cell();
  }

 private:
  void plan_default(const Column& column, ColumnValue& value) const {
    FieldSizes fields;
    if (column.type.is_multi_cell() && read_field_sizes(column.type, {}, fields).problem.empty()) {
      take_fields(column.type, fields, value);
      return;
    }
    const std::int64_t natural = natural_bytes(column.type);
    if (natural < 0 || column.type.is_multi_cell()) refuse_unsized(column);
    value.sizes_bytes = {static_cast<std::int32_t>(natural)};
  }

  // A user type that is not frozen has a cell for each field that is set.
  static void take_fields(const CqlType& type, const FieldSizes& fields, ColumnValue& value) {
    if (!type.is_multi_cell()) {
      value.sizes_bytes = {static_cast<std::int32_t>(fields.frozen_bytes())};
      return;
    }
    value.collection = true;
    value.null = fields.set.empty();
    value.elements = static_cast<int>(fields.set.size());
    value.element_key_sizes_bytes = {2};
    value.sizes_bytes = fields.set;
    std::ranges::sort(value.sizes_bytes);
  }

  static void plan_fields_of_sizes(const Column& column, const Setting<Timed<ColumnRule>>& setting,
                                   const ColumnRule& rule, ColumnValue& value) {
    FieldSizes fields;
    const PartMisfit wrong = read_field_sizes(column.type, rule.parts, fields);
    if (!wrong.problem.empty()) refuse(setting, wrong.problem, wrong.accepted);
    take_fields(column.type, fields, value);
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
    if (rule.kind == Rule::udt) {
      plan_fields_of_sizes(column, setting, rule, value);
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
      refuse(setting, fmt::format("is another size than the {} bytes of {}", natural, with_article(column.type)),
             "leave the line out: columns of a fixed size are full");
    if (column.type.is_multi_cell()) {
      refuse(setting, fmt::format("is one size for a column of several cells, of type {}", column.type.to_string()),
             "such as " + example_value(column.type));
    }
    value.sizes_bytes = deck_of(rule.bytes, deck_cards);
  }

  void plan_collection(const Column& column, const Setting<Timed<ColumnRule>>& setting, const ColumnRule& rule,
                       ColumnValue& value) const {
    ElementSizes sizes;
    const PartMisfit wrong = read_element_sizes(column.type, rule, sizes);
    if (!wrong.problem.empty()) refuse(setting, wrong.problem, wrong.accepted);
    if (!column.type.is_multi_cell()) {
      if (rule.append)
        refuse(setting, fmt::format("appends to {}, which is written whole", with_article(column.type)),
               "the collection without `append`, or a type that is not frozen");
      std::int64_t bytes = 0;
      read_frozen_bytes(column.type, rule, bytes);
      value.sizes_bytes = {static_cast<std::int32_t>(bytes)};
      return;
    }
    value.collection = true;
    value.null = rule.elements == 0;  // of no elements: what was there is deleted
    value.append = rule.append;
    value.elements = static_cast<int>(rule.elements);
    value.element_key_sizes_bytes = deck_of(sizes.path, deck_cards);
    value.sizes_bytes = deck_of(sizes.value, deck_cards);
  }

  [[noreturn]] void refuse_unsized(const Column& column) const {
    throw ScenarioError(
        {.place = stream_.place,
         .key = fmt::format("stream.{}.column.{}", stream_.name, column.name),
         .problem = fmt::format("is {}, and nothing says how large its values are", with_article(column.type)),
         .accepted =
             "a size in bytes or a distribution of sizes, such as text(20), text(lognormal(90, 280)), blob(1KiB); or "
             "row = 100B for all columns together",
         .note = fmt::format("add a line such as `column.{} = {}` to [stream.{}]", column.name,
                             example_value(column.type), stream_.name)});
  }

  const Named<StreamSection>& stream_;
  const EntityList& entities_;
  Micros at_us_ = 0;
};

double value_bytes(const ColumnValue& value) {
  if (value.null) return 0;
  return value.mean_bytes() * (value.collection ? value.elements : 1);
}

/// What the row has beyond values of known size, evenly; `open` of `values` have it.
void share_out_row(const Setting<Size>& row, const std::vector<std::size_t>& open, std::vector<ColumnValue>& values) {
  double known = 0;
  for (const ColumnValue& value : values) known += value.is_static ? 0 : value_bytes(value);
  const auto rest = static_cast<std::int64_t>(row->bytes - std::llround(known));
  if (open.empty())
    refuse(row,
           fmt::format("has nothing to size: all columns are of known size, {} bytes together", std::llround(known)),
           "no such line, or columns of text or blob of which nothing is said");
  if (rest < 0)
    refuse(row, fmt::format("is less than its columns of known size, {} bytes together", std::llround(known)),
           fmt::format("at least {}B", std::llround(known)));
  const auto columns = static_cast<std::int64_t>(open.size());
  for (std::int64_t i = 0; i < columns; ++i)
    values[open[static_cast<std::size_t>(i)]].sizes_bytes = {
        static_cast<std::int32_t>(rest / columns + (i < rest % columns ? 1 : 0))};
}

}  // namespace

std::vector<ColumnValue> plan_values(const Named<StreamSection>& stream, const Table& table, const EntityList& entities,
                                     Micros at_us) {
  const ValuePlanner planner(stream, entities, at_us);
  const Setting<NameList>& chosen = stream.section.columns;
  std::vector<ColumnValue> values;
  std::vector<std::size_t> open;  // their size is a part of `row`
  const auto add = [&](std::span<const Column> columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool written =
          !chosen.present() || std::ranges::find(chosen->names, columns[i].name) != chosen->names.end();
      const auto said = stream.section.column.find(columns[i].name);
      if (!written && said != stream.section.column.end() && said->second.given())
        refuse(said->second, "is not written: it is not among `columns`", "a column of `columns`");
      if (!written) continue;
      if (planner.of_the_row(columns[i])) open.push_back(values.size());
      values.push_back(planner.plan(columns[i], static_cast<int>(i)));
    }
  };
  if (stream.section.op->kind == WriteOp::remove) return values;
  add(table.static_columns());
  if (stream.section.statics.present() && values.empty())
    refuse(stream.section.statics, "speaks of static columns, and the stream writes none",
           "no such line, or columns of a table that has static ones");
  add(table.regular_columns());
  if (stream.section.row.present()) share_out_row(stream.section.row, open, values);
  return values;
}

}  // namespace windrow
