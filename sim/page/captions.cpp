#include "sim/page/captions.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace windrow {

namespace {

constexpr std::size_t node_repairs_said = 6;  // as on the terminal

constexpr double little = 0.01;  // a share below this is not worth words

/// What of the disk at the end cannot be read any more, the largest part first to be named.
std::string_view dead_weight(const Facts& table) {
  const double waiting = table.number("waiting_gc_grace_bytes");
  const double blocked = table.number("blocked_bytes");
  const double past = table.number("purgeable_bytes");
  if (table.number("live_bytes") <= 0) return "";
  if (waiting + blocked + past < little * table.number("live_bytes")) return "nearly all of it readable";
  if (blocked >= waiting && blocked >= past) return "{blocked_bytes} of it expired but blocked";
  if (waiting >= past) return "{waiting_gc_grace_bytes} of it waiting for gc_grace";
  return "{purgeable_bytes} of it in rows past gc_grace or deleted that no compaction has met";
}

}  // namespace

void say_largest_partition(Sentence& sentence, const Facts& table) {
  const Facts largest = table.below("largest_partition");
  sentence.say("{entity:name}", largest);
  if (largest.of("bucket").known()) sentence.say(" {bucket:name}", largest);
  if (largest.of("shard").known()) sentence.say(" shard {shard}", largest);
}

namespace {

/// The node that is furthest above the mean one, or the least far.
Facts extreme_node(const Facts& summary, bool most) {
  const Facts nodes = summary.below("nodes");
  std::size_t found = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const double value = nodes.below(i).number("max_over_mean");
    const double before = nodes.below(found).number("max_over_mean");
    if (most ? value > before : value < before) found = i;
  }
  return nodes.below(found);
}

}  // namespace

Sentence node_load_caption(const Facts& summary) {
  const Facts node = extreme_node(summary, true);
  Sentence sentence;
  if (node.number("max_over_mean") == 1) return sentence.say("Every node has the same writes.");
  sentence.say("Node {node} has {max_over_mean:count} times the writes of the mean node in its worst hour", node);
  const Facts hottest = node.below("hottest");
  sentence.say(", {date:day}", hottest);
  if (hottest.of("entity").known()) sentence.say("; most of it is {entity:name} of {stream:name}", hottest);
  if (hottest.of("bucket").known() && !hottest.text("bucket").empty()) sentence.say(", bucket {bucket:name}", hottest);
  return sentence.say(".");
}

Sentence node_peaks_caption(const Facts& summary) {
  Sentence sentence;
  const Facts furthest = extreme_node(summary, true);
  if (furthest.number("max_over_mean") == 1)
    return sentence.say(
        "Every node has {writes_per_s/max:count} rows/s at most, {writes_per_s/mean:count} in the mean.", furthest);
  sentence.say(
      "Node {node} is furthest above the mean in an hour: {writes_per_s/max:count} rows/s at most, "
      "{writes_per_s/mean:count} in its own mean",
      extreme_node(summary, true));
  return sentence.say(
      "; node {node}, the least busy, never has more than {max_over_mean:count} times the mean node's writes.",
      extreme_node(summary, false));
}

Sentence node_disks_caption(const Facts& summary) {
  Sentence sentence;
  const Facts fullest = fullest_node(summary);
  if (!fullest.of("peak_disk_over_mean").known()) return sentence.say("No node has anything on disk.");
  sentence.say("The fullest is node {node}: {peak_disk_bytes} on {peak_disk_date}, ", fullest);
  if (fullest.number("peak_disk_over_mean") == 1) return sentence.say("as much as the mean node.");
  return sentence.say("{peak_disk_over_mean:count} times the mean node's.", fullest);
}

