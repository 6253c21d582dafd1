#include "sim/resolve/stream_writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/arithmetic.h"
#include "sim/resolve/adaptive_choice.h"
#include "sim/resolve/column_plan.h"
#include "sim/resolve/shares_of_rows.h"
#include "sim/scenario/open_partitions.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

constexpr std::int64_t most_partitions = 1'000'000'000;
const BucketRule own_second = BucketRule::every(1);    // of a write that is a partition of its own
constexpr std::size_t most_changes_of_bucket = 2'000;  // of a stream: each is a writer of its own

class WriterMaker {
 public:
  explicit WriterMaker(const StreamParts& parts) : parts_(parts), section_(parts.stream.section) {
    from_us_ = section_.from.present() ? section_.from->us : parts.start_us;
    until_us_ = std::min(parts.end_us, section_.until.present() ? section_.until->us : parts.end_us);
    find_cuts();
    plan_between_borders();
    if (cut_around_open_buckets()) plan_between_borders();
    check_op();
    check_short_life();
    check_clock();
    check_partitions();
  }

  std::vector<WriterSpec> run() {
    std::vector<EntityClass> classes = parts_.fleet.classes;
    if (plans_.front().entities_share_partitions) classes = {together(classes)};
    for (const EntityClass& each : classes) add_class(each);
    if (section_.backfill.present()) {
      for (const EntityClass& each : classes) add_backfill(each, classes);
    }
    if (section_.op->kind == WriteOp::overwrite) share_out_keys();
    return std::move(writers_);
  }

 private:
  // Times at which bucket, shards, sizes or TTL change: a writer ends there and another goes on.
  void find_cuts() {
    std::vector<Micros> cuts;
    const auto add = [&](const auto& timed) {
      for (const auto& part : timed.parts) {
        if (part.from_us && *part.from_us > from_us_ && *part.from_us < until_us_) cuts.push_back(*part.from_us);
      }
    };
    for (const auto& [name, rule] : section_.column) add(*rule);
    add(*section_.ttl);
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    borders_ = {from_us_};
    borders_.insert(borders_.end(), cuts.begin(), cuts.end());
    borders_.push_back(std::max(until_us_, from_us_));
  }

  void plan_between_borders() {
    plans_.clear();
    for (std::size_t i = 0; i + 1 < borders_.size(); ++i)
      plans_.push_back(plan_columns(parts_.stream, parts_.table, *parts_.fleet.list, borders_[i]));
  }

