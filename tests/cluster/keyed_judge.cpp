#include "tests/cluster/keyed_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/content/keyed_write.h"

namespace windrow_test {

using namespace windrow;

namespace {

bool covers(const KeyedPartition& mutation, std::int64_t clustering) {
  if (mutation.deletion) return true;
  if (!mutation.ranges.empty()) return mutation.ranges[0].from <= clustering && clustering < mutation.ranges[0].to;
  return mutation.rows.front().clustering == clustering;
}

/// From when on what the write hides is as good as deleted; nothing: never.
std::optional<Seconds> dead_from(const KeyedPartition& mutation) {
  if (mutation.deletion) return mutation.deletion->local_deletion_time_s;
  if (!mutation.ranges.empty()) return mutation.ranges[0].deletion.local_deletion_time_s;
  const KeyedRow& row = mutation.rows.front();
  if (row.deletion) return row.deletion->local_deletion_time_s;
  if (row.liveness && row.liveness->ttl_s > 0) return row.liveness->expiry_s;
  return std::nullopt;
}

Micros timestamp_of(const KeyedPartition& mutation) {
  if (mutation.deletion) return mutation.deletion->timestamp_us;
  if (!mutation.ranges.empty()) return mutation.ranges[0].deletion.timestamp_us;
  const KeyedRow& row = mutation.rows.front();
  return row.deletion ? row.deletion->timestamp_us : row.liveness->timestamp_us;
}

/// Until when an older value of the row would be seen; nothing: there is none.
std::optional<Seconds> older_value(const KeyedPartition& partition, std::int64_t clustering, Micros timestamp_us,
                                   Seconds dead_s) {
  std::optional<Seconds> until;
  for (const KeyedRow& row : partition.rows) {
    if (row.clustering != clustering) continue;
    const auto see = [&](Micros at_us, Seconds expiry_s) {
      if (at_us < timestamp_us && expiry_s > dead_s) until = std::max(until.value_or(expiry_s), expiry_s);
    };
    if (row.liveness) see(row.liveness->timestamp_us, row.liveness->expiry_s);
    for (const KeyedCell& cell : row.cells) {
      if (cell.kind != CellKind::tombstone) see(cell.timestamp_us, cell.local_deletion_time_s);
    }
  }
  return until;
}

/// Newer liveness hides no older cell: what counts is what hides the value that the scenarios' rows all have.
bool knows(const KeyedPartition& partition, std::int64_t clustering, Micros timestamp_us) {
  Micros newest = no_timestamp;
  bool any = false;
  const auto see = [&](Micros at_us) {
    newest = any ? std::max(newest, at_us) : at_us;
    any = true;
  };
  if (partition.deletion) see(partition.deletion->timestamp_us);
  for (const KeyedRange& range : partition.ranges) {
    if (range.from <= clustering && clustering < range.to) see(range.deletion.timestamp_us);
  }
  for (const KeyedRow& row : partition.rows) {
    if (row.clustering != clustering) continue;
    if (row.deletion) see(row.deletion->timestamp_us);
    for (const KeyedCell& cell : row.cells) see(cell.timestamp_us);
  }
  return any && newest >= timestamp_us;
}

}  // namespace

/// Writes down what changes on a node.
class KeyedJudge::Watch final : public RunObserver {
 public:
  Watch(KeyedJudge& judge, int node) : judge_(judge), node_(node) {}
  void flushed(const Node&, const FlushEvent& event) override {
    add(Event::Kind::flushed, event.at_us, {}, *event.change, 0);
    if (event.reason == FlushReason::action) outside_us_ = event.at_us;
  }
  void restarted(const Node& node) override { outside_us_ = node.now_us(); }
  void streamed(const Node&, const StreamEvent& event) override {
    outside_us_ = event.at_us;
    add(Event::Kind::streamed, event.at_us, {}, *event.change, 0);
  }
  void committed(const Node&, const CommitEvent& event) override {
    add(Event::Kind::committed, event.at_us, event.removed, *event.change, event.job->task.started_s);
  }

