#include "sim/resolve/not_modelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/limits/limits.h"
#include "sim/scenario/overwritten_keys.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

Asked at(const SettingBase& setting) { return {.place = setting.place(), .key = setting.key()}; }

template <class Section>
std::optional<Asked> first_of(const std::vector<Named<Section>>& sections, const char* kind) {
  if (sections.empty()) return std::nullopt;
  return Asked{.place = sections.front().place, .key = fmt::format("{}.{}", kind, sections.front().name)};
}

// The first stream with a writer of which `asks` is true.
template <class Ask>
std::optional<Asked> writer(const LoadedScenario& loaded, const char* key, Ask asks) {
  for (const WriterSpec& spec : loaded.scenario.writers) {
    if (!asks(spec)) continue;
    const auto stream = std::ranges::find(loaded.text.streams, spec.stream, &Named<StreamSection>::name);
    return Asked{.place = stream->place, .key = fmt::format("stream.{}{}", spec.stream, key)};
  }
  return std::nullopt;
}

// The first read of which `asks` is true.
template <class Ask>
std::optional<Asked> read(const LoadedScenario& loaded, Ask asks) {
  const auto found = std::ranges::find_if(loaded.scenario.reads, asks);
  if (found == loaded.scenario.reads.end()) return std::nullopt;
  // One that fetches is two, one after the other.
  const auto section = std::ranges::find_if(loaded.text.reads, [&](const Named<ReadSection>& each) {
    return each.name == found->name || each.name + "-fetch" == found->name;
  });
  return Asked{.place = section->place, .key = "read." + found->name};
}

template <class Ask>
bool any_column(const WriterSpec& spec, Ask asks) {
  return std::ranges::any_of(spec.columns, asks);
}

bool writes_statics(const WriterSpec& spec) { return any_column(spec, &ColumnValue::is_static); }

template <class Section, class Ask>
std::optional<Asked> setting(const std::vector<Named<Section>>& sections, Ask ask) {
  for (const Named<Section>& each : sections) {
    if (const SettingBase* asking = ask(each.section)) return at(*asking);
  }
  return std::nullopt;
}

template <class T>
const SettingBase* if_present(const Setting<T>& value) {
  return value.present() ? &value : nullptr;
}

using Loaded = LoadedScenario;

bool same_columns(const Table& before, const Table& after) {
  return std::ranges::equal(before.columns, after.columns, [](const Column& a, const Column& b) {
    return a.name == b.name && a.type.to_string() == b.type.to_string();
  });
}

std::optional<Asked> change_of_columns(const Loaded& loaded) {
  for (const ChangeSpec& change : loaded.scenario.changes) {
    const Table& before = loaded.scenario.tables[static_cast<std::size_t>(change.table)].schema;
    if (same_columns(before, change.after)) continue;
    return at(std::ranges::find(loaded.text.changes, change.name, &Named<ChangeSection>::name)->section.cql);
  }
  return std::nullopt;
}

