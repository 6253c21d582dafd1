#include "sim/cluster/cluster.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/base/check.h"
#include "sim/cluster/hints.h"
#include "sim/cluster/keyed_exchange.h"
#include "sim/cluster/ledger.h"
#include "sim/cluster/node_watch.h"
#include "sim/cluster/not_played.h"
#include "sim/cluster/read_repair.h"
#include "sim/cluster/repairs.h"
#include "sim/cluster/replacement.h"
#include "sim/content/keyed_write.h"
#include "sim/content/measure.h"
#include "sim/content/merge.h"
#include "sim/scenario/node_count.h"

namespace windrow {

namespace {

constexpr Micros dispatch_period_us = 10 * us_per_s;  // HintsDispatchTrigger, Cassandra 5.0.9
constexpr Bytes hint_overhead_bytes = 50;             // of a hint in its file, beside what it writes

/// An instant at which nodes are changed from outside. At one time in this order.
struct Barrier {
  enum class Kind { outage_end, replacement, hints, repair_end, outage_begin, repair_begin, pause };
  Micros at_us = 0;
  Kind kind = Kind::pause;
  int number = 0;  // of the outage, node or repair
  friend auto operator<=>(const Barrier&, const Barrier&) = default;
};

FileExtremes measured(const ContentSpace& space, const Content& content) {
  if (space.counted_by_intervals(content.cohorts)) return measure_by_intervals(space, content).extremes;
  return measure_by_rows(space, content).first;
}

class Cluster {
 public:
  Cluster(const Scenario& scenario, std::span<RunObserver* const> observers, const RunOptions& options,
          const AtOnce& at_once);
  FaultRecord play();

 private:
  int count() const { return record_.nodes; }
  Node& node(int number) { return *nodes_[static_cast<std::size_t>(number)]; }
  bool is_away(int number) const { return away_[static_cast<std::size_t>(number)]; }
  void add(Micros at_us, Barrier::Kind kind, int number) {
    if (at_us < scenario_.end_us) barriers_.push_back({at_us, kind, number});
  }
  bool play_until(Micros at_us);
  void meet(const Barrier& barrier);
  void go_away(const OutageTime& outage);
  void come_back(const OutageTime& outage);
  void replace(int number);
  void fill(const OutageTime& outage, const std::vector<ReplacementSource>& sources);
  void missed(const OutageTime& outage, Micros until_us);
  std::optional<Micros> first_accepted_write(int number, Micros from_us, Micros to_us) const;
  std::vector<std::vector<Cohort>> hinted(int number, std::span<const HintsFor::Span> spans);
  void deliver(int number);
  void add(int repair, const std::optional<Repairs::Next>& next);
  const TableReplicas& table(int t) const { return tables_[static_cast<std::size_t>(t)]; }

