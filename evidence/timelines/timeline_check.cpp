#include "evidence/timelines/timeline_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "evidence/timelines/row_fates.h"
#include "evidence/timelines/seen_content.h"
#include "evidence/timelines/timeline_replay.h"

namespace windrow {
namespace {

std::string node_name(int node) { return std::string(1, static_cast<char>('A' + node)); }

std::string node_names(const std::vector<int>& nodes) {
  std::string all;
  for (const int node : nodes) all += node_name(node);
  return all.empty() ? "none" : all;
}

std::string text(const std::vector<ReturnedRow>& rows) {
  std::string all;
  for (const ReturnedRow& row : rows) {
    all += fmt::format("{}{}/{} '{}' @{}", all.empty() ? "" : ", ", row.partition, row.clustering,
                       row.value.value_or("null"), row.timestamp_us.value_or(0));
    if (row.ttl_left_s) all += fmt::format(" for {} s", *row.ttl_left_s);
  }
  return all.empty() ? "no rows" : all;
}

std::string_view action_name(TimelineAction action) {
  using enum TimelineAction;
  switch (action) {
    case insert:
      return "insert";
    case remove:
      return "delete";
    case flush:
      return "flush";
    case compact:
      return "compact";
    case repair:
      return "repair";
    case repair_across_clock_move:
      return "repair_across_clock_move";
    case read:
      return "read";
    case scan:
      return "scan";
    case clock:
      return "clock";
    case down:
      return "down";
    case up:
      return "up";
    case kill:
      return "kill";
    case start:
      return "start";
    case replace:
      return "replace";
    case nodetool:
      return "nodetool";
    case note_hints:
      return "note_hints";
    case alter_table:
      return "alter_table";
    case wait:
      return "wait";
  }
  return "";
}

class Check {
 public:
  Check(const TimelineCase& of, const TimelineRing& ring, const ReplicaRules& rules)
      : case_(of), replay_(of, ring, rules), seconds_(of), fates_(of) {
    for (const auto& [key, order] : of.replica_order) {
      const auto token = of.tokens.find(key);
      if (token != of.tokens.end() && ring.replicas(token->second) != order)
        throw TimelineError(
            of.line,
            fmt::format("replica_order of '{}' is not that of the ring: the case was recorded on another one", key));
    }
    result_.name = of.name;
    result_.judged = !of.chance;
    looked_at_.resize(static_cast<std::size_t>(of.nodes));
  }

  TimelineResult run() {
    auto seen = case_.observations.begin();
    for (step_ = 0; step_ < case_.steps.size(); ++step_) {
      const TimelineStep& step = case_.steps[step_];
      std::vector<const Observation*> here;
      for (; seen != case_.observations.end() && seen->after_step == step_; ++seen) here.push_back(&*seen);
      play(step, here);
      fates_.wrote(step);
      for (const Observation* one : here) compare(*one);
      if (step.observed || !here.empty()) after_look(here);
    }
    for (const RowFate& fate : fates_.finish()) {
      result_.counts.verdicts.count(fate.difference.empty());
      if (!fate.difference.empty())
        differ(fate.step, {}, fmt::format("the old value of {}", fate.row), fate.expected, fate.difference);
    }
    return std::move(result_);
  }

 private:
  void differ(std::size_t step, std::optional<int> node, std::string what, std::string expected, std::string ours) {
    const TimelineStep& at = case_.steps[step];
    result_.differences.push_back(
        {.where = fmt::format("step {} {} at {} s{}", step, action_name(at.action),
                              at.begin_ms / ms_per_s - case_.start_s, node ? ", node " + node_name(*node) : ""),
         .what = std::move(what),
         .expected = std::move(expected),
         .ours = std::move(ours)});
  }

  void play(const TimelineStep& step, const std::vector<const Observation*>& here) {
    if (step.action == TimelineAction::compact) {
      for (const int node : step.nodes) compact(step, node, here);
      return;
    }
    const PlayedStep played = replay_.play(step);
    if (step.action == TimelineAction::read || step.action == TimelineAction::scan) compare_read(step, played);
    if (step.action == TimelineAction::note_hints) compare_hints(step);
    if (step.action != TimelineAction::repair) return;
    result_.counts.repairs.count(played.repaired == step.ok);
    if (played.repaired != step.ok)
      differ(step_, {}, "repair", step.ok ? "accepted" : "refused", played.repaired ? "accepted" : "refused");
  }