std::vector<NotModelled> make_rows() {
  std::vector<NotModelled> rows = {
      {"overwrites with a TTL, late rows, or of a table that LeveledCompactionStrategy or UnifiedCompactionStrategy "
       "cuts by token, where keys are drawn at random",
       "op = overwrite(KEYS, cyclic), which writes them in turn",
       [](const Loaded& l) {
         return writer(l, ".op", [&](const WriterSpec& w) {
           return needs_each_key(l.scenario, w) && !overwrites_one_by_one(l.scenario, w);
         });
       }},
      {"the same where keys are written in turn on nodes of which not each holds every row",
       "as many nodes as replication_factor, or placement = alike",
       [](const Loaded& l) {
         const bool some = std::ranges::any_of(l.scenario.data_centers, [](const DataCenter& center) {
           return center.nodes > center.replication_factor && center.placement != DataCenter::Placement::alike;
         });
         return writer(l, ".op", [&](const WriterSpec& w) { return some && overwrites_one_by_one(l.scenario, w); });
       }},
      {"the same where the keys are no multiple of the partitions that hold them (entities times shards)",
       "as many keys in each partition: overwrite(KEYS, cyclic) with a multiple of them",
       [](const Loaded& l) {
         return writer(l, ".op", [&](const WriterSpec& w) {
           return overwrites_one_by_one(l.scenario, w) && w.overwrite.keys % (w.entities * w.shards) != 0;
         });
       }},
      {"several streams that delete from one, and deletes of overwritten keys",
       {},
       [](const Loaded& l) {
         const std::vector<WriterSpec>& all = l.scenario.writers;
         return writer(l, ".op", [&](const WriterSpec& w) {
           return w.op == WriteOp::remove && std::ranges::any_of(all, [&](const WriterSpec& other) {
                    const bool overwritten = other.op == WriteOp::overwrite;
                    const bool other_deletes = other.op == WriteOp::remove && other.stream != w.stream;
                    return other.entity_group == w.entity_group && (overwritten || other_deletes);
                  });
         });
       }},
      {"several rows a write (`each(n)` of a clustering column) where partitions or ranges are deleted",
       {},
       [](const Loaded& l) {
         const std::vector<WriterSpec>& all = l.scenario.writers;
         return writer(l, "", [&](const WriterSpec& w) {
           return w.rows_per_event > 1 && std::ranges::any_of(all, [&](const WriterSpec& other) {
                    return other.entity_group == w.entity_group && other.op == WriteOp::remove &&
                           other.remove.kind != DeleteKind::row;
                  });
         });
       }},
      {"`backfill` into `rolling(n, time)` buckets",
       {},
       [](const Loaded& l) {
         return writer(l, ".backfill",
                       [](const WriterSpec& w) { return w.rolling_buckets > 0 && w.backfill.has_value(); });
       }},
      {"static columns that are collections or written as null, in `rolling(n, time)` buckets, or where keys are drawn "
       "at "
       "random",
       "columns = and the names of the others: static ones are one row a partition, which is then left out",
       [](const Loaded& l) {
         return writer(l, "", [&](const WriterSpec& w) {
           const bool plain = std::ranges::none_of(w.columns, [](const ColumnValue& column) {
             return column.is_static && (column.collection || column.null);
           });
           const bool drawn = w.op == WriteOp::overwrite && !overwrites_one_by_one(l.scenario, w);
           return writes_statics(w) && (!plain || w.rolling_buckets > 0 || drawn);
         });
       }},
      {"`statics = once` of a stream whose bucket, shards, sizes or TTL change, or that loads history: which "
       "partitions "
       "are begun by then and which after it",
       "statics = each",
       [](const Loaded& l) {
         std::set<std::pair<std::string, std::int64_t>> seen;
         return writer(l, ".statics", [&](const WriterSpec& w) {
           return writes_statics(w) && w.statics_once && !seen.emplace(w.stream, w.first_entity).second;
         });
       }},
      {"reads of a stream that writes static columns: a slice of a partition asks for its static row as well, which "
       "may "
       "lie in any of its SSTables",
       "no [read.NAME] of it, or columns = and the names of the others",
       [](const Loaded& l) {
         return read(l, [&](const ReadSpec& spec) {
           return std::ranges::any_of(
               l.scenario.writers, [&](const WriterSpec& w) { return w.stream == spec.stream && writes_statics(w); });
         });
       }},
      {"collections and nulls (of columns that are not frozen) where keys are overwritten, or partitions or ranges "
       "deleted",
       {},
       [](const Loaded& l) {
         const std::vector<WriterSpec>& all = l.scenario.writers;
         return writer(l, "", [&](const WriterSpec& w) {
           const bool plain = !any_column(w, &ColumnValue::collection) && !any_column(w, &ColumnValue::null);
           return !plain && std::ranges::any_of(all, [&](const WriterSpec& other) {
             const bool covers = other.op == WriteOp::remove && other.remove.kind != DeleteKind::row;
             return other.entity_group == w.entity_group && (covers || other.op == WriteOp::overwrite);
           });
         });
       }},
      {"deletes from and backfill into a table per month",
       {},
       [](const Loaded& l) {
         return writer(l, "", [&](const WriterSpec& w) {
           const bool monthly = l.scenario.tables[static_cast<std::size_t>(w.table)].per == TableSpec::Per::month;
           return monthly && (w.op == WriteOp::remove || w.backfill);
         });
       }},
      {"recorded flushes of a table per month",
       {},
       [](const Loaded& l) {
         return setting(l.text.tables, [](const TableSection& s) -> const SettingBase* {
           return s.values.per == TableSpec::Per::month ? if_present(s.flushes) : nullptr;
         });
       }},
      {"a [change.NAME] that adds, drops or renames columns (ALTER TABLE … WITH changes options)",
       {},
       change_of_columns},
      {"reads of a stream that overwrites keys, whose rows are partitions each (`unique`), or whose entities live "
       "shortly (`new`): how many of their keys an SSTable holds is known, not which, and a read asks for one",
       "no [read.NAME] of it: one of its partitions lies in at most as many SSTables as the table has (sstables.csv)",
       [](const Loaded& l) {
         return read(l, [&](const ReadSpec& spec) {
           return std::ranges::any_of(l.scenario.writers, [&](const WriterSpec& w) {
             return w.stream == spec.stream && (w.op == WriteOp::overwrite || w.unique_partitions);
           });
         });
       }},
      {"reads of a stream whose buckets come round again (`rolling`) and whose bucket, shards, sizes or TTL change: a "
       "partition has rows of before and after the change, and which turn is asked for follows from both",
       "a scenario for the time before the change and one for the time after it, each with the read",
       [](const Loaded& l) {
         return read(l, [&](const ReadSpec& spec) {
           std::set<std::pair<std::int64_t, std::int64_t>> classes;
           return std::ranges::any_of(l.scenario.writers, [&](const WriterSpec& w) {
             return w.stream == spec.stream && w.rolling_buckets > 0 && w.op != WriteOp::remove &&
                    !classes.emplace(w.first_entity, w.entities).second;
           });
         });
       }},
      {"incremental repairs of all nodes at once where not every node holds every row (in the engine they meet in the "
       "same SSTables, and all but the first fail); order = node_after_node repairs one node's ranges after the "
       "other's",
       {},
       [](const Loaded& l) -> std::optional<Asked> {
         const bool some = std::ranges::any_of(l.scenario.data_centers, [](const DataCenter& center) {
           return center.nodes > center.replication_factor;
         });
         if (!some) return std::nullopt;
         return setting(l.text.repairs, [](const RepairSection& s) -> const SettingBase* {
           const RepairSpec& repair = s.values;
           const bool meet =
               repair.kind == RepairSpec::Kind::incremental && repair.order == RepairSpec::Order::together;
           return meet ? &s.setting("kind") : nullptr;
         });
       }},
      {"outages, repairs and lost mutations with fewer nodes than replication_factor",
       {},
       [](const Loaded& l) -> std::optional<Asked> {
         const bool fewer = std::ranges::any_of(l.scenario.data_centers, [](const DataCenter& center) {
           return center.nodes < center.replication_factor;
         });
         if (!fewer) return std::nullopt;
         const auto outage = first_of(l.text.outages, "outage");
         if (outage) return outage;
         if (l.scenario.node.lost_mutations_ppm > 0) return at(l.text.node.setting("lost_mutations"));
         return first_of(l.text.repairs, "repair");
       }},
  };
  return rows;
}

}  // namespace

const std::vector<NotModelled>& what_is_not_modelled() {
  static const std::vector<NotModelled> rows = make_rows();
  return rows;
}

void refuse_what_is_not_modelled(const LoadedScenario& loaded) {
  for (const NotModelled& row : what_is_not_modelled()) {
    const std::optional<Asked> asked = row.asked_by(loaded);
    if (asked)
      throw ScenarioError({.place = asked->place,
                           .key = asked->key,
                           .problem = "not modelled yet: " + row.what,
                           .accepted = row.instead.empty() ? "a scenario without it" : row.instead});
  }
}

}  // namespace windrow