  const Scenario& scenario_;
  const RunOptions& options_;
  const AtOnce& at_once_;
  RingRows ring_;
  std::vector<RunOptions> node_options_{};  // by node
  std::vector<std::unique_ptr<NodeWatch>> watches_{};
  Replicas nodes_{};
  std::vector<TableReplicas> tables_{};
  std::unique_ptr<Ledger> ledger_{};
  std::vector<Barrier> barriers_{};
  std::vector<bool> away_{};
  std::vector<HintsFor> hints_{};
  std::vector<Micros> hints_due_us_{};  // when a node's hints have been sent
  Micros settled_us_ = 0;               // all that happened until then has been told
  FaultRecord record_{};
  std::optional<Repairs> repairs_{};
  std::optional<ReadRepairs> read_repairs_{};
};

Cluster::Cluster(const Scenario& scenario, std::span<RunObserver* const> observers, const RunOptions& options,
                 const AtOnce& at_once)
    : scenario_(scenario), options_(options), at_once_(at_once), ring_(scenario) {
  refuse_what_is_not_played(ring_.whole(), scenario, ring_.all_alike());
  refuse_impossible_repairs(scenario);
  const int count = node_count(scenario.data_centers);
  if (count > 64) throw std::invalid_argument("not modelled yet: outages and repairs with more than 64 replicas");
  record_.nodes = count;
  record_.recorded_node = recorded_node(scenario);
  record_.outages = outage_times(scenario);
  node_options_.assign(static_cast<std::size_t>(count), options);
  for (int i = 0; i < count; ++i) {
    RunOptions& of_node = node_options_[static_cast<std::size_t>(i)];
    of_node.local_ranges.assign(scenario.tables.size(), ring_.local_ranges(i));
    watches_.push_back(std::make_unique<NodeWatch>(i, scenario, observers[static_cast<std::size_t>(i)]));
    nodes_.push_back(std::make_unique<Node>(scenario, ring_.of_node(i), *watches_.back(), of_node));
  }
  for (int t = 0; t < std::ssize(scenario.tables); ++t) tables_.emplace_back(ring_, nodes_, t);
  ledger_ = std::make_unique<Ledger>(tables_);
  for (const auto& watch : watches_) watch->follow(*ledger_);
  if (scenario.node.lost_mutations_ppm > 0) {
    for (int i = 0; i < count; ++i) node(i).lose_what_is_lost_by(i);
  }
  settled_us_ = scenario.start_us;
  away_.resize(nodes_.size());
  hints_.resize(nodes_.size());
  hints_due_us_.assign(nodes_.size(), Node::never);
  const RepairedCluster repaired{.scenario = scenario,
                                 .ring = ring_,
                                 .nodes = nodes_,
                                 .tables = tables_,
                                 .watches = watches_,
                                 .away = away_,
                                 .ledger = *ledger_,
                                 .record = record_};
  repairs_.emplace(repaired);
  read_repairs_.emplace(repaired);
}

void Cluster::add(int repair, const std::optional<Repairs::Next>& next) {
  if (next) add(next->at_us, next->ends ? Barrier::Kind::repair_end : Barrier::Kind::repair_begin, repair);
}

bool Cluster::play_until(Micros at_us) {
  at_once_(nodes_.size(), [&](std::size_t i) {
    nodes_[i]->play_until(at_us);
    nodes_[i]->take_arrivals();
  });
  ledger_->settle();
  if (scenario_.node.lost_mutations_ppm > 0) {
    for (int i = 0; i < count(); ++i) ledger_->lost(i, settled_us_, at_us);
  }
  settled_us_ = at_us;
  return !options_.go_on || options_.go_on(at_us);
}

FaultRecord Cluster::play() {
  for (int i = 0; i < std::ssize(record_.outages); ++i) {
    add(record_.outages[static_cast<std::size_t>(i)].from_us, Barrier::Kind::outage_begin, i);
    add(record_.outages[static_cast<std::size_t>(i)].to_us, Barrier::Kind::outage_end, i);
  }
  for (int i = 0; i < std::ssize(scenario_.repairs); ++i) add(i, repairs_->first(i));
  add(scenario_.start_us, Barrier::Kind::pause, 0);
  while (!barriers_.empty()) {
    const auto next = std::ranges::min_element(barriers_);
    const Barrier barrier = *next;
    barriers_.erase(next);
    if (!play_until(barrier.at_us)) return record_;
    meet(barrier);
  }
  if (!play_until(scenario_.end_us)) return record_;
  for (const OutageTime& outage : record_.outages) {
    const bool has_a_disk = outage.ends == OutageSpec::Ends::returns;
    if (outage.to_us >= scenario_.end_us && has_a_disk) missed(outage, scenario_.end_us);
  }
  for (const auto& each : nodes_) each->check_balance();
  repairs_->finish();
  for (const auto& watch : watches_) {
    const std::vector<NodeRepairs> of_node = watch->traces().finish(scenario_.end_us);
    record_.node_repairs.insert(record_.node_repairs.end(), of_node.begin(), of_node.end());
  }
  record_.suspects = ledger_->finish(scenario_.end_us);
  record_.purges = ledger_->purges();
  for (int t = 0; t < std::ssize(scenario_.tables); ++t) {
    record_.has_deletes.push_back(ledger_->has_deletes(t));
    record_.gc_grace_s.push_back(node(0).table(t).settings().gc_grace_s);
  }
  return std::move(record_);
}

void Cluster::meet(const Barrier& barrier) {
  const auto place = static_cast<std::size_t>(barrier.number);
  switch (barrier.kind) {
    case Barrier::Kind::outage_begin:
      if (is_away(record_.outages[place].node)) {
        record_.outages[place].to_us = barrier.at_us;  // it still waits to be replaced
      } else {
        go_away(record_.outages[place]);
      }
      return;
    case Barrier::Kind::outage_end:
      if (record_.outages[place].to_us == record_.outages[place].from_us) return;
      if (record_.outages[place].ends == OutageSpec::Ends::returns) {
        come_back(record_.outages[place]);
      } else {
        add(barrier.at_us, Barrier::Kind::replacement, barrier.number);
      }
      return;
    case Barrier::Kind::replacement:
      replace(barrier.number);
      return;
    case Barrier::Kind::hints:
      if (hints_due_us_[place] == barrier.at_us) deliver(barrier.number);
      return;
    case Barrier::Kind::repair_begin:
      add(barrier.number, repairs_->begin_step(barrier.number));
      return;
    case Barrier::Kind::repair_end:
      add(barrier.number, repairs_->end_step(barrier.number));
      return;
    case Barrier::Kind::pause:
      read_repairs_->read_until(barrier.at_us);
      add(barrier.at_us + scenario_.sample_us, Barrier::Kind::pause, 0);
      return;
  }
}

void Cluster::go_away(const OutageTime& outage) {
  if (outage.kind == OutageSpec::Kind::down) node(outage.node).down();
  if (outage.kind == OutageSpec::Kind::cut_off) node(outage.node).cut_off();
  if (outage.ends == OutageSpec::Ends::replaced) {
    hints_[static_cast<std::size_t>(outage.node)].take();
    node(outage.node).lose_disk();
    ledger_->settle();
  }
  away_[static_cast<std::size_t>(outage.node)] = true;
  hints_due_us_[static_cast<std::size_t>(outage.node)] = Node::never;
  repairs_->lost(outage.node);
}

void Cluster::missed(const OutageTime& outage, Micros until_us) {
  ledger_->missed(outage.node, outage.from_us, until_us, node(outage.node).now_us(), outage.name);
}

std::optional<Micros> Cluster::first_accepted_write(int number, Micros from_us, Micros to_us) const {
  std::optional<Micros> first;
  for (const TableReplicas& of : tables_) {
    const TableWorkload& workload = of.store(number).space().workload();
    const std::optional<Micros> keyed_us = first_keyed_write_missed(of, number, from_us, to_us);
    if (keyed_us) first = std::min(*keyed_us, first.value_or(*keyed_us));
    for (int s = 0; s < std::ssize(workload.sub_streams()); ++s) {
      const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
      if (sub.lost_by() == number || workload.keyed(s)) continue;
      for (const Cohort& part : of.to_node(number, of.accepted(s, from_us, to_us))) {
        const Micros at_us = sub.arrival(of.store(number).space().outer_ends(part).first) * sub.writer().unit_us;
        if (!first || at_us < *first) first = at_us;
      }
    }
  }
  return first;
}

void Cluster::come_back(const OutageTime& outage) {
  const auto place = static_cast<std::size_t>(outage.node);
  missed(outage, outage.to_us);
  hints_[place].keep(scenario_.node, outage.from_us, outage.to_us,
                     first_accepted_write(outage.node, outage.from_us, outage.to_us));
  if (outage.kind == OutageSpec::Kind::down) node(outage.node).up();
  if (outage.kind == OutageSpec::Kind::cut_off) node(outage.node).reached_again();
  away_[place] = false;
  if (!hints_[place].any()) return;
  double bytes = 0;
  const std::vector<std::vector<Cohort>> waiting = hinted(outage.node, hints_[place].spans());
  for (int t = 0; t < std::ssize(waiting); ++t) {
    const std::vector<Cohort>& of_table = waiting[static_cast<std::size_t>(t)];
    if (of_table.empty()) continue;
    Memtable all_of_it(node(outage.node).table(t).space());
    all_of_it.take_hinted(of_table);
    Content content = all_of_it.raw();
    content.bases = {};
    const FileExtremes all = measured(node(outage.node).table(t).space(), content);
    bytes += static_cast<double>(all.uncompressed_bytes + hint_overhead_bytes * all.rows);
  }
  const double sent_us = bytes * us_per_s / scenario_.node.hinted_handoff_throttle_bytes_per_s;
  hints_due_us_[place] = outage.to_us + dispatch_period_us + std::llround(sent_us);
  add(hints_due_us_[place], Barrier::Kind::hints, outage.node);
}

void Cluster::replace(int number) {
  OutageTime& outage = record_.outages[static_cast<std::size_t>(number)];
  const Micros now_us = node(0).now_us();
  const auto sources = replacement_sources(ring_, outage.node, away_);
  if (!sources) {
    // As an operator would have to: once another node has come back, or never.
    outage.to_us = scenario_.end_us;
    for (const OutageTime& other : record_.outages) {
      const bool comes_back = is_away(other.node) && other.node != outage.node && other.to_us > now_us;
      if (comes_back && other.from_us <= now_us) outage.to_us = std::min(outage.to_us, other.to_us);
    }
    add(outage.to_us, Barrier::Kind::replacement, number);
    return;
  }
  node(outage.node).up();
  away_[static_cast<std::size_t>(outage.node)] = false;
  fill(outage, *sources);
}

void Cluster::fill(const OutageTime& outage, const std::vector<ReplacementSource>& sources) {
  Node& fresh = node(outage.node);
  for (int t = 0; t < fresh.table_count(); ++t) {
    Replacement sent{.outage = outage.name, .table = t, .node = outage.node, .at_us = fresh.now_us()};
    std::vector<Cohort> rows;
    for (const ReplacementSource& source : sources) {
      node(source.node).flush(t);
      std::vector<SentFile> files = files_to_send(table(t), source, outage.node, fresh.now_us());
      if (!files.empty()) sent.sources.push_back(source.node);
      for (SentFile& file : files) {
        sent.rows += counted_rows(fresh.table(t).space(), file.content);
        std::vector<Cohort> brought = table(t).to_cluster(outage.node, file.content.cohorts);
        std::ranges::move(brought, std::back_inserter(rows));
        for (const SSTablePtr& made : fresh.stream_in(t, std::move(file.content), file.repair)) {
          sent.bytes += made->bytes_on_disk();
          ++sent.sstables;
        }
      }
    }
    fresh.streams_are_in(t);
    ledger_->replaced(outage.node, t, fresh.now_us(), rows);
    record_.replacements.push_back(std::move(sent));
  }
}

/// By table; what is too old, reached nobody or is there already is not among them.
std::vector<std::vector<Cohort>> Cluster::hinted(int number, std::span<const HintsFor::Span> spans) {
  std::vector<std::vector<Cohort>> all;
  for (int t = 0; t < node(number).table_count(); ++t) {
    const TableStore& store = node(number).table(t);
    const TableWorkload& workload = store.space().workload();
    std::vector<Cohort>& of_table = all.emplace_back();
    for (int s = 0; s < static_cast<int>(workload.sub_streams().size()); ++s) {
      const SubStream& sub = workload.sub_streams()[static_cast<std::size_t>(s)];
      if (sub.lost_by() == number || workload.keyed(s)) continue;
      const bool tombstones = sub.brings() == Brings::row_tombstones;
      const Seconds ttl_s = tombstones ? 0 : sub.ttl_s(store.settings().default_ttl_s);
      for (const HintsFor::Span& span : spans) {
        // Hint.isLive: created + gc_grace > now.
        const Micros dead_us = node(number).now_us() - store.settings().gc_grace_s * us_per_s;
        const Micros from_us = std::max(span.from_us, dead_us + 1);
        if (from_us >= span.to_us) continue;
        std::vector<Cohort> members = ring_.held_by(number, table(t).accepted(s, from_us, span.to_us));
        const SortedRows there(table(t).members_on(number, s));
        members = table(t).to_node(number, there.missing_of(table(t).space(), members));
        for (Cohort& part : members) {
          part.state = tombstones ? RowState::row_tombstone : RowState::live;
          part.ttl_s = static_cast<std::int32_t>(ttl_s);
          of_table.push_back(part);
        }
      }
    }
    for (const HintsFor::Span& span : spans) {
      const Micros dead_us = node(number).now_us() - store.settings().gc_grace_s * us_per_s;
      std::ranges::move(keyed_hints_for(table(t), number, std::max(span.from_us, dead_us + 1), span.to_us),
                        std::back_inserter(of_table));
    }
  }
  return all;
}

void Cluster::deliver(int number) {
  const auto place = static_cast<std::size_t>(number);
  hints_due_us_[place] = Node::never;
  const std::vector<HintsFor::Span> spans = hints_[place].take();
  const std::vector<std::vector<Cohort>> all = hinted(number, spans);
  for (int t = 0; t < std::ssize(all); ++t) {
    if (all[static_cast<std::size_t>(t)].empty()) continue;
    node(number).hinted(t, all[static_cast<std::size_t>(t)]);
    std::vector<Cohort> rows = all[static_cast<std::size_t>(t)];
    std::erase_if(rows, [&](const Cohort& part) { return is_keyed_hint(table(t).space().workload(), part); });
    const Ledger::Brought brought{.node = number, .rows = table(t).to_cluster(number, std::move(rows))};
    ledger_->received(t, node(number).now_us(), "hints", true, std::span(&brought, 1));
  }
  // Of what was written within the window and deleted after it the write has come, and the delete has not.
  for (const OutageTime& outage : record_.outages) {
    const bool hinted_then = std::ranges::find(spans, outage.from_us, &HintsFor::Span::from_us) != spans.end();
    if (outage.node != number || !hinted_then) continue;
    missed(outage, outage.to_us);
    // What was deleted since then may have been lost before the write came.
    if (scenario_.node.lost_mutations_ppm > 0) ledger_->lost(number, outage.from_us, node(number).now_us());
  }
}

}  // namespace

FaultRecord play_cluster(const Scenario& scenario, std::span<RunObserver* const> observers, const RunOptions& options,
                         const AtOnce& at_once) {
  return Cluster(scenario, observers, options, at_once).play();
}

FaultRecord play_cluster(const Scenario& scenario, RunObserver& observer, const RunOptions& options,
                         const AtOnce& at_once) {
  std::vector<RunObserver*> observers(64, nullptr);
  observers[static_cast<std::size_t>(recorded_node(scenario))] = &observer;
  return play_cluster(scenario, observers, options, at_once);
}

}  // namespace windrow