  /// In which second of its step a compaction ran is not recorded: the first that leads to what was seen.
  void compact(const TimelineStep& step, int node, const std::vector<const Observation*>& here) {
    const auto seen =
        std::ranges::find_if(here, [&](const Observation* one) { return one->node == node && one->content; });
    const Seconds first_s = step.begin_ms / ms_per_s;
    const Seconds last_s = seen == here.end() ? first_s : step.end_ms / ms_per_s;
    const Replica before = replay_.replica(node);
    for (Seconds now_s = first_s; now_s <= last_s; ++now_s) {
      replay_.replica(node) = before;
      replay_.compact(node, now_s);
      if (now_s == last_s || !content_difference(**seen)) return;
    }
  }

  void compare_read(const TimelineStep& step, const PlayedStep& played) {
    bool agrees = true;
    if (step.action == TimelineAction::read && played.contacted != step.contacted) {
      agrees = false;
      differ(step_, {}, "who is asked", node_names(step.contacted), node_names(played.contacted));
    }
    const Seconds span_s = step.end_ms / ms_per_s - step.begin_ms / ms_per_s;
    const auto same = [&](const ReturnedRow& seen, const ReturnedRow& ours) {
      if (seen.partition != ours.partition || seen.clustering != ours.clustering || seen.value != ours.value ||
          seen.timestamp_us != ours.timestamp_us)
        return false;
      if (step.action == TimelineAction::scan) return true;  // a scan did not ask for it
      if (seen.ttl_left_s.has_value() != ours.ttl_left_s.has_value()) return false;
      if (!seen.ttl_left_s) return true;
      const Seconds later_s = *seen.ttl_left_s - *ours.ttl_left_s;
      return later_s >= -span_s && later_s <= seconds_.span(*ours.timestamp_us);
    };
    if (!std::ranges::equal(step.rows, played.rows, same)) {
      agrees = false;
      differ(step_, {}, "rows", text(step.rows), text(played.rows));
    }
    result_.counts.reads.count(agrees);
  }

  /// Files hold the hints for all tables together: there are at least ours.
  void compare_hints(const TimelineStep& step) {
    for (int node = 0; node < case_.nodes; ++node) {
      const std::int64_t seen = step.hint_files[static_cast<std::size_t>(node)];
      const std::int64_t ours = replay_.hint_files(node);
      result_.counts.hint_files.count(ours <= seen);
      if (ours > seen)
        differ(step_, node, "hint files", fmt::format("{} of all tables", seen), fmt::format("{} of this table", ours));
    }
  }

  std::optional<ContentDifference> content_difference(const Observation& seen) {
    const Replica& replica = replay_.replica(seen.node);
    KeyedContent ours;
    if (seen.partition) {
      KeyedPartition partition = replica.merged(case_.tokens.at(*seen.partition), replay_.values());
      if (!partition.empty()) ours.push_back(std::move(partition));
    } else {
      ours = whole_content(replica, replay_.values());
    }
    return first_difference(whole_content(seen, replay_.values()), std::move(ours), seconds_, case_, replay_.values());
  }

  void compare(const Observation& seen) {
    if (!seen.content) {
      compare_list(seen);
      return;
    }
    const auto difference = content_difference(seen);
    result_.counts.contents.count(!difference);
    if (difference) differ(step_, seen.node, "holds " + difference->where, difference->expected, difference->ours);
    if (!seen.files) return;
    ContentByState theirs = content_by_state(seen, replay_.values());
    ContentByState ours = content_by_state(replay_.replica(seen.node), replay_.values());
    bool agrees = true;
    for (std::size_t state = 0; state < seen_states && agrees; ++state) {
      const auto within =
          first_difference(std::move(theirs[state]), std::move(ours[state]), seconds_, case_, replay_.values());
      agrees = !within;
      if (within && !difference)
        differ(step_, seen.node, fmt::format("{} {}", seen_state_name(static_cast<SeenState>(state)), within->where),
               within->expected, within->ours);
    }
    result_.counts.by_state.count(agrees);
  }

  void compare_list(const Observation& seen) {
    const Replica& replica = replay_.replica(seen.node);
    std::vector<std::string> theirs;
    std::vector<std::string> ours;
    for (const SeenFile& file : *seen.files) theirs.push_back(file_line(file));
    for (const ReplicaFile& file : replica.files()) ours.push_back(file_line(file));
    std::ranges::sort(theirs);
    std::ranges::sort(ours);
    const auto first = std::ranges::mismatch(theirs, ours);
    const bool exact = first.in1 == theirs.end() && first.in2 == ours.end();
    result_.counts.lists.count(exact);
    if (exact) return;
    if (replay_.compacts_by_itself() || replay_.groups_unknown()) {
      compare_rows(seen);
      return;
    }
    differ(step_, seen.node, "SSTables", first.in1 == theirs.end() ? "no more" : *first.in1,
           first.in2 == ours.end() ? "no more" : *first.in2);
  }

