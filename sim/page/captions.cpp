#include "sim/page/captions.h"

#include <algorithm>
#include <string>
#include <vector>

namespace windrow {

namespace {

constexpr double little = 0.01;  // a share below this is not worth words

std::string_view plural(double count, std::string_view one, std::string_view many) { return count == 1 ? one : many; }

/// What of the disk at the end cannot be read any more, the largest part first to be named.
void say_dead_weight(Sentence& sentence, const Facts& table) {
  const double live = table.number("live_bytes");
  if (live <= 0) return;
  const double waiting = table.number("waiting_gc_grace_bytes");
  const double blocked = table.number("blocked_bytes");
  const double past = table.number("purgeable_bytes");
  if (waiting + blocked + past < little * live) {
    sentence.say("nearly all of it readable");
    return;
  }
  if (blocked >= waiting && blocked >= past) {
    sentence.bytes(table.of("blocked_bytes")).say(" of it expired but blocked");
  } else if (waiting >= past) {
    sentence.bytes(table.of("waiting_gc_grace_bytes")).say(" of it waiting for gc_grace");
  } else {
    sentence.bytes(table.of("purgeable_bytes")).say(" of it in rows past gc_grace that no compaction has met");
  }
}

}  // namespace

void say_largest_partition(Sentence& sentence, const Facts& table) {
  const Facts largest = table.below("largest_partition");
  sentence.name(largest.of("entity"));
  if (largest.of("bucket").known()) sentence.say(" ").name(largest.of("bucket"));
  if (largest.of("shard").known()) sentence.say(" shard ").count(largest.of("shard"));
}

Sentence node_disk_caption(const Facts& summary, const std::vector<std::string>& tables) {
  Sentence sentence;
  const Facts node = summary.below("nodes").below(std::size_t{0});
  sentence.say("Together they peak at ").bytes(node.of("peak_disk_bytes")).say(" on ").day(node.of("peak_disk_date"));
  if (node.of("peak_disk_share").known()) sentence.say(", ").share(node.of("peak_disk_share")).say(" of the disk");
  if (node.number("other_disk_bytes") > 0)
    sentence.say(", ").bytes(node.of("other_disk_bytes")).say(" of it other data");
  if (tables.size() < 2) return sentence.say(".");
  const auto bytes = [&](const std::string& table) { return summary.below("tables").below(table).of("live_bytes"); };
  const std::string& largest =
      *std::ranges::max_element(tables, {}, [&](const std::string& table) { return bytes(table).number(); });
  return sentence.say("; at the end ").say(largest).say(" has the most, ").bytes(bytes(largest)).say(".");
}

Sentence disk_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("Disk peaks at ").bytes(table.of("peak_disk_bytes")).say(" on ").day(table.of("peak_disk_date"));
  if (table.number("peak_disk_temporary_share") >= little) {
    sentence.say(", ").share(table.of("peak_disk_temporary_share")).say(" of it temporary");
  }
  sentence.say("; at the end it is ").bytes(table.of("live_bytes")).say(", ");
  say_dead_weight(sentence, table);
  sentence.say(".");
  if (table.number("live_growth_share") >= growing_share) {
    sentence.say(" It still grows, by ").bytes(table.of("live_growth_bytes_per_year")).say(" a year.");
  }
  return sentence;
}

Sentence lifelines_caption(const Facts& table) {
  Sentence sentence;
  const double sstables = table.number("live_sstables");
  const double blocked = table.number("blocked_sstables");
  sentence.count(table.of("live_sstables")).say(plural(sstables, " SSTable", " SSTables")).say(" at the end; ");
  if (blocked == 0) return sentence.say("none is kept by another.");
  sentence.count(table.of("blocked_sstables")).say(" of them, ").bytes(table.of("blocked_bytes"));
  sentence.say(", could be dropped but for older data in others");
  const Facts first = table.below("blockers").below(std::size_t{0});
  sentence.say(", first of all in ")
      .say(first.text("sstable") == "memtable" ? "the " : "SSTable ")
      .name(first.of("sstable"));
  const double for_ever = table.number("blocked_for_ever_sstables");
  if (for_ever > 0) {
    sentence.say("; ").count(table.of("blocked_for_ever_sstables")).say(plural(for_ever, " never goes", " never go"));
    return sentence.say(plural(for_ever, " by itself, for ", " by themselves, for "))
        .say("a blocker holds rows without TTL.");
  }
  return sentence.say("; the last goes on ").day(table.of("blocked_until")).say(".");
}