 private:
  void add(Event::Kind kind, Micros at_us, std::span<const SSTablePtr> removed, const Change& change, Seconds now_s) {
    Event& event = judge_.events_.emplace_back(Event{.at_us = at_us, .node = node_, .kind = kind, .now_s = now_s});
    event.late = kind == Event::Kind::streamed || at_us == outside_us_;
    for (const SSTablePtr& file : removed) event.removed.push_back(file->id());
    for (const SSTablePtr& file : change.added) event.added.emplace_back(file->id(), file->content().keyed);
  }

  KeyedJudge& judge_;
  int node_ = 0;
  Micros outside_us_ = -1;
};

KeyedJudge::KeyedJudge(const Scenario& scenario, const ContentSpace& space, const ReadRules& rules)
    : scenario_(scenario),
      workload_(space.workload()),
      rules_(rules),
      values_(values_of(space.workload())),
      gc_grace_s_(scenario.tables[0].schema.options.gc_grace_seconds),
      nodes_(scenario.data_centers[0].nodes),
      books_(static_cast<std::size_t>(nodes_)),
      merged_(static_cast<std::size_t>(nodes_)),
      hinted_(static_cast<std::size_t>(nodes_)),
      whole_(static_cast<std::size_t>(nodes_)),
      oldest_us_(static_cast<std::size_t>(nodes_)),
      read_us_(scenario.start_us),
      told_lost_us_(scenario.start_us) {
  const std::int64_t unit_us = space.workload().writers().front().unit_us;
  for (const KeyedArrival& arrival : space.workload().keyed_arrivals()) {
    Write& write = writes_.emplace_back();
    write.at_us = arrival.place.time * unit_us;
    write.mutation = keyed_write(space, arrival, 0);
    write.timestamp_us = timestamp_of(write.mutation);
    const auto member = static_cast<std::size_t>(arrival.member);
    write.lost_by = arrival.sub_stream < 0
                        ? workload_.deletes_of(arrival.place.writer).covering[member].lost_by
                        : workload_.sub_streams()[static_cast<std::size_t>(arrival.sub_stream)].lost_by();
  }
  for (const Write& write : writes_) {
    writes_of_[write.mutation.token].push_back(&write);
    if (dead_from(write.mutation)) hiders_of_[write.mutation.token].push_back(&write);
  }
  for (const OutageSpec& spec : scenario.outages) {
    const Micros to_us = spec.from_us + spec.length_us;
    const auto before = std::ranges::find_if(
        outages_, [&](const Away& other) { return other.node == spec.node - 1 && other.to_us >= spec.from_us; });
    if (before != outages_.end()) {
      before->to_us = std::max(before->to_us, to_us);
    } else {
      outages_.push_back({spec.name, spec.node - 1, spec.from_us, to_us});
    }
  }
}

KeyedJudge::~KeyedJudge() = default;

std::vector<RunObserver*> KeyedJudge::observers() {
  std::vector<RunObserver*> all;
  for (int node = 0; node < nodes_; ++node) {
    watches_.push_back(std::make_unique<Watch>(*this, node));
    all.push_back(watches_.back().get());
  }
  return all;
}

bool KeyedJudge::away(int node, Micros at_us) const {
  return std::ranges::any_of(
      outages_, [&](const Away& one) { return one.node == node && one.from_us <= at_us && at_us < one.to_us; });
}

bool KeyedJudge::accepted(const Write& write) const {
  for (int node = 0; node < nodes_; ++node) {
    if (node != write.lost_by && !away(node, write.at_us)) return true;
  }
  return false;
}

std::span<const KeyedJudge::Write> KeyedJudge::writes_in(Micros from_us, Micros to_us) const {
  const auto first = std::ranges::lower_bound(writes_, from_us, {}, &Write::at_us);
  return {first, std::max(first, std::ranges::lower_bound(writes_, to_us, {}, &Write::at_us))};
}

const KeyedPartition& KeyedJudge::merged(int node, Token token) const {
  const Book& book = books_[static_cast<std::size_t>(node)];
  const auto [place, unknown] = merged_[static_cast<std::size_t>(node)].try_emplace(token);
  KeyedPartition& all = place->second;
  if (!unknown) return all;
  all.token = token;
  for (const auto& [id, content] : book.files) {
    if (!content) continue;
    if (const KeyedPartition* some = find_partition(*content, token)) merge_partition(all, *some, values_);
  }
  const auto fresh = book.memtable.find(token);
  if (fresh != book.memtable.end()) merge_partition(all, fresh->second, values_);
  shadow(all);
  return all;
}

void KeyedJudge::forget(int node, const KeyedContent& partitions) {
  for (const KeyedPartition& partition : partitions) merged_[static_cast<std::size_t>(node)].erase(partition.token);
}

void KeyedJudge::put(int node, const KeyedPartition& mutation) {
  merged_[static_cast<std::size_t>(node)].erase(mutation.token);
  Partitions& memtable = books_[static_cast<std::size_t>(node)].memtable;
  const auto [place, added] = memtable.try_emplace(mutation.token, mutation);
  if (!added) merge_partition(place->second, mutation, values_);
}

void KeyedJudge::arrive(Micros until_us) {
  for (; next_write_ < writes_.size() && writes_[next_write_].at_us < until_us; ++next_write_) {
    for (int node = 0; node < nodes_; ++node) {
      const Write& write = writes_[next_write_];
      if (node != write.lost_by && !away(node, write.at_us)) put(node, write.mutation);
    }
  }
}

void KeyedJudge::check_compaction(const Event& event) {
  const Book& book = books_[static_cast<std::size_t>(event.node)];
  std::vector<const KeyedContent*> before;
  std::vector<const KeyedContent*> after;
  for (const std::int64_t id : event.removed) {
    if (book.files.at(id)) before.push_back(book.files.at(id).get());
  }
  for (const auto& [id, content] : event.added) {
    if (content) after.push_back(content.get());
  }
  KeyedContent were = merge_keyed(before, values_);
  const KeyedContent are = merge_keyed(after, values_);
  // What may go at the most: everything else stays, and nothing comes.
  KeyedContent stay = were;
  purge_keyed(stay, {.now_s = event.now_s, .gc_before_s = event.now_s - gc_grace_s_},
              [](const KeyedPartition&) { return no_timestamp; });
  purge_keyed(were, {.now_s = event.now_s, .gc_before_s = never_purged_s},
              [](const KeyedPartition&) { return no_timestamp; });
  const auto within = [&](const KeyedContent& some, const KeyedContent& all) {
    for (const KeyedPartition& partition : some) {
      const KeyedPartition* other = find_partition(all, partition.token);
      if (other == nullptr) return false;
      KeyedPartition both = *other;
      merge_partition(both, partition, values_);
      shadow(both);
      KeyedPartition own = *other;
      shadow(own);
      if (both.deletion != own.deletion || both.rows != own.rows) return false;
    }
    return true;
  };
  if (!within(stay, are)) complain(fmt::format("node {} at {}: a compaction lost rows", event.node, event.at_us));
  if (!within(are, were)) complain(fmt::format("node {} at {}: a compaction made rows", event.node, event.at_us));
}

void KeyedJudge::take(const Event& event) {
  Book& book = books_[static_cast<std::size_t>(event.node)];
  std::set<Token> met;
  if (event.kind == Event::Kind::flushed) {
    KeyedContent written;
    for (const auto& [token, partition] : book.memtable) {
      merged_[static_cast<std::size_t>(event.node)].erase(token);
      KeyedPartition one = partition;
      shadow(one);
      if (!one.empty()) written.push_back(one);
    }
    std::vector<const KeyedContent*> made;
    for (const auto& [id, content] : event.added) made.push_back(content.get());
    const KeyedContent is = merge_keyed(made, values_);
    const auto same = [](const KeyedPartition& a, const KeyedPartition& b) {
      return a.token == b.token && a.deletion == b.deletion && a.ranges == b.ranges && a.rows == b.rows;
    };
    if (!std::ranges::equal(is, written, same))
      complain(fmt::format("node {} at {}: a flush writes other rows than came", event.node, event.at_us));
    book.memtable.clear();
  }
  if (event.kind == Event::Kind::committed) check_compaction(event);
  for (const auto& [id, content] : event.added) {
    if (content && event.kind == Event::Kind::streamed) {
      for (const KeyedPartition& partition : *content) {
        streamed_ += std::ssize(partition.rows);
        bool known = false;
        for (int node = 0; node < nodes_ && !known; ++node) {
          if (node == event.node) continue;
          for (const auto& [other, held] : books_[static_cast<std::size_t>(node)].files) {
            const KeyedPartition* there = held ? find_partition(*held, partition.token) : nullptr;
            known =
                known || (there != nullptr && there->rows == partition.rows && there->deletion == partition.deletion);
          }
        }
        if (!known) complain(fmt::format("node {} at {}: is sent what nobody has", event.node, event.at_us));
      }
    }
    book.files[id] = content;
    if (content) forget(event.node, *content);
  }
  if (event.kind != Event::Kind::committed) return;
  // Which writes it has forgotten.
  std::map<Token, KeyedPartition> before;
  for (const std::int64_t id : event.removed) {
    if (!book.files.at(id)) continue;
    for (const KeyedPartition& partition : *book.files.at(id)) {
      const auto hiders = hiders_of_.find(partition.token);
      const bool any = hiders != hiders_of_.end() && hiders->second.front()->at_us < event.at_us;
      if (any) before.try_emplace(partition.token, merged(event.node, partition.token));
    }
  }
  for (const std::int64_t id : event.removed) {
    if (book.files.at(id)) forget(event.node, *book.files.at(id));
    book.files.erase(id);
  }
  for (const auto& [token, was] : before) {
    const KeyedPartition& is = merged(event.node, token);
    for (const Write* const one : hiders_of_.at(token)) {
      const Write& write = *one;
      if (write.at_us >= event.at_us) break;
      const std::int64_t some = !write.mutation.rows.empty()     ? write.mutation.rows.front().clustering
                                : !write.mutation.ranges.empty() ? write.mutation.ranges.front().from
                                                                 : INT64_MIN;
      if (knows(was, some, write.timestamp_us) && !knows(is, some, write.timestamp_us))
        forgotten_.emplace(std::tuple(token, &write, event.node), event.at_us);
    }
  }
}

void KeyedJudge::look(Row& row, int node) const {
  const KeyedPartition& held = merged(node, row.token);
  const auto place = static_cast<std::size_t>(node);
  row.knows[place] = knows(held, row.clustering, row.hider->timestamp_us);
  row.shows[place] =
      !row.knows[place] && older_value(held, row.clustering, row.hider->timestamp_us, row.dead_s).has_value();
}

void KeyedJudge::pass_time(Micros now_us) {
  for (Row& row : rows_) {
    if (row.over) continue;
    for (const Write& write : writes_in(passed_us_, now_us)) {
      if (row.over) break;
      if (write.mutation.token != row.token || write.timestamp_us <= row.hider->timestamp_us) continue;
      if (!covers(write.mutation, row.clustering) || !accepted(write)) continue;
      pass_time(row, write.at_us);
      if (row.over) continue;
      row.over = true;
      row.rewritten_us = write.at_us;
    }
    pass_time(row, now_us);
  }
  passed_us_ = std::max(passed_us_, now_us);
}

void KeyedJudge::pass_time(Row& row, Micros until_us) const {
  if (row.over) return;
  const Seconds stripped_s = std::max(row.dead_s, row.hider->at_us / us_per_s + gc_grace_s_ + 1);
  const bool any = std::ranges::find(row.shows, true) != row.shows.end();
  if (any && stripped_s <= until_us / us_per_s && row.expiry_s > stripped_s) row.visible = true;
  row.over = row.expiry_s <= until_us / us_per_s;
}

void KeyedJudge::judge(Row& row, const std::vector<bool>& before, Micros now_us, const std::string& what, bool hints) {
  const bool stored = std::ranges::find(row.knows, true) != row.knows.end();
  row.judge(before, row.shows, stored, now_us, what, hints);
}

void KeyedJudge::changed(const std::vector<int>& nodes, Micros now_us, const std::string& what, bool hints,
                         bool compaction) {
  pass_time(now_us);
  for (Row& row : rows_) {
    if (row.over) continue;
    const std::vector<bool> before = row.shows;
    const std::vector<bool> knew = row.knows;
    for (const int node : nodes) look(row, node);
    for (const int node : nodes) {
      const auto place = static_cast<std::size_t>(node);
      if (!compaction || !knew[place] || row.knows[place] || row.purged_on >= 0) continue;
      row.purged_on = node;
      row.purged_us = now_us;
    }
    judge(row, before, now_us, what, hints);
  }
}

void KeyedJudge::missed(const Away& one, Micros now_us) {
  miss(one.node, one.from_us, now_us, one.name, [&](const Write& write) { return write.at_us < one.to_us; });
}

void KeyedJudge::lost(int node, Micros from_us, Micros now_us) {
  miss(node, from_us, now_us, "lost",
       [&](const Write& write) { return write.lost_by == node && !away(node, write.at_us); });
}

void KeyedJudge::lost(Micros now_us) {
  if (scenario_.node.lost_mutations_ppm == 0) return;
  for (int node = 0; node < nodes_; ++node) lost(node, told_lost_us_, now_us);
  told_lost_us_ = now_us;
}

void KeyedJudge::miss(int node, Micros from_us, Micros now_us, const std::string& why,
                      const std::function<bool(const Write&)>& is_missed) {
  pass_time(now_us);
  std::map<std::pair<Token, std::int64_t>, const Write*> newest;  // of those it missed
  for (const Write& write : writes_in(from_us, now_us)) {
    if (!is_missed(write)) continue;
    const std::optional<Seconds> dead_s = dead_from(write.mutation);
    if (!dead_s || !accepted(write)) continue;
    const KeyedPartition& held = merged(node, write.mutation.token);
    for (const KeyedRow& row : held.rows) {
      if (!covers(write.mutation, row.clustering)) continue;
      if (!older_value(held, row.clustering, write.timestamp_us, *dead_s)) continue;
      const Write*& known = newest[{held.token, row.clustering}];
      if (known == nullptr || write.timestamp_us > known->timestamp_us) known = &write;
    }
  }
  for (const auto& entry : newest) {
    const Token token = entry.first.first;
    const std::int64_t clustering = entry.first.second;
    const Write* const write = entry.second;
    const KeyedPartition& held = merged(node, token);
    if (knows(held, clustering, write->timestamp_us)) continue;
    const auto again = std::ranges::any_of(writes_of_[token], [&](const Write* other) {
      return other->timestamp_us > write->timestamp_us && other->at_us < now_us &&
             covers(other->mutation, clustering) && accepted(*other);
    });
    if (again) continue;
    const auto same = std::ranges::find_if(
        rows_, [&](const Row& r) { return r.token == token && r.clustering == clustering && r.hider == write; });
    if (same != rows_.end()) {
      same->missed[static_cast<std::size_t>(node)] = true;
      continue;
    }
    const auto number = static_cast<std::size_t>(nodes_);
    Row& row = rows_.emplace_back();
    row.token = token;
    row.clustering = clustering;
    row.hider = write;
    row.dead_s = *dead_from(write->mutation);
    row.expiry_s = *older_value(held, clustering, write->timestamp_us, row.dead_s);
    row.why = why;
    row.missed.resize(number);
    row.shows.resize(number);
    row.knows.resize(number);
    row.brought_to.resize(number);
    row.missed[static_cast<std::size_t>(node)] = true;
    for (int other = 0; other < nodes_; ++other) {
      look(row, other);
      const auto found = forgotten_.find(std::tuple(token, write, other));
      if (found == forgotten_.end() || found->second < from_us) continue;
      const bool first = row.purged_on < 0 || std::pair(found->second, other) < std::pair(row.purged_us, row.purged_on);
      if (!first) continue;
      row.purged_on = other;
      row.purged_us = found->second;
    }
    if (row.expiry_s <= now_us / us_per_s) row.over = true;
    if (!row.over) {
      judge(row, row.shows, now_us, {}, false);
      pass_time(now_us);
    }
  }
}

void KeyedJudge::hints(int node, Micros now_us) {
  const auto place = static_cast<std::size_t>(node);
  for (const Write& write : writes_) {
    const bool kept = std::ranges::any_of(
        hinted_[place], [&](const Away& span) { return span.from_us <= write.at_us && write.at_us <= span.to_us; });
    if (kept && accepted(write) && write.at_us + gc_grace_s_ * us_per_s > now_us) put(node, write.mutation);
  }
  changed({node}, now_us, "hints", true, false);
  for (const Away& one : whole_[place]) {
    missed(one, now_us);
    lost(node, one.from_us, now_us);
  }
  hinted_[place].clear();
  whole_[place].clear();
}

}  // namespace windrow_test
