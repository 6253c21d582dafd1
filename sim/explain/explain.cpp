#include "sim/explain/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "sim/text/aligned.h"
#include "sim/text/text.h"
#include "sim/verdict/verdict.h"

namespace windrow {

namespace {

using Side = AlignedText::Side;

constexpr std::size_t parents_shown = 8;
constexpr const char* not_kept = "is not in sstables.csv (it lived between two samples; windrow run --all keeps it)";

bool is_live(const StoredSSTable& sstable) { return sstable.state == "live"; }
bool never(const std::string& date) { return date == never_text; }
std::string bytes_text(std::int64_t bytes) { return human_bytes(static_cast<double>(bytes)); }
std::string count_text(std::int64_t count) { return human_count(static_cast<double>(count)); }

/// In words what sstables.csv and compactions.csv call it.
std::string birth(const StoredSSTable& sstable) {
  return sstable.parents.empty() ? fmt::format("flushed, because of {}", sstable.why_born)
                                 : fmt::format("compacted: {}", sstable.why_born);
}

class Explanation {
 public:
  Explanation(const StoredTable& table, const StoredSSTable& sstable) : table_(table), sstable_(sstable) {}

  std::string text() {
    say_what();
    say_birth();
    say_state();
    if (sstable_.was_blocker) say_what_it_holds();
    return fmt::format("SSTable {} of {}, {}\n", sstable_.id, printable(table_.name), table_.strategy) + lines_.text(2);
  }

 private:
  void say(const std::string& what, const std::string& text) { lines_.add_texts({what, text}); }

  void say_what() {
    say("holds", fmt::format("{}: {} in {}", bytes_text(sstable_.bytes), number_of(sstable_.rows, "row"),
                             number_of(sstable_.partitions, "partition")));
    say("written", fmt::format("{} to {}", sstable_.oldest_write, sstable_.newest_write));
    if (!sstable_.window.empty()) say("window", "begins " + sstable_.window);
    if (never(sstable_.last_expiry)) {
      say("expires", never(sstable_.first_expiry)
                         ? "never: its rows have no TTL"
                         : fmt::format("from {} on, but some rows have no TTL and never do", sstable_.first_expiry));
    } else {
      say("expires", fmt::format("{} to {}", sstable_.first_expiry, sstable_.last_expiry));
    }
  }

  void say_birth() {
    say("born", fmt::format("{}, {}", sstable_.born, birth(sstable_)));
    const auto made_it = std::ranges::find(table_.compactions, sstable_.born, &StoredCompaction::end);
    if (!sstable_.parents.empty() && made_it != table_.compactions.end()) {
      say("", fmt::format("{} and {} read from {} on; {} written, {} purged", number_of(made_it->inputs, "SSTable"),
                          bytes_text(made_it->read_bytes), made_it->start, number_of(made_it->output_rows, "row"),
                          count_text(made_it->purged_rows)));
    }
    for (std::size_t i = 0; i < std::min(parents_shown, sstable_.parents.size()); ++i) {
      say(i == 0 ? "from" : "", parent_text(sstable_.parents[i]));
    }
    if (sstable_.parents.size() > parents_shown)
      say("", fmt::format("and {} more", sstable_.parents.size() - parents_shown));
  }

  std::string parent_text(std::int64_t id) const {
    const StoredSSTable* parent = table_.find(id);
    if (parent == nullptr) return fmt::format("SSTable {}, which {}", id, not_kept);
    return fmt::format("SSTable {}: {}, {} on {}", id, bytes_text(parent->bytes), birth(*parent), parent->born);
  }

  void say_state() {
    if (!sstable_.died.empty()) {
      say_death();
    } else if (sstable_.state == "blocked") {
      say_blocked();
    } else if (sstable_.state == "waiting for gc_grace") {
      say_waiting();
    } else if (is_live(sstable_)) {
      say_live();
    } else {
      say_past();
    }
  }

  void say_death() {
    const std::vector<std::int64_t> children = table_.children(sstable_.id);
    std::string into;
    if (!children.empty()) into = fmt::format(" into SSTable {}", fmt::join(children, ", "));
    say("gone",
        fmt::format("{}, {}{}", sstable_.died,
                    sstable_.why_died == "expired" ? "dropped unread: every row had expired" : sstable_.why_died,
                    into));
    if (!sstable_.blocked_by.empty() && !never(sstable_.droppable_at)) {
      say("", fmt::format("it could have gone on {}, but was blocked", sstable_.droppable_at));
      say_blockers(sstable_, 0);
    }
  }

  /// Its rows have not expired, but tombstones in other SSTables or the memtable lie on all of them.
  void say_deleted() {
    say("still here", "none of its rows can be read: they have expired, or tombstones elsewhere have deleted them");
    say("goes", "not before a compaction takes it together with those tombstones, or all of it has expired");
    say("to free it", "nodetool compact: the SSTables that hold the tombstones must be among those compacted");
  }

