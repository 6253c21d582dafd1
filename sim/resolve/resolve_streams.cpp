#include "sim/resolve/resolve_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "sim/resolve/clock_changes.h"
#include "sim/resolve/column_plan.h"
#include "sim/resolve/delete_targets.h"
#include "sim/resolve/fleet.h"
#include "sim/resolve/resolve_tables.h"
#include "sim/resolve/stream_family.h"
#include "sim/resolve/stream_writers.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

constexpr double fastest_scenario_per_s = 1e8;
constexpr std::size_t most_streams = 200;

// What is known of a stream once its fleet and table are.
struct Resolved {
  int table = 0;
  Fleet fleet{};
  Named<StreamSection> stream{};  // with what a derived stream takes from its source
  Pace pace{};
  std::vector<WriterSpec> writers{};
};

void check_span(const StreamSection& section, Micros start_us, Micros end_us) {
  if (section.from.present() && (section.from->us < start_us || section.from->us >= end_us))
    refuse(section.from, "is outside the run", fmt::format("{} to {}", format_moment(start_us), format_moment(end_us)));
  const Micros from_us = section.from.present() ? section.from->us : start_us;
  if (section.until.present() && section.until->us <= from_us && !section.backfill.present())
    refuse(section.until, "ends the stream before it begins", "a date after `from` and the run's start");
}

// Rows of a derived stream are its source's rows, at most one an interval, each written `copies` times.
Pace pace_of(const StreamSection& section, const Resolved* source) {
  Pace pace = source != nullptr ? source->pace : Pace{.growth = *section.growth, .shape = *section.shape};
  if (section.per.present()) {
    const double one_an_interval = 1e6 / static_cast<double>(section.per->us);
    pace.most_per_s = pace.most_per_s > 0 ? std::min(pace.most_per_s, one_an_interval) : one_an_interval;
  }
  const auto copies = static_cast<double>(section.copies->count);
  pace.copies *= copies;
  pace.most_per_s *= copies;
  return pace;
}

// A derived stream has its source's entities, and its source's columns of the same name unless it says otherwise; it
// writes while its source does.
Named<StreamSection> inherit(Named<StreamSection> derived, const Resolved& source, const Table& table) {
  StreamSection& section = derived.section;
  if (section.entities.given())
    refuse(section.entities, "cannot be said: a derived stream has the entities of its source",
           "no such line beside `of`");
  if (section.rate.given())
    refuse(section.rate, "cannot be said: a derived stream follows its source",
           "no such line beside `of`; `per` and `copies` change the number of rows");
  const StreamSection& source_section = source.stream.section;
  if (source_section.from.present() && (!section.from.present() || section.from->us < source_section.from->us))
    section.from = source_section.from;
  if (source_section.until.present() && (!section.until.present() || section.until->us > source_section.until->us))
    section.until = source_section.until;
  for (const auto& [name, rule] : source_section.column) {
    const ColumnRule::Kind kind = rule->parts.front().value.kind;
    const bool about_rows = kind == ColumnRule::Kind::entity || kind == ColumnRule::Kind::each ||
                            kind == ColumnRule::Kind::constant || kind == ColumnRule::Kind::size;
    if (about_rows && table.find_column(name) != nullptr) section.column.try_emplace(name, rule);
  }
  return derived;
}

/// Entities that live shortly: at a higher rate there are more of them, each as before.
void multiply_entities(Setting<Entities>& entities, double factor) {
  Entities more = *entities;
  more.count = std::clamp<std::int64_t>(std::llround(static_cast<double>(more.count) * factor), 1, most_entities);
  entities.replace(std::move(more));
}

class StreamResolver {
 public:
  StreamResolver(const ScenarioText& text, const std::vector<TableSpec>& tables, Micros start_us, Micros end_us,
                 InputFiles& files, double rate_factor)
      : text_(text),
        tables_(tables),
        start_us_(start_us),
        end_us_(end_us),
        files_(files),
        rate_factor_(rate_factor),
        resolved_(text.streams.size()) {}

  std::vector<WriterSpec> run() {
    if (text_.streams.empty()) {
      throw ScenarioError({.place = {.source = text_.source},
                           .problem = "has no stream: nothing is ever written",
                           .accepted = "at least one [stream.NAME]"});
    }
    if (text_.streams.size() > most_streams) {
      throw ScenarioError({.place = text_.streams[most_streams].place,
                           .problem = fmt::format("is one of {} streams", text_.streams.size()),
                           .accepted = fmt::format("at most {} streams", most_streams)});
    }
    for (const std::size_t i : order_of_derivation(text_.streams)) resolve(i);
    refuse_shared_entities();
    join_deletes_to_targets();
    refuse_too_fast();
    std::vector<WriterSpec> writers;
    for (std::size_t i = 0; i < resolved_.size(); ++i) {
      for (WriterSpec& writer : resolved_[i].writers) writers.push_back(std::move(writer));
    }
    return writers;
  }