Sentence repairs_caption(const Facts& summary, const std::vector<std::string>& tables) {
  Sentence sentence;
  bool margins = false;
  for (const std::string& name : tables) {
    const Facts table = summary.below("tables").below(name);
    if (!table.has("resurrected_rows")) continue;
    sentence.new_line();
    if (tables.size() > 1) sentence.say(name).say(": ");
    sentence.say(
        "{resurrected_rows:count| deleted row| deleted rows} came back, {near_misses:count| that no hint reached was| "
        "that no hint reached were} healed in time",
        table);
    if (table.has("repair_margin_s") && table.of("repair_margin_s").known()) {
      margins = true;
      sentence.say("; margin {repair_margin_s}", table);
      if (table.number("repair_margin_s") < 0) sentence.say(", unsafe");
    }
    sentence.say(".");
  }
  sentence.new_line();
  if (margins) sentence.say("Margin: gc_grace less the time from the beginning of a repair to the end of the next. ");
  sentence.say("A line is a delete that a replica missed.");
  const Facts bounds = summary.below("safe_bounds");
  for (std::size_t i = 0; summary.has("safe_bounds") && i < bounds.size(); ++i) {
    const Facts bound = bounds.below(i);
    if (std::ranges::find(tables, bound.text("table")) == tables.end()) continue;
    sentence.new_line().say("Tried: {says:name}.", bound);
  }
  std::size_t nodes = 0;
  const Facts repaired = summary.below("node_repairs");
  for (std::size_t i = 0; summary.has("node_repairs") && i < repaired.size(); ++i) {
    const Facts node = repaired.below(i);
    if (std::ranges::find(tables, node.text("table")) == tables.end()) continue;
    if (nodes++ < node_repairs_said)
      sentence.new_line().say(tables.size() > 1 ? "{table:name}, {says:name}." : "{says:name}.", node);
  }
  if (nodes > node_repairs_said) sentence.new_line().say("The others: summary.json.");
  return sentence;
}

Sentence reads_caption(const Facts& summary, const CsvColumns& reads) {
  std::set<std::string> names;
  for (const auto& row : reads.rows) names.insert(row[reads.place("read")]);
  Sentence sentence;
  sentence.say("What a read of one partition costs at the worst, the dearest hundredth left out");
  const char* before = ": ";
  for (const std::string& name : names) {
    sentence.say(before).say(name).say(
        " {worst/sstables/p99:count| SSTable| SSTables} and {worst/tombstones/p99:count| tombstone| tombstones}",
        summary.below("reads").below(name));
    before = "; ";
  }
  return sentence.say(".");
}

Sentence node_buckets_caption(const Facts& summary) {
  Sentence sentence;
  const Facts hashed = summary.below("placement").below("hashed");
  return sentence.say(
      "A bucket's partition lies on the nodes of its replica set, and the next one on others: of "
      "{keys:count| partition| partitions} the key was hashed.",
      hashed);
}

Sentence node_disk_caption(const Facts& summary, const std::vector<std::string>& tables) {
  Sentence sentence;
  const Facts node = fullest_node(summary);
  sentence.say("Together they peak at {peak_disk_bytes} on {peak_disk_date}", node);
  if (node.of("peak_disk_share").known()) sentence.say(", {peak_disk_share} of the disk", node);
  if (node.number("other_disk_bytes") > 0) sentence.say(", {other_disk_bytes} of it other data", node);
  if (tables.size() < 2) return sentence.say(".");
  const auto facts = [&](const std::string& table) { return summary.below("tables").below(table); };
  const std::string& largest = *std::ranges::max_element(
      tables, {}, [&](const std::string& table) { return facts(table).number("live_bytes"); });
  return sentence.say("; at the end ").say(largest).say(" has the most, {live_bytes}.", facts(largest));
}

Sentence disk_caption(const Facts& table) {
  Sentence sentence;
  if (table.number("peak_disk_bytes") <= 0)
    return sentence.say("Nothing was flushed: all rows are in the memtable and the commit log.");
  sentence.say("Disk peaks at {peak_disk_bytes} on {peak_disk_date}", table);
  if (table.number("peak_disk_temporary_share") >= little)
    sentence.say(", {peak_disk_temporary_share} of it temporary", table);
  sentence.say("; at the end it is {live_bytes}, ", table).say(dead_weight(table), table).say(".");
  const std::string growth = table.text("live_growth");
  if (growth == "grows")
    sentence.say(" It still grows, by {live_growth_bytes_per_year} a year, evenly since {live_growth_since:day}.",
                 table);
  if (growth == "steady") sentence.say(" It has been steady since {live_growth_since:day}.", table);
  if (growth == "not known") {
    sentence.say(" Whether it goes on growing is not known: {live_growth_why:name}", table);
    if (table.of("live_growth_run_s").known()) sentence.say("; it takes a run of {live_growth_run_s} at least", table);
    sentence.say(".");
  }
  return sentence;
}

