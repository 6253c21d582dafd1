#include "tests/witness/lib/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace windrow::witness {
namespace {

template <class T>
std::string shown(const T& value) {
  return fmt::format("{}", value);
}
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? shown(*value) : "none";
}
template <class A, class B>
std::string shown(const std::pair<A, B>& value) {
  return fmt::format("{}:{}", shown(value.first), shown(value.second));
}
template <class T>
std::string shown(const std::vector<T>& values) {
  std::string text = "[";
  for (const T& value : values) text += (text.size() > 1 ? " " : "") + shown(value);
  return text + "]";
}
template <class T, std::size_t Count>
std::string shown(const std::array<T, Count>& values) {
  return shown(std::vector<T>(values.begin(), values.end()));
}

class Comparison {
 public:
  std::vector<Disagreement> compare(const Trace& recorded, const Trace& ours) {
    const std::size_t count = std::max(recorded.events.size(), ours.events.size());
    for (event_ = 0; event_ < count; ++event_) {
      if (event_ >= recorded.events.size() || event_ >= ours.events.size()) {
        where_ = "end of the sequence";
        same("events", recorded.events.size(), ours.events.size());
        break;
      }
      if (!same_event(recorded.events[event_], ours.events[event_])) break;
    }
    return std::move(found_);
  }

 private:
  template <class T>
  bool same(std::string_view field, const T& recorded, const T& ours) {
    if (recorded == ours) return true;
    found_.push_back({event_, where_, std::string(field), shown(recorded), shown(ours)});
    return false;
  }

  /// False: the sequences part here.
  bool same_event(const TraceEvent& recorded, const TraceEvent& ours) {
    where_ = describe(recorded);
    if (recorded.index() != ours.index()) return same("event", describe(recorded), describe(ours));
    return std::visit(
        [&](const auto& event) { return event_fields(event, std::get<std::decay_t<decltype(event)>>(ours)); },
        recorded);
  }

  bool event_fields(const TraceAlter& a, const TraceAlter& b) {
    return same("t", a.t_s, b.t_s) && same("cql", a.cql, b.cql);
  }
  bool event_fields(const TraceRepair& a, const TraceRepair& b) {
    return same("t", a.t_s, b.t_s) && same("to", a.to, b.to) && same("files", a.files, b.files);
  }
  bool event_fields(const TraceRepairFinished& a, const TraceRepairFinished& b) {
    return same("t", a.t_s, b.t_s) && same("session", a.session, b.session) && same("files", a.files, b.files);
  }
  bool event_fields(const TraceMajor& a, const TraceMajor& b) {
    return same("t", a.t_s, b.t_s) && same("tasks", a.tasks.size(), b.tasks.size());
  }
  bool event_fields(const TraceFlush& a, const TraceFlush& b) {
    if (!same("t", a.t_s, b.t_s)) return false;
    same("reason", a.reason, b.reason);
    same("flush_ema", a.flush_average_bytes, b.flush_average_bytes);
    return files(a.added, b.added);
  }
  bool event_fields(const TraceCommit& a, const TraceCommit& b) {
    if (!same("t", a.t_s, b.t_s) || !same("pick", a.pick, b.pick)) return false;
    same("removed", a.removed, b.removed);
    same("live", a.live, b.live);
    return files(a.added, b.added);
  }
  bool event_fields(const TraceLevelChange& a, const TraceLevelChange& b) {
    return same("t", a.t_s, b.t_s) && same("id", a.id, b.id) && same("level", a.level, b.level);
  }
  bool event_fields(const TraceNullTicks& a, const TraceNullTicks& b) { return same("count", a.count, b.count); }
  bool event_fields(const TraceSample& a, const TraceSample& b) {
    if (!same("t", a.t_s, b.t_s)) return false;
    same("live", a.live, b.live);
    same("live_bytes", a.live_bytes, b.live_bytes);
    return true;
  }
  bool event_fields(const TraceEnd& a, const TraceEnd& b) {
    same("t", a.t_s, b.t_s);
    same("rows", a.rows, b.rows);
    same("flushes", a.flushes, b.flushes);
    same("picks", a.picks, b.picks);
    same("live", a.live, b.live);
    return true;
  }
  bool event_fields(const TracePick& a, const TracePick& b) {
    if (!same("t", a.t_s, b.t_s)) return false;
    same("pick", a.pick, b.pick);
    same("gc_before", a.gc_before_s, b.gc_before_s);
    same("strategy", a.strategy, b.strategy);
    same("kind", a.kind, b.kind);
    same("expired", a.expired, b.expired);
    same("live", a.live, b.live);
    same("memtable_min_timestamp", a.memtable_min_timestamp_us, b.memtable_min_timestamp_us);
    same("compacting", a.compacting, b.compacting);
    same("ratio", a.ratio, b.ratio);
    same("pending", a.pending, b.pending);
    same("level", a.level, b.level);
    same("highest_window_ms", a.highest_window_ms, b.highest_window_ms);
    same("last_expired_check_ms", a.last_expired_check_ms, b.last_expired_check_ms);
    same("max_sstable_bytes", a.max_sstable_bytes, b.max_sstable_bytes);
    same("last_compacted", a.last_compacted, b.last_compacted);
    same("counters", a.counters, b.counters);
    same("flush_ema", a.flush_average_bytes, b.flush_average_bytes);
    same("flush_size", a.flush_size_bytes, b.flush_size_bytes);
    const bool goes_on = same("inputs", a.inputs, b.inputs);
    return same("commit_at", a.commit_at_s, b.commit_at_s) && goes_on;
  }