 private:
  void resolve(std::size_t i) {
    Named<StreamSection> stream = text_.streams[i];
    Resolved& made = resolved_[i];
    made.table = find_table(tables_, stream.section.table->name, stream.section.table);
    const Table& table = tables_[static_cast<std::size_t>(made.table)].schema;
    check_span(stream.section, start_us_, end_us_);
    const Resolved* source = nullptr;
    if (stream.section.of.present()) {
      source = &resolved_[find_stream(text_.streams, stream.section.of)];
      if (source->fleet.list->living_s() > 0)
        refuse(stream.section.of, "is a stream of entities that live shortly", "a stream with entities of its own");
      stream = inherit(std::move(stream), *source, table);
      made.fleet = source->fleet;
    } else {
      if (stream.section.per.present())
        refuse(stream.section.per, "belongs to derived streams", "`of = STREAM` beside it");
      const bool more_of_them = stream.section.entities->living_s > 0;
      if (more_of_them) multiply_entities(stream.section.entities, rate_factor_);
      made.fleet = make_fleet(stream, start_us_, files_);
      if (rate_factor_ != 1 && !more_of_them) multiply_rates(made.fleet.classes, rate_factor_);
    }
    load_column_samples(stream);
    made.pace = pace_of(stream.section, source);
    made.stream = std::move(stream);
    const WallClock clock = clock_of(made.stream.section.zone, end_us_, files_);
    made.writers = make_writers({.stream = made.stream,
                                 .source = source == nullptr ? nullptr : &source->stream.section,
                                 .table = table,
                                 .table_index = made.table,
                                 .fleet = made.fleet,
                                 .clock = clock,
                                 .pace = made.pace,
                                 .group = static_cast<int>(i),
                                 .start_us = start_us_,
                                 .end_us = end_us_,
                                 .stretches_left = stretches_left_});
  }

  void load_column_samples(Named<StreamSection>& stream) {
    for (auto& [name, setting] : stream.section.column) {
      Timed<ColumnRule> rules = *setting;
      const auto load = [&, &setting = setting](Distribution& sizes) {
        load_sample(
            sizes, [](Cursor& cursor) { return static_cast<double>(read_whole_number(cursor, 16 * 1024 * 1024)); },
            files_, setting);
      };
      const auto load_parts = [&](std::vector<PartSize>& parts, const auto& self) -> void {
        for (PartSize& part : parts) {
          load(part.bytes);
          self(part.parts, self);
        }
      };
      for (auto& part : rules.parts) {
        load(part.value.bytes);
        load_parts(part.value.parts, load_parts);
      }
      setting.replace(std::move(rules));
    }
  }

  void join_deletes_to_targets() {
    std::vector<MadeStream> made;
    for (Resolved& each : resolved_) {
      made.push_back({.stream = &each.stream,
                      .entities = each.fleet.list.get(),
                      .table = &tables_[static_cast<std::size_t>(each.table)].schema,
                      .writers = &each.writers});
    }
    join_deletes(made);
  }

  void refuse_shared_entities() const {
    for (std::size_t i = 0; i < resolved_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const StreamSection& a = resolved_[i].stream.section;
        const StreamSection& b = resolved_[j].stream.section;
        const bool meets_on_purpose =
            a.op->kind == WriteOp::remove || b.op->kind == WriteOp::remove || a.of.present() || b.of.present();
        if (resolved_[i].table != resolved_[j].table || meets_on_purpose) continue;
        const auto shared = EntityList::shared_name(*resolved_[i].fleet.list, *resolved_[j].fleet.list);
        if (!shared) continue;
        const std::string note = fmt::format(
            "say whom each stream means: entities = named(…) or pattern({}-%05d, 1000)", text_.streams[i].name);
        const std::string problem = fmt::format("shares the entity `{}` with stream {}, which writes the same table",
                                                *shared, text_.streams[j].name);
        if (a.entities.given())
          refuse(a.entities, problem, "entities of its own for every stream of a table", {}, note);
        throw ScenarioError({.place = text_.streams[i].place,
                             .key = "stream." + text_.streams[i].name + ".entities",
                             .problem = problem,
                             .accepted = "entities of its own for every stream of a table",
                             .note = note});
      }
    }
  }

  void refuse_too_fast() const {
    double sum = 0;
    for (std::size_t i = 0; i < resolved_.size(); ++i) {
      double of_stream = 0;
      for (const WriterSpec& writer : resolved_[i].writers) of_stream += writer.rows_per_s();
      sum += of_stream;
      if (sum <= fastest_scenario_per_s) continue;
      const Setting<Timed<StreamRate>>& rate = resolved_[i].stream.section.rate;
      const std::string problem = fmt::format("makes {:.3g} rows per second", of_stream);
      if (rate.given()) refuse(rate, problem, "at most 1e8 rows per second in a scenario");
      throw ScenarioError({.place = text_.streams[i].place,
                           .key = "stream." + text_.streams[i].name,
                           .problem = problem,
                           .accepted = "at most 1e8 rows per second in a scenario"});
    }
  }

  const ScenarioText& text_;
  const std::vector<TableSpec>& tables_;
  Micros start_us_ = 0;
  Micros end_us_ = 0;
  InputFiles& files_;
  double rate_factor_ = 1;
  std::size_t stretches_left_ = most_stretches;
  std::vector<Resolved> resolved_;
};

}  // namespace

std::vector<WriterSpec> resolve_streams(const ScenarioText& text, const std::vector<TableSpec>& tables, Micros start_us,
                                        Micros end_us, InputFiles& files, double rate_factor) {
  return StreamResolver(text, tables, start_us, end_us, files, rate_factor).run();
}

}  // namespace windrow