Sentence windows_caption(const Facts& table) {
  Sentence sentence;
  const Facts windows = table.below("windows");
  sentence.count(windows.of("count")).say(plural(windows.number("count"), " time window of ", " time windows of "));
  sentence.span(table.of("window_s"))
      .say(" at the end, ")
      .count(windows.of("with_one_sstable"))
      .say(" with one SSTable; ");
  if (table.number("default_time_to_live_s") == 0) return sentence.say("without a TTL no window ever goes.");
  if (table.number("blocked_sstables") > 0) {
    return sentence.say("beyond the line, at TTL and gc_grace, ")
        .count(table.of("blocked_sstables"))
        .say(" expired SSTables stay, blocked.");
  }
  return sentence.say("the line marks TTL and gc_grace (")
      .span(table.of("default_time_to_live_s"))
      .say(" and ")
      .span(table.of("gc_grace_s"))
      .say("), after which a window may go: nothing stays blocked beyond it.");
}

Sentence partition_sizes_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("At the end the median partition has ")
      .bytes(table.of("partition_bytes/p50"))
      .say(", the 99th percentile ");
  sentence.bytes(table.of("partition_bytes/p99")).say(", the largest ").bytes(table.of("partition_bytes/max"));
  if (!table.of("first_large_partition").known()) {
    return sentence.say("; none was ever seen above ").megabytes(table.of("large_partition_bytes")).say(".");
  }
  return sentence.say("; the first above ")
      .megabytes(table.of("large_partition_bytes"))
      .say(" was seen on ")
      .day(table.of("first_large_partition"))
      .say(".");
}

Sentence partition_spread_caption(const Facts& table) {
  Sentence sentence;
  const double median = table.number("partition_bytes/p50");
  const double largest = table.number("partition_bytes/max");
  if (table.number("partitions") == 1) {
    return sentence.say("All rows are in one partition of ").bytes(table.of("partition_bytes/max")).say(".");
  }
  sentence.count(table.of("partitions")).say(" partitions at the end, ");
  if (largest <= 2 * median) {
    return sentence.say("of about the same size: the largest has ").bytes(table.of("partition_bytes/max")).say(".");
  }
  sentence.say("half of them below ").bytes(table.of("partition_bytes/p50")).say(", yet the largest, ");
  say_largest_partition(sentence, table);
  return sentence.say(", has ").bytes(table.of("partition_bytes/max")).say(".");
}

Sentence growth_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("The largest partition, ");
  say_largest_partition(sentence, table);
  sentence.say(", grows to ")
      .bytes(table.of("largest_partition/bytes"))
      .say(" in ")
      .count(table.of("largest_partition/rows"))
      .say(" rows");
  return sentence.say(table.of("largest_partition/bucket").known() ? ", then its bucket is over."
                                                                   : " and has no bucket that would end it.");
}

namespace {

void say_choice(Sentence& sentence, const Facts& choice) {
  sentence.say(choice.text("bucket") == "none" ? "no bucket" : "a bucket of ");
  if (choice.text("bucket") != "none") sentence.name(choice.of("bucket"));
  if (choice.number("shards") > 1) sentence.say(" in ").count(choice.of("shards")).say(" shards");
}

}  // namespace

Sentence decision_caption(const Facts& table) {
  Sentence sentence;
  const Facts matrix = table.below("key_choices");
  const Facts own = matrix.below("own");
  const std::string verdict = own.text("verdict");
  const bool many_rows =
      verdict == "too big" && own.number("partition_bytes_max") <= matrix.number("partition_bytes_max");
  sentence.say("As it is, with ");
  say_choice(sentence, own);
  sentence.say(", the largest partition comes to ").bytes(own.of("partition_bytes_max"));
  if (many_rows) sentence.say(" in ").count(own.of("partition_rows_max")).say(" rows");
  sentence.say(verdict == "fits"      ? ", within the bound of "
               : verdict == "too big" ? ", over the bound of "
                                      : ", far below the bound of ");
  if (many_rows) {
    sentence.count(matrix.of("partition_rows_max"));
  } else {
    sentence.bytes(matrix.of("partition_bytes_max"));
    if (matrix.of("partition_rows_max").known())
      sentence.say(" and ").count(matrix.of("partition_rows_max")).say(" rows");
  }
  const Facts fewest = matrix.below("fewest_partitions");
  if (fewest.size() == 0) return sentence.say("; no choice here is small enough.");
  if (fewest.text("bucket") == own.text("bucket") && fewest.number("shards") == own.number("shards"))
    return sentence.say("; nothing coarser is small enough.");
  sentence.say("; the coarsest that is small enough is ");
  say_choice(sentence, fewest);
  sentence.say(", with ").bytes(fewest.of("partition_bytes_max"));
  const double window_s = table.number("window_s");
  if (window_s > 0 && fewest.number("bucket_length_s") > window_s)
    sentence.say(" (longer than a time window, so that a partition lies in several SSTables)");
  return sentence.say(".");
}