  bool files(const std::vector<TraceSSTable>& a, const std::vector<TraceSSTable>& b) {
    if (!same("SSTables", a.size(), b.size())) return false;
    const std::string event = where_;
    for (std::size_t i = 0; i < a.size(); ++i) {
      where_ = fmt::format("{}, SSTable {}", event, a[i].id);
      file(a[i], b[i]);
    }
    where_ = event;
    return true;
  }

  void file(const TraceSSTable& a, const TraceSSTable& b) {
    same("id", a.id, b.id);
    same("gen", a.generation, b.generation);
    same("hash", a.hash, b.hash);
    same("data_bytes", a.data_bytes, b.data_bytes);
    same("uncompressed_bytes", a.uncompressed_bytes, b.uncompressed_bytes);
    same("partitions", a.partitions, b.partitions);
    same("estimated_keys", a.estimated_keys, b.estimated_keys);
    same("informative", a.informative, b.informative);
    same("rows", a.rows, b.rows);
    same("cells_set", a.cells_set, b.cells_set);
    same("cells_estimate", a.cells_estimate, b.cells_estimate);
    same("min_timestamp", a.min_timestamp_us, b.min_timestamp_us);
    same("max_timestamp", a.max_timestamp_us, b.max_timestamp_us);
    same("min_ldt", a.min_local_deletion_time_s, b.min_local_deletion_time_s);
    same("max_ldt", a.max_local_deletion_time_s, b.max_local_deletion_time_s);
    same("min_ttl", a.min_ttl_s, b.min_ttl_s);
    same("max_ttl", a.max_ttl_s, b.max_ttl_s);
    same("level", a.level, b.level);
    same("first_token", a.first_token, b.first_token);
    same("last_token", a.last_token, b.last_token);
    same("created_ms", a.created_ms, b.created_ms);
    same("droppable_ratio_now", a.droppable_ratio_now, b.droppable_ratio_now);
    same("drop_times", a.drop_times, b.drop_times);
    same("partition_sizes", a.partition_sizes, b.partition_sizes);
    same("cell_counts", a.cell_counts, b.cell_counts);
    same("stored_coverage", a.stored_coverage, b.stored_coverage);
    same("span", a.span, b.span);
    same("density", a.density, b.density);
  }

  static std::string describe(const TraceEvent& event) {
    struct Describe {
      std::string operator()(const TraceAlter& e) const { return fmt::format("alter at {}", e.t_s); }
      std::string operator()(const TraceRepair& e) const { return fmt::format("repair at {}", e.t_s); }
      std::string operator()(const TraceRepairFinished& e) const {
        return fmt::format("end of a session at {}", e.t_s);
      }
      std::string operator()(const TraceMajor& e) const { return fmt::format("major compaction at {}", e.t_s); }
      std::string operator()(const TraceFlush& e) const { return fmt::format("flush at {}", e.t_s); }
      std::string operator()(const TracePick& e) const {
        return fmt::format("pick {} at {} of {}", e.pick, e.t_s, shown(e.inputs));
      }
      std::string operator()(const TraceCommit& e) const { return fmt::format("commit {} at {}", e.pick, e.t_s); }
      std::string operator()(const TraceLevelChange& e) const { return fmt::format("level change at {}", e.t_s); }
      std::string operator()(const TraceNullTicks& e) const { return fmt::format("{} empty pick loops", e.count); }
      std::string operator()(const TraceSample& e) const { return fmt::format("sample at {}", e.t_s); }
      std::string operator()(const TraceEnd& e) const { return fmt::format("end at {}", e.t_s); }
    };
    return std::visit(Describe{}, event);
  }

  std::size_t event_ = 0;
  std::string where_;
  std::vector<Disagreement> found_;
};

}  // namespace

std::vector<Disagreement> compare(const Trace& recorded, const Trace& ours) {
  return Comparison().compare(recorded, ours);
}

std::string text_of(const std::vector<Disagreement>& disagreements, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, disagreements.size()); ++i) {
    const Disagreement& d = disagreements[i];
    text += fmt::format("event {}, {}: {} is {}, ours {}\n", d.event, d.where, d.field, d.recorded, d.ours);
  }
  if (disagreements.size() > most) text += fmt::format("and {} more\n", disagreements.size() - most);
  return text;
}

}  // namespace windrow::witness