  void say_live() {
    if (sstable_.readable_rows == 0) return say_deleted();
    const bool some = sstable_.readable_rows && *sstable_.readable_rows < sstable_.rows;
    if (some) {
      say("can be read",
          fmt::format("{} of its rows; the others have expired or are deleted", count_text(*sstable_.readable_rows)));
    }
    if (never(sstable_.last_expiry)) {
      say("still here", some                           ? "rows of it can be read"
                        : never(sstable_.first_expiry) ? "its rows can be read"
                                                       : "its rows without TTL can be read for ever");
      say("goes", "never by itself: it holds rows without TTL");
      say("to free it", "delete the rows, or write them again with a TTL; truncate or drop the table");
      return;
    }
    say("still here", fmt::format("rows can be read until {}", sstable_.last_expiry));
    say("goes", fmt::format("not before {}: {} of gc_grace after its last row expires", sstable_.droppable_at,
                            human_span(static_cast<double>(table_.gc_grace_s))));
  }

  void say_waiting() {
    say("still here", fmt::format("every row has expired by {}; it waits for gc_grace, {}", sstable_.last_expiry,
                                  human_span(static_cast<double>(table_.gc_grace_s))));
    say("goes",
        fmt::format("after {}, unless an older write in another SSTable blocks it then", sstable_.droppable_at));
    say("to free it",
        "a smaller gc_grace_seconds: safe without deletes and without updates of other TTLs, or with repairs that "
        "often");
  }

  void say_past() {
    say("still here", fmt::format("every row has expired by {} and gc_grace was over on {}; nothing blocks it, but no "
                                  "compaction has taken it yet",
                                  sstable_.last_expiry, sstable_.droppable_at));
    const bool windows = table_.strategy == "TimeWindowCompactionStrategy";
    say("goes", windows
                    ? "with the next check for expired SSTables (expired_sstable_check_frequency_seconds, 10 minutes)"
                    : "with the next compaction of its table that looks for expired SSTables, or that picks it");
  }

  void say_blocked() {
    say("still here", fmt::format("every row has expired by {} and gc_grace was over on {}, but it is blocked:",
                                  sstable_.last_expiry, sstable_.droppable_at));
    say("", "others hold writes as old as its newest, which its tombstones might still shadow");
    say_blockers(sstable_, 0);
    say("goes", never(sstable_.goes_at) ? "never by itself: a blocker holds rows without TTL"
                                        : fmt::format("after {}, when the last blocker has expired", sstable_.goes_at));
    say("to free it",
        fmt::format("compact it together with what blocks it: nodetool compact, or --user-defined with the SSTables {}",
                    fmt::join(with_blockers(), ", ")));
    if (table_.strategy == "TimeWindowCompactionStrategy") {
      say("",
          "or unsafe_aggressive_sstable_expiration: drops it without a look at the others; safe if no row was ever");
      say("", "deleted or written again with another TTL");
    }
  }

  std::vector<std::int64_t> with_blockers() const {
    std::vector<std::int64_t> ids = {sstable_.id};
    std::ranges::copy_if(sstable_.blocked_by, std::back_inserter(ids),
                         [](std::int64_t id) { return id != memtable_id; });
    return ids;
  }

  /// Each once, however often the chain comes back to it.
  void say_blockers(const StoredSSTable& blocked, std::size_t depth) {
    for (const std::int64_t id : blocked.blocked_by) {
      const std::string indent(2 * depth, ' ');
      const StoredSSTable* blocker = table_.find(id);
      if (id == memtable_id) {
        say("by", indent + "the memtable, until its next flush");
      } else if (!told_.insert(id).second) {
        say("by", fmt::format("{}SSTable {}, see above", indent, id));
      } else if (blocker == nullptr) {
        say("by", fmt::format("{}SSTable {}, which {}", indent, id, not_kept));
      } else {
        say("by", indent + blocker_line(*blocker));
        say_blockers(*blocker, depth + 1);
      }
    }
  }

  static std::string blocker_line(const StoredSSTable& blocker) {
    const std::string until = !blocker.died.empty()        ? "gone on " + blocker.died
                              : never(blocker.last_expiry) ? "has rows without TTL: blocks for ever"
                                                           : "blocks until " + blocker.droppable_at;
    return fmt::format("SSTable {}: oldest write {}, {} on {}; {}", blocker.id, blocker.oldest_write, birth(blocker),
                       blocker.born, until);
  }

  void say_what_it_holds() {
    std::vector<std::int64_t> held;
    for (const auto& [id, other] : table_.sstables) {
      const bool blocked =
          other.state == "blocked" && std::ranges::find(other.blocked_by, sstable_.id) != other.blocked_by.end();
      if (blocked) held.push_back(id);
    }
    say("blocks", fmt::format("at most {} of expired SSTables; {} of it alone: so much goes if only this one is gone",
                              bytes_text(sstable_.holds_bytes), bytes_text(sstable_.frees_bytes)));
    if (held.empty()) return;
    const std::size_t shown = std::min<std::size_t>(held.size(), 12);
    say("", fmt::format("at the end {}: {}{}", number_of(std::ssize(held), "SSTable"),
                        fmt::join(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(shown), " "),
                        shown < held.size() ? " …" : ""));
  }

  const StoredTable& table_;
  const StoredSSTable& sstable_;
  AlignedText lines_{{Side::left, Side::left}};
  std::set<std::int64_t> told_{};
};

}  // namespace

std::string explain_sstable(const StoredTable& table, const StoredSSTable& sstable) {
  return Explanation(table, sstable).text();
}

}  // namespace windrow