Sentence tombstone_drops_caption(const Facts& table) {
  Sentence sentence;
  const Facts drops = table.below("tombstone_drops");
  const double overdue = drops.number("overdue");
  sentence.count(drops.of("count")).say(" tombstones and expired cells at the end; ");
  if (overdue == 0) {
    sentence.say("all of them wait for their day");
  } else {
    // Rule 3.6: an expired cell is purged like a tombstone as old as its write, which may be long past gc_grace.
    const bool early = table.number("default_time_to_live_s") > table.number("gc_grace_s");
    sentence.count(drops.of("overdue")).say(" of them may go by now, once a compaction meets them");
    if (table.number("blocked_sstables") > 0) sentence.say(" and no other SSTable keeps them");
    if (early) {
      sentence.say(
          " (cells whose TTL is longer than gc_grace may go as soon as they expire; their rows' markers, and so whole "
          "rows "
          "and SSTables, wait for gc_grace)");
    }
  }
  return sentence.say("; the last may go on ").day(drops.of("last")).say(".");
}

Sentence droppable_ratio_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("The droppable ratio peaks at ").count(table.of("peak_droppable_tombstone_ratio")).say(" on ");
  sentence.day(table.of("peak_droppable_tombstone_ratio_date"))
      .say(" and ends at ")
      .count(table.of("droppable_tombstone_ratio"));
  const bool high = table.number("droppable_tombstone_ratio") > 0.2;
  return sentence.say(high ? ", above the usual tombstone_threshold: compaction does not get rid of them." : ".");
}

Sentence sstables_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("At most ")
      .count(table.of("peak_sstables"))
      .say(plural(table.number("peak_sstables"), " SSTable", " SSTables"))
      .say(", on ");
  sentence.day(table.of("peak_sstables_date")).say("; ").count(table.of("live_sstables")).say(" at the end");
  if (table.has("windows")) {
    sentence.say(", in ")
        .count(table.of("windows/count"))
        .say(plural(table.number("windows/count"), " time window", " time windows"));
  }
  return sentence.say(".");
}

Sentence sstables_per_partition_caption(const Facts& table) {
  Sentence sentence;
  sentence.say("On average a partition lies in ")
      .count(table.of("sstables_per_partition"))
      .say(plural(table.number("sstables_per_partition"), " SSTable at the end, in ", " SSTables at the end, in "));
  return sentence.count(table.of("peak_sstables_per_partition"))
      .say(" at the most, on ")
      .day(table.of("peak_sstables_per_partition_date"))
      .say(".");
}

Sentence pending_caption(const Facts& table) {
  Sentence sentence;
  const double peak = table.number("peak_pending_compactions");
  if (peak <= 1)
    return sentence.say("Compaction keeps up: there is never more than ")
        .count(table.of("peak_pending_compactions"))
        .say(" to do.");
  sentence.say("At most ").count(table.of("peak_pending_compactions")).say(" compactions are to be done, on ");
  return sentence.day(table.of("peak_pending_compactions_date")).say(".");
}

Sentence compactions_caption(const Facts& table) {
  Sentence sentence;
  const Facts first = table.below("compaction_reasons").below(std::size_t{0});
  sentence.share(first.of("share")).say(" of what compactions read is read for \xe2\x80\x9c").name(first.of("reason"));
  sentence.say("\xe2\x80\x9d; each byte is written ").count(table.of("write_amplification")).say(" times");
  if (table.number("rewritten_for_stragglers_bytes") > 0) {
    sentence.say(", ").bytes(table.of("rewritten_for_stragglers_bytes")).say(" of it again for late rows");
  }
  return sentence.say(".");
}

}  // namespace windrow