  /// Where files depend on what is not recorded: rows of each state. Groups of an anticompaction leave their sums;
  /// automatic compaction may have merged anything, and turned pending files into repaired ones.
  void compare_rows(const Observation& seen) {
    auto theirs = rows_by_state(*seen.files);
    auto ours = rows_by_state(replay_.replica(seen.node), replay_.values());
    constexpr auto pending = static_cast<std::size_t>(SeenState::pending);
    constexpr auto repaired = static_cast<std::size_t>(SeenState::repaired);
    const bool merges = replay_.compacts_by_itself();
    if (merges) {
      theirs[repaired] += std::exchange(theirs[pending], 0);
      ours[repaired].all += std::exchange(ours[pending].all, 0);
    }
    bool agrees = true;
    for (std::size_t state = 1; state < seen_states; ++state) {
      const Rows least = merges ? ours[state].merged : ours[state].all;
      if (theirs[state] >= least && theirs[state] <= ours[state].all) continue;
      agrees = false;
      differ(step_, seen.node, fmt::format("{} rows", seen_state_name(static_cast<SeenState>(state))),
             fmt::format("{}", theirs[state]), fmt::format("{} to {}", least, ours[state].all));
    }
    result_.counts.rough_lists.count(agrees);
  }

  /// The recorder tells when a replica's content changed: where it tells nothing, ours is as it was.
  void compare_unchanged(int node, const Replica& before) {
    const Replica& now = replay_.replica(node);
    if (before.changes() == now.changes()) return;
    const auto difference = first_difference(whole_content(before, replay_.values()),
                                             whole_content(now, replay_.values()), seconds_, case_, replay_.values());
    result_.counts.unchanged.count(!difference);
    if (difference)
      differ(step_, node, "holds what no one saw change: " + difference->where, difference->expected, difference->ours);
  }

  /// Of a replica whose process is dead it is known what it showed last; of one that was never looked at, nothing.
  void after_look(const std::vector<const Observation*>& here) {
    for (int node = 0; node < case_.nodes; ++node) {
      if (!replay_.running(node)) continue;
      std::optional<Replica>& known = looked_at_[static_cast<std::size_t>(node)];
      const Replica& replica = replay_.replica(node);
      if (known && std::ranges::find(here, node, &Observation::node) == here.end()) compare_unchanged(node, *known);
      if (!known || known->changes() != replica.changes()) known = replica;
    }
    fates_.looked(step_,
                  [&](int node, Token token, std::int64_t clustering) { return shown(node, token, clustering); });
  }

  std::optional<KeyedCell> shown(int node, Token token, std::int64_t clustering) {
    const std::optional<Replica>& replica = looked_at_[static_cast<std::size_t>(node)];
    if (!replica) return std::nullopt;
    Shown& known = shown_[{node, token, clustering}];
    if (known.changes == replica->changes()) return known.cell;
    known = {.changes = replica->changes(), .cell = {}};
    const KeyedPartition partition = replica->merged(token, replay_.values());
    const auto row = std::ranges::lower_bound(partition.rows, clustering, {}, &KeyedRow::clustering);
    if (row == partition.rows.end() || row->clustering != clustering) return std::nullopt;
    if (!row->cells.empty() && row->cells.front().column == 0) known.cell = row->cells.front();
    return known.cell;
  }

  struct Shown {
    std::int64_t changes = -1;
    std::optional<KeyedCell> cell{};
  };

  const TimelineCase& case_;
  TimelineReplay replay_;
  WriteSeconds seconds_;
  RowFates fates_;
  std::vector<std::optional<Replica>> looked_at_{};
  std::map<std::tuple<int, Token, std::int64_t>, Shown> shown_{};
  std::size_t step_ = 0;
  TimelineResult result_{};
};

}  // namespace

void TimelineCounts::add(const TimelineCounts& more) {
  reads.add(more.reads);
  contents.add(more.contents);
  by_state.add(more.by_state);
  unchanged.add(more.unchanged);
  repairs.add(more.repairs);
  verdicts.add(more.verdicts);
  lists.add(more.lists);
  rough_lists.add(more.rough_lists);
  hint_files.add(more.hint_files);
}

std::vector<std::pair<std::string, AgreedCount>> named_counts(const TimelineCounts& counts) {
  return {{"reads", counts.reads},
          {"contents of replicas", counts.contents},
          {"contents by repair state", counts.by_state},
          {"unchanged replicas", counts.unchanged},
          {"repairs", counts.repairs},
          {"rows with a verdict", counts.verdicts},
          {"lists of SSTables", counts.lists},
          {"other lists by rows of a state", counts.rough_lists},
          {"lists of hint files", counts.hint_files}};
}

TimelineResult check_timeline(const TimelineCase& of, const TimelineRing& ring, const ReplicaRules& rules) {
  return Check(of, ring, rules).run();
}

}  // namespace windrow