  // A bucket that a change finds open is a writer of its own before the change and after it: they share its partitions.
  bool cut_around_open_buckets() {
    std::vector<Micros> all = borders_;
    const auto add = [&](const BucketRule& rule, Micros at_us) {
      const OpenBucket open = bucket_open_at(rule, at_us);
      if (open.begin_us == at_us) return;
      for (const Micros border_us : {open.begin_us, open.end_us}) {
        if (border_us > borders_.front() && border_us < borders_.back()) all.push_back(border_us);
      }
    };
    for (std::size_t i = 1; i + 1 < borders_.size(); ++i) {
      const std::optional<ColumnRule>& bucket = plans_[i].bucket;
      if (!bucket || bucket->rolling > 0) continue;
      add(bucket->bucket.rule().by(parts_.clock), borders_[i]);
      if (bucket->fine_above_per_s > 0) add(bucket->fine_bucket.rule().by(parts_.clock), borders_[i]);
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const bool more = all.size() > borders_.size();
    borders_ = std::move(all);
    return more;
  }

  // All entities as one: they write into the same partitions.
  static EntityClass together(const std::vector<EntityClass>& classes) {
    EntityClass all{.first = 0, .entities = 1, .single = false, .parts = {}};
    for (std::size_t i = 0; i < classes.front().parts.size(); ++i) {
      double sum = 0;
      for (const EntityClass& each : classes) sum += static_cast<double>(each.entities) * each.parts[i].rows_per_s;
      all.parts.push_back({.from_us = classes.front().parts[i].from_us, .exact = std::nullopt, .rows_per_s = sum});
      const EntityClass::Part& part = classes.front().parts[i];
      const bool exact = classes.size() == 1 && part.exact &&
                         static_cast<double>(classes.front().entities) * static_cast<double>(part.exact->rows) < 1e15;
      if (exact)
        all.parts.back().exact =
            Rate{.rows = part.exact->rows * classes.front().entities, .period_us = part.exact->period_us};
    }
    return all;
  }

  std::vector<RateStretch> stretches(const EntityClass& each, std::int64_t entities) const {
    auto made =
        make_stretches(each, static_cast<double>(entities), parts_.pace, from_us_, until_us_, parts_.stretches_left);
    if (!made) {
      throw ScenarioError({.place = parts_.stream.place,
                           .key = "stream." + parts_.stream.name,
                           .problem = "changes its rate too often for a run of this length",
                           .accepted = fmt::format("at most {} changes: a shorter run, fewer bursts, or a flat shape",
                                                   most_stretches)});
    }
    parts_.stretches_left -= made->size();
    return std::move(*made);
  }

  void add_class(const EntityClass& each) {
    const std::vector<RateStretch> all = stretches(each, each.entities * plans_.front().each_in_key);
    for (std::size_t i = 0; i + 1 < borders_.size(); ++i) {
      const std::vector<AdaptiveChoice> choices = choices_between(each, all, i);
      for (std::size_t c = 0; c < choices.size(); ++c) {
        const Micros until_us = c + 1 < choices.size() ? choices[c + 1].from_us : borders_[i + 1];
        const bool whole = borders_.size() == 2 && choices.size() == 1;
        const auto after = std::ranges::upper_bound(all, choices[c].from_us, {}, &RateStretch::from_us);
        const Micros since_us = after == all.begin() ? from_us_ : std::prev(after)->from_us;
        add_writer(each, i, choices[c], until_us, whole ? all : stretches_between(all, choices[c].from_us, until_us),
                   since_us);
      }
    }
  }

  /// `since_us`: when its first rate began.
  void add_writer(const EntityClass& each, std::size_t border, const AdaptiveChoice& choice, Micros until_us,
                  std::vector<RateStretch> rate, Micros since_us) {
    const bool silent = std::ranges::all_of(rate, [](const RateStretch& stretch) { return stretch.rows == 0; });
    if (silent) return;
    WriterSpec writer = base_writer(each, border, choice.fine);
    writer.from_us = choice.from_us;
    writer.until_us = until_us;
    writer.rate = std::move(rate);
    if (*section_.stagger == Stagger::none && !at_once(writer, since_us)) return;
    if (plans_[border].living_s > 0)
      writer.bucket = BucketRule::every(plans_[border].living_s).by(parts_.clock);
    else if (writer.unique_partitions)
      part_rows(writer);
    check_rows_told_apart(plans_[border], writer);
    writers_.push_back(std::move(writer));
  }

  // A date or a small number tells few rows of a bucket apart; more would be the same keys again.
  void check_rows_told_apart(const ColumnPlan& plan, const WriterSpec& writer) const {
    if (plan.coarse_column.empty() || section_.op->kind == WriteOp::overwrite || section_.op->kind == WriteOp::remove)
      return;
    const double bucket_s = plan.living_s > 0 ? static_cast<double>(plan.living_s)
                            : plan.bucket
                                ? static_cast<double>(plan_at_rate(plan, 0, false).bucket->bucket.nominal_length_s())
                                : static_cast<double>(until_us_ - from_us_) / static_cast<double>(us_per_s);
    double most_per_s = 0;
    for (const RateStretch& stretch : writer.rate)
      most_per_s = std::max(most_per_s, static_cast<double>(stretch.rows) / static_cast<double>(stretch.period_us));
    // Entities of one partition are told apart by a clustering column of their own.
    const std::int64_t entities =
        plan.entities_share_partitions ? parts_.fleet.list->count() : std::int64_t{writer.entities};
    most_per_s *= static_cast<double>(us_per_s) / static_cast<double>(entities * writer.shards);
    const bool date = plan.coarse_values == 0;
    const double span_s = date ? static_cast<double>(seconds_per_day) : bucket_s;
    const double rows = most_per_s * span_s;
    if (rows <= (date ? 1.000001 : static_cast<double>(plan.coarse_values))) return;
    const std::string kept =
        date ? fmt::format("{:.0f} rows a day, and a date tells days apart", rows)
             : fmt::format("up to {:.0f} rows, and this column tells {} apart", rows, plan.coarse_values);
    throw ScenarioError(
        {.place = parts_.stream.place,
         .key = fmt::format("stream.{}.column.{}", parts_.stream.name, plan.coarse_column),
         .problem = "holds the time, but a partition gets " + kept,
         .accepted = date ? "a row a day, op = overwrite(KEYS), or another clustering column that differs"
                          : "a shorter bucket, fewer rows, or an int"});
  }

  // Which bucket of adaptive(a, b above r) is written, from one border to the next.
  std::vector<AdaptiveChoice> choices_between(const EntityClass& each, const std::vector<RateStretch>& all,
                                              std::size_t border) {
    const ColumnPlan& plan = plans_[border];
    if (!plan.bucket || plan.bucket->fine_above_per_s <= 0) return {{.from_us = borders_[border]}};
    std::vector<AdaptiveChoice> choices =
        adaptive_choices(all, each.entities * plans_.front().each_in_key, plan.bucket->bucket.rule().by(parts_.clock),
                         plan.bucket->fine_above_per_s, from_us_, until_us_);
    const auto here = std::ranges::upper_bound(choices, borders_[border], {}, &AdaptiveChoice::from_us) - 1;
    choices.erase(choices.begin(), here);
    choices.front().from_us = borders_[border];
    std::erase_if(choices, [&](const AdaptiveChoice& choice) { return choice.from_us >= borders_[border + 1]; });
    changes_of_bucket_ += choices.size();
    if (changes_of_bucket_ > most_changes_of_bucket) {
      throw ScenarioError(
          {.place = parts_.stream.place,
           .key = "stream." + parts_.stream.name,
           .problem = fmt::format("changes between the buckets of {} too often", plan.bucket->text),
           .accepted = fmt::format("at most {} changes: a bound that the rates do not cross again and again, a coarser "
                                   "bucket that evens them out, or a shorter run",
                                   most_changes_of_bucket)});
    }
    return choices;
  }

  // Every entity at the same instant: one write of all per period, as since the rate began. False if none is left.
  bool at_once(WriterSpec& writer, Micros since_us) const {
    RateStretch& stretch = writer.rate.front();
    const Int128 period = static_cast<Int128>(stretch.period_us) * writer.entities;
    if (writer.rate.size() > 1 || period % stretch.rows != 0)
      refuse(section_.stagger,
             "needs a rate that does not change, and a whole number of microseconds between two writes",
             "spread, or a rate such as 1/min");
    stretch.period_us = static_cast<Micros>(period / stretch.rows);
    stretch.rows = writer.entities;
    stretch.from_us = since_us + ceil_div(writer.from_us - since_us, stretch.period_us) * stretch.period_us;
    writer.spread = false;
    return stretch.from_us < writer.until_us;
  }

  // Every write is a partition of its own: a bucket of a second, and as many shards as an entity writes in one.
  void part_rows(WriterSpec& writer) const {
    Int128 most = 1;
    for (const RateStretch& stretch : writer.rate) {
      const Int128 period = static_cast<Int128>(stretch.period_us) * writer.entities;
      most = std::max(most, (static_cast<Int128>(stretch.rows) * us_per_s + period - 1) / period);
    }
    writer.bucket = own_second.by(parts_.clock);
    writer.shards = static_cast<std::int64_t>(most);
  }

  WriterSpec base_writer(const EntityClass& each, std::size_t border, bool fine_bucket) const {
    const ColumnPlan plan = plan_at_rate(plans_[border], each.parts.front().rows_per_s, fine_bucket);
    WriterSpec writer;
    writer.stream = parts_.stream.name;
    writer.table = parts_.table_index;
    writer.entity_group = parts_.group;
    writer.entities = each.entities * plan.each_in_key;
    writer.first_entity = each.first * plan.each_in_key;
    writer.single = each.single;
    if (!plan.unique_partitions) writer.rates = rates_of(each);
    writer.keys = make_partition_keys(parts_.fleet.list, each.first, plan.partition_key);
    writer.names = plan.entities_share_partitions && parts_.fleet.list->count() > 1
                       ? make_shared_name(parts_.fleet.list->count())
                       : make_entity_names(parts_.fleet.list, each.first, plan.each_in_key);
    fill_key(plan, writer);
    writer.rows_per_event = plan.rows_per_event;
    writer.unique_partitions = plan.unique_partitions;
    writer.clustering = plan.clustering;
    writer.clustering_bytes = plan.clustering_bytes;
    writer.columns = plan.columns;
    writer.statics_once = section_.statics.present() && *section_.statics == StaticWrites::once;
    writer.op = section_.op->kind;
    // UpdateStatement.addUpdateForKey: rows of a compact table have no liveness of their own.
    if (parts_.table.compact_storage && writer.op == WriteOp::insert) writer.op = WriteOp::update;
    writer.overwrite = section_.op->overwrite;
    writer.remove = section_.op->remove;
    writer.ttl = ttl_shares(section_.ttl->at(borders_[border]));
    writer.late = late_shares(*section_.late);
    writer.delay_us = section_.delay->us + (section_.per.present() ? section_.per->us : 0);
    writer.timestamp = *section_.timestamp;
    return writer;
  }

  /// Of a derived stream no entity writes more than a row an interval.
  std::shared_ptr<const RateSpread> rates_of(const EntityClass& each) const {
    if (!each.rates || parts_.pace.most_per_s <= 0) return each.rates;
    auto bounded = std::make_shared<RateSpread>(*each.rates);
    for (std::size_t p = 0; p < bounded->parts.size(); ++p) {
      const double rows_per_s = each.parts[p].rows_per_s * parts_.pace.copies;
      double mean = 0;
      double before = 0;
      for (std::size_t i = 0; i < bounded->upto.size(); ++i) {
        double& factor = bounded->parts[p].factors[i];
        if (rows_per_s > 0) factor = std::min(factor, parts_.pace.most_per_s / rows_per_s);
        mean += factor * (bounded->upto[i] - before);
        before = bounded->upto[i];
      }
      if (mean <= 0) continue;
      for (double& factor : bounded->parts[p].factors) factor /= mean;
    }
    return bounded;
  }

  void fill_key(const ColumnPlan& plan, WriterSpec& writer) const {
    writer.shards = plan.shards;
    if (plan.bucket) {
      writer.bucket = plan.bucket->bucket.rule().by(parts_.clock);
      writer.bucket_text = plan.bucket->fine_above_per_s > 0 ? plan.bucket->bucket.text : plan.bucket->text;
      writer.rolling_buckets = plan.bucket->rolling;
      writer.adaptive_rows_per_day = std::llround(plan.bucket->fine_above_per_s * 86'400);
    }
    const std::int64_t label = writer.bucket.label(writer.bucket.number(until_us_ / us_per_s));
    const int constant = writer.keys->constant_length();
    writer.key_bytes =
        constant > 0 ? constant
                     : static_cast<std::int64_t>(writer.keys->key(writer.entities - 1, label, plan.shards - 1).size());
  }

  // Entities that live shortly write for so long, one after the other, and nothing else is said of them.
  void check_short_life() const {
    const Seconds living_s = parts_.fleet.list->living_s();
    if (living_s == 0) return;
    const auto refuse_it = [&](const SettingBase& setting, const std::string& problem, const std::string& accepted) {
      refuse(setting, problem + " of entities that live shortly", accepted);
    };
    if (section_.op->kind != WriteOp::insert && section_.op->kind != WriteOp::update)
      refuse_it(section_.op, "deletes or overwrites rows", "insert, update");
    if (section_.backfill.present()) refuse_it(section_.backfill, "loads history", "no backfill");
    if (section_.growth->per_year != 0)
      refuse_it(section_.growth, "says nothing of the number",
                "0%/y, and a second stream with more of them from a date");
    if (section_.shape->kind != Shape::Kind::flat)
      refuse_it(section_.shape, "says nothing of the number", "flat, and streams for the times with more of them");
    const BucketRule life = BucketRule::every(living_s).by(parts_.clock);
    for (std::size_t i = 1; i + 1 < borders_.size(); ++i) {
      if (bucket_open_at(life, borders_[i]).begin_us == borders_[i]) continue;
      throw ScenarioError({.place = parts_.stream.place,
                           .key = "stream." + parts_.stream.name,
                           .problem = "changes sizes, TTL or bucket while entities live",
                           .accepted = fmt::format("changes at whole multiples of {} s", living_s)});
    }
  }

  // A clock that is put back shows some times twice: a bucket must not lie on both sides of another.
  void check_clock() const {
    for (const ColumnPlan& plan : plans_) {
      if (!parts_.clock.is_changed()) continue;
      if (plan.living_s > 0)
        check_whole(BucketRule::every(plan.living_s).by(parts_.clock), "entities that live shortly");
      else if (plan.unique_partitions)
        check_whole(own_second.by(parts_.clock), "a second, one for each write,");
      if (!plan.bucket) continue;
      if (plan.bucket->rolling > 0)
        refuse(section_.zone, "is of a clock that is changed, and buckets that come again are cut in UTC",
               "an offset such as +02:00, or a bucket that does not come again");
      for (const ColumnPlan& each : {plan, plan_at_rate(plan, 0, true)})
        check_whole(each.bucket->bucket.rule().by(parts_.clock), plan.bucket->text);
    }
  }

  void check_whole(const BucketRule& rule, const std::string& text) const {
    for (const WallClock::Change& change : parts_.clock.changes()) {
      if (change.from_s * us_per_s <= from_us_ || rule.is_whole_at(change.from_s)) continue;
      refuse(section_.zone,
             fmt::format("is put back, so that each bucket of {} in that hour is written twice, with others between",
                         text),
             "buckets of an hour or longer, or UTC");
    }
  }

  void check_op() const {
    const ColumnPlan& plan = plans_.front();
    const Op& op = *section_.op;
    if (parts_.table.is_counter() && op.kind != WriteOp::update && op.kind != WriteOp::remove) {
      throw ScenarioError({.place = parts_.stream.place,
                           .key = "stream." + parts_.stream.name + ".op",
                           .problem = fmt::format("is missing: {} is a table of counters", parts_.table.name),
                           .accepted = "op = update"});
    }
    if (op.kind == WriteOp::remove && op.remove.kind != DeleteKind::partition && parts_.table.clustering().empty())
      refuse(section_.op, fmt::format("deletes within partitions, but {} has no clustering columns", parts_.table.name),
             "delete(partition, age)");
    if (op.kind == WriteOp::overwrite) {
      check_keys(plan, op);
    } else if (op.kind != WriteOp::remove && !plan.rows_differ) {
      check_rows_differ(plan);
    }
  }

  void check_partitions() const {
    for (const ColumnPlan& plan : plans_) {
      const std::int64_t entities = plan.entities_share_partitions ? 1 : parts_.fleet.list->count();
      std::int64_t shards = plan.shards;
      for (const KeyPart& part : plan.partition_key) shards = std::max(shards, part.rule.fine_count);
      if (plan.each_in_key <= most_partitions / entities / shards) continue;
      throw ScenarioError(
          {.place = parts_.stream.place,
           .key = "stream." + parts_.stream.name,
           .problem = "has too many partitions at a time",
           .accepted = fmt::format("entities, shards and each(n) of the partition key that make at most {} partitions",
                                   most_partitions)});
    }
  }

  // Without clustering columns a key is a partition: overwrite(keys) and entities say the same.
  void check_keys(const ColumnPlan& plan, const Op& op) const {
    if (!parts_.table.clustering().empty() || plan.bucket) return;
    const std::int64_t partitions = parts_.fleet.list->count() * plan.each_in_key * plan.shards;
    if (partitions != op.overwrite.keys)
      refuse(section_.op,
             fmt::format("speaks of {} keys, but the stream has {} partitions of one row each", op.overwrite.keys,
                         partitions),
             fmt::format("overwrite({}), or entities = {}", partitions, op.overwrite.keys));
  }

  // Rows that nothing tells apart overwrite each other: the user must say so.
  void check_rows_differ(const ColumnPlan& plan) const {
    const double bucket_s = plan.living_s > 0 ? static_cast<double>(plan.living_s)
                            : plan.bucket     ? static_cast<double>(plan.bucket->bucket.nominal_length_s())
                                              : 1e18;
    for (const EntityClass& each : parts_.fleet.classes) {
      const double rows = each.parts.front().rows_per_s * bucket_s / static_cast<double>(plan.shards);
      if (rows <= 1.000001 || parts_.source != nullptr) continue;
      throw ScenarioError(
          {.place = parts_.stream.place,
           .key = "stream." + parts_.stream.name,
           .problem =
               fmt::format("writes the same primary keys of {} again and again: no clustering column tells rows apart",
                           parts_.table.name),
           .accepted =
               parts_.table.is_counter()
                   ? "a clustering column with `time` or `unique`; counting up the same counters is not modelled: each "
                     "replica that has led a count adds a part of its own to the counter"
                   : "op = overwrite(KEYS), or a clustering column with `time` or `unique`",
           .note = "rows of one partition differ only in their clustering columns"});
    }
  }

  // History: the rows that the stream would have written in the span, at the backfill's pace.
  void add_backfill(const EntityClass& each, const std::vector<EntityClass>& classes) {
    const BackfillSpan& span = *section_.backfill;
    double total = 0;
    for (const EntityClass& one : classes) total += static_cast<double>(one.entities) * one.parts.front().rows_per_s;
    const double mine = static_cast<double>(each.entities) * each.parts.front().rows_per_s;
    if (mine <= 0) return;
    const double rows = mine * static_cast<double>(span.to_us - span.from_us) / 1e6;
    EntityClass arriving = each;
    arriving.parts = {{.from_us = {}, .exact = {}, .rows_per_s = span.rate.per_s() * mine / total}};
    const double length_us = rows / arriving.parts.front().rows_per_s * 1e6;
    const bool fine = plans_.front().bucket && plans_.front().bucket->fine_above_per_s > 0 &&
                      each.parts.front().rows_per_s > plans_.front().bucket->fine_above_per_s;
    WriterSpec writer = base_writer(each, 0, fine);
    writer.from_us = from_us_;
    writer.until_us =
        static_cast<Micros>(std::min(static_cast<double>(parts_.end_us), static_cast<double>(from_us_) + length_us));
    writer.backfill = Backfill{.from_us = span.from_us, .to_us = span.to_us, .rows = std::llround(rows)};
    writer.late.clear();
    writer.delay_us = 0;
    writer.rate = *make_stretches(arriving, 1, {}, from_us_, writer.until_us, 1);
    if (!writer.rate.empty()) writers_.push_back(std::move(writer));
  }

  // Keys of an overwriting stream belong to its classes in proportion to their entities.
  void share_out_keys() {
    std::int64_t all = 0;
    for (const EntityClass& each : parts_.fleet.classes) all += each.entities;
    for (WriterSpec& writer : writers_) {
      const std::int64_t each = plans_.front().each_in_key;
      const std::int64_t first = plans_.front().entities_share_partitions ? 0 : writer.first_entity / each;
      const std::int64_t last = plans_.front().entities_share_partitions ? all : first + writer.entities / each;
      const std::int64_t keys = section_.op->overwrite.keys;
      writer.overwrite.keys =
          std::max<std::int64_t>(1, mul_div_floor(keys, last, all) - mul_div_floor(keys, first, all));
    }
  }

  const StreamParts& parts_;
  const StreamSection& section_;
  Micros from_us_ = 0;
  Micros until_us_ = 0;
  std::vector<Micros> borders_{};
  std::vector<ColumnPlan> plans_{};
  std::vector<WriterSpec> writers_{};
  std::size_t changes_of_bucket_ = 0;
};

}  // namespace

std::vector<WriterSpec> make_writers(const StreamParts& parts) { return WriterMaker(parts).run(); }

}  // namespace windrow