Sentence lifelines_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("{live_sstables| SSTable| SSTables} at the end; ", table);
  if (table.number("blocked_sstables") == 0) return sentence.say("none is kept by another.");
  const Facts first = table.below("blockers").below(std::size_t{0});
  sentence.say("{blocked_sstables} of them, {blocked_bytes}, could be dropped but for older data in others", table);
  sentence.say(", first of all in ").say(first.text("sstable") == "memtable" ? "the " : "SSTable ");
  sentence.say("{sstable:name}", first);
  if (table.number("blocked_for_ever_sstables") == 0)
    return sentence.say("; the last goes on {blocked_until:day}.", table);
  return sentence.say(
      "; {blocked_for_ever_sstables| never goes by itself, for | never go by themselves, for }a blocker holds rows "
      "without TTL.",
      table);
}

Sentence windows_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("{windows/count| time window| time windows} of {window_s} at the end, ", table);
  sentence.say("{windows/with_one_sstable} with one SSTable; ", table);
  if (table.number("default_time_to_live_s") == 0) return sentence.say("without a TTL no window ever goes.");
  if (table.number("blocked_sstables") > 0)
    return sentence.say(
        "beyond the line, at TTL and gc_grace, {blocked_sstables| expired SSTable stays| expired SSTables stay}, "
        "blocked.",
        table);
  return sentence.say(
      "the line marks TTL and gc_grace ({default_time_to_live_s} and {gc_grace_s}), after which a window may go: "
      "nothing "
      "stays blocked beyond it.",
      table);
}

Sentence partition_sizes_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("At the end the median partition has {partition_bytes/p50}, the 99th percentile {partition_bytes/p99}, ",
               table);
  sentence.say("the largest {partition_bytes/max}", table);
  return sentence.say(table.of("first_large_partition").known()
                          ? "; the first above {large_partition_bytes} was seen on {first_large_partition}."
                          : "; none was ever seen above {large_partition_bytes}.",
                      table);
}

Sentence partition_spread_caption(const Facts& table) {
  Sentence sentence;
  const double median = table.number("partition_bytes/p50");
  if (table.number("partitions") == 1)
    return sentence.say("All rows are in one partition of {partition_bytes/max}.", table);
  sentence.say("{partitions} partitions at the end, ", table);
  if (table.number("partition_bytes/max") <= 2 * median)
    return sentence.say("of about the same size: the largest has {partition_bytes/max}.", table);
  sentence.say("half of them below {partition_bytes/p50}, yet the largest, ", table);
  say_largest_partition(sentence, table);
  return sentence.say(", has {partition_bytes/max}.", table);
}

Sentence growth_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("The largest partition, ");
  say_largest_partition(sentence, table);
  sentence.say(", grows to {largest_partition/bytes} in {largest_partition/rows| row| rows}", table);
  return sentence.say(table.of("largest_partition/bucket").known() ? ", then its bucket is over."
                                                                   : " and has no bucket that would end it.");
}

namespace {

void say_choice(Sentence& sentence, const Facts& choice) {
  sentence.say(choice.text("bucket") == "none" ? "no bucket" : "a bucket of {bucket:name}", choice);
  if (choice.number("shards") > 1) sentence.say(" in {shards} shards", choice);
}

}  // namespace

