#include "sim/keys/accepted.h"
#include "sim/keys/sections.h"

// What goes wrong, and what is done against it: [repair.NAME], [outage.NAME].

namespace windrow {

namespace {

constexpr std::int64_t most_subranges = 64;

bool a_node_or_rack(const Count& value) { return value.count >= 1 && value.count <= most_nodes; }

}  // namespace

static void read_value(Cursor& cursor, RepairSpec::Ranges& value) {
  using R = RepairSpec::Ranges;
  value = read_choice<R>(cursor, {{"primary", R::primary}, {"all", R::all}});
}
static void read_value(Cursor& cursor, RepairSpec::Order& value) {
  using O = RepairSpec::Order;
  value = read_choice<O>(cursor, {{"together", O::together}, {"node_after_node", O::node_after_node}});
}
static void read_value(Cursor& cursor, RepairSpec::Kind& value) {
  using K = RepairSpec::Kind;
  value = read_choice<K>(cursor, {{"full", K::full}, {"incremental", K::incremental}});
}

const Keys<RepairSection>& RepairSection::keys() {
  using S = RepairSection;
  using V = RepairSpec;
  static const Keys<S> keys = {
      Key<S>("tables", &S::tables, "tables that are repaired", "", "tables joined by +").without("all"),
      Key<S>("kind", &V::kind, "full or incremental repair", "", "full, incremental").otherwise("full"),
      Key<S>("ranges", &V::ranges, "each node repairs its primary ranges, or all that it holds", "", "primary, all")
          .otherwise("primary"),
      Key<S>("order", &V::order, "all ranges of all nodes at once, or one node's ranges after the other's", "",
             "together, node_after_node")
          .otherwise("together"),
      Key<S>("subranges", &V::subranges, &Count::count,
             "sessions that each range is divided between, one after the other", "sessions", "1 to 64")
          .holds<Count>([](const Count& value) { return value.count >= 1 && value.count <= most_subranges; })
          .otherwise("1"),
      Key<S>("from", &V::from_us, &Moment::us, "first repair", "date", dates)
          .without("one interval after the run's start"),
      Key<S>("every", &V::every_us, &Duration::us, "time between the beginnings of two repairs", "time", "above 0s")
          .required()
          .holds(positive_time),
      Key<S>("takes", &V::takes_us, &Duration::us, "how long one repair of all nodes takes", "time", "above 0s")
          .holds(positive_time)
          .without("`throughput` must be given"),
      Key<S>("throughput", &V::throughput_bytes_per_s, &ByteRate::bytes_per_s,
             "bytes validated per time, from which the length follows", "bytes per time", "above 0, such as 64MiB/s")
          .holds<ByteRate>([](const ByteRate& value) { return value.bytes_per_s > 0; })
          .without("`takes` must be given"),
      Key<S>("skip", &S::skip, "repairs that would begin in this time do not", "dates", "DATE..DATE").without("none"),
  };
  return keys;
}

void read_value(Cursor& cursor, OutageSpec::Kind& value) {
  using Kind = OutageSpec::Kind;
  value = read_choice<Kind>(cursor, {{"down", Kind::down}, {"cut_off", Kind::cut_off}});
}

void read_value(Cursor& cursor, OutageSpec::Ends& value) {
  using Ends = OutageSpec::Ends;
  value = read_choice<Ends>(cursor, {{"return", Ends::returns}, {"replace", Ends::replaced}});
}

const Keys<OutageSection>& OutageSection::keys() {
  using S = OutageSection;
  static const Keys<S> keys = {
      Key<S>("node", &S::node, "which node it is, from 1", "", "1 to the number of nodes")
          .holds(a_node_or_rack)
          .without("`rack` or `dc` must be given; with `rate` every node has outages of its own"),
      Key<S>("rack", &S::rack, "all nodes of this rack at once, from 1", "", "1 to the number of racks")
          .holds(a_node_or_rack)
          .without("one node"),
      Key<S>("dc", &S::dc, "all nodes of this data centre at once, or the one that `rack` is of", "",
             "the name of a data centre")
          .without("one node; the only data centre"),
      Key<S>("from", &S::from, "when it begins", "date", dates).without("`rate` must be given"),
      Key<S>("rate", &S::rate, "how often it happens, at times drawn from the seed", "outages per time",
             "above 0, such as 2/y")
          .holds(positive_rate)
          .without("once, at `from`"),
      Key<S>("length", &S::length, "how long it lasts", "time", "above 0s, or lognormal(2h, 12h): median and p99")
          .required()
          .holds<SpreadOfTime>([](const SpreadOfTime& value) { return value.us.mean_of_ranks(0, 1, 1) > 0; }),
      {"kind", &S::kind, "down: its process has ended; cut_off: it goes on, nothing reaches it", "", "down, cut_off"},
      Key<S>("ends", &S::ends,
             "return: with what is on its disk; replace: a new node takes its place, and gets its rows from others", "",
             "return, replace")
          .without("return"),
  };
  return keys;
}

}  // namespace windrow