Sentence decision_caption(const Facts& table) {
  Sentence sentence;
  const Facts matrix = table.below("key_choices");
  const Facts own = matrix.below("own");
  const std::string verdict = own.text("verdict");
  const bool many_rows =
      verdict == "too big" && own.number("partition_bytes_max") <= matrix.number("partition_bytes_max");
  const bool newer = matrix.of("own_is_newer").known() && matrix.of("own_is_newer").value == true;
  sentence.say(newer ? "As it is by now, with " : "As it is, with ");
  say_choice(sentence, own);
  sentence.say(newer ? ", the largest partition of that kind comes to {partition_bytes_max}"
                     : ", the largest partition comes to {partition_bytes_max}",
               own);
  if (many_rows) sentence.say(" in {partition_rows_max| row| rows}", own);
  sentence.say(verdict == "fits"      ? ", within the bound of "
               : verdict == "too big" ? ", over the bound of "
                                      : ", far below the bound of ");
  sentence.say(many_rows                                 ? "{partition_rows_max}"
               : matrix.of("partition_rows_max").known() ? "{partition_bytes_max} and {partition_rows_max| row| rows}"
                                                         : "{partition_bytes_max}",
               matrix);
  const Facts fewest = matrix.below("fewest_partitions");
  if (fewest.size() == 0) return sentence.say("; no choice here is small enough.");
  if (fewest.text("bucket") == own.text("bucket") && fewest.number("shards") == own.number("shards"))
    return sentence.say("; nothing coarser is small enough.");
  sentence.say("; the coarsest that is small enough is ");
  say_choice(sentence, fewest);
  sentence.say(", with {partition_bytes_max}", fewest);
  const double window_s = table.number("window_s");
  if (window_s > 0 && fewest.number("bucket_length_s") > window_s)
    sentence.say(" (longer than a time window, so that a partition lies in several SSTables)");
  return sentence.say(".");
}

Sentence tombstone_drops_caption(const Facts& table) {
  Sentence sentence;
  const Facts drops = table.below("tombstone_drops");
  sentence.say("{count| tombstone or expired cell| tombstones and expired cells} at the end; ", drops);
  if (drops.number("overdue") == 0) {
    sentence.say("all of them wait for their day");
  } else {
    // Rule 3.6: an expired cell is purged like a tombstone as old as its write, which may be long past gc_grace.
    const bool early = table.number("default_time_to_live_s") > table.number("gc_grace_s");
    sentence.say("{overdue} of them may go by now, once a compaction meets them", drops);
    if (table.number("blocked_sstables") > 0) sentence.say(" and no other SSTable keeps them");
    if (early) {
      sentence.say(
          " (cells whose TTL is longer than gc_grace may go as soon as they expire; their rows' markers, and so whole "
          "rows and SSTables, wait for gc_grace)");
    }
  }
  return sentence.say("; the last may go on {last:day}.", drops);
}

Sentence droppable_ratio_caption(const Facts& table) {
  Sentence sentence;
  sentence.say(
      "The droppable ratio peaks at {peak_droppable_tombstone_ratio} on {peak_droppable_tombstone_ratio_date} ", table);
  sentence.say("and ends at {droppable_tombstone_ratio}", table);
  const bool high = table.number("droppable_tombstone_ratio") > 0.2;
  sentence.say(high ? ", above the usual tombstone_threshold: compaction does not get rid of them" : "");
  if (table.number("peak_droppable_tombstone_ratio") > 1)
    sentence.say("; above 1 as the engine counts expired markers of rows, too, but divides by cells");
  return sentence.say(".");
}

Sentence sstables_caption(const Facts& table) {
  Sentence sentence;
  if (table.number("peak_sstables") <= 0) return sentence.say("There is no SSTable: nothing was flushed.");
  sentence.say("At most {peak_sstables| SSTable| SSTables}, on {peak_sstables_date}; {live_sstables} at the end",
               table);
  if (table.has("windows")) sentence.say(", in {windows/count| time window| time windows}", table);
  return sentence.say(".");
}

Sentence sstables_per_partition_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("On average a partition lies in {sstables_per_partition| SSTable| SSTables} at the end, ", table);
  return sentence.say("in {peak_sstables_per_partition} at the most, on {peak_sstables_per_partition_date}.", table);
}

Sentence pending_caption(const Facts& table) {
  return Sentence().say(
      table.number("peak_pending_compactions") <= 1
          ? "Compaction keeps up: there is never more than {peak_pending_compactions} to do."
          : "At most {peak_pending_compactions} compactions are to be done, on {peak_pending_compactions_date}.",
      table);
}

Sentence compactions_caption(const Facts& table) {
  Sentence sentence;
  const Facts first = table.below("compaction_reasons").below(std::size_t{0});
  sentence.say("{share:share} of what compactions read is read for “{reason:name}”", first);
  sentence.say("; each byte is written {write_amplification} times", table);
  if (table.number("rewritten_whole_windows_bytes") > 0)
    sentence.say(", {rewritten_whole_windows_bytes} of it in windows that were one SSTable already", table);
  return sentence.say(".");
}

}  // namespace windrow
