#pragma once

#include "sim/keys/column_rule.h"
#include "sim/keys/key.h"
#include "sim/keys/stream_values.h"
#include "sim/scenario/scenario.h"
#include "sim/words/plain_values.h"
#include "sim/words/timed.h"
#include "sim/workload/write_weight.h"

namespace windrow {

// The sections of a scenario as written. keys() describes each key once, with its default, and parser, checks, error
// texts, `windrow keys` and docs/scenario-keys.md are made from it. What a run takes as it is written is read into the
// run's own struct; a Setting is for what is looked up, joined or computed first.

struct RunSection : ReadInto<Scenario> {
  Setting<Text> schema{};
  Setting<Duration> length{};
  static const Keys<RunSection>& keys();
};

struct DcSection : ReadInto<DataCenter> {
  Setting<Count> replication{};
  Setting<Text> tokens{};
  static const Keys<DcSection>& keys();
};

struct NodeSection : ReadInto<NodeSettings> {
  static const Keys<NodeSection>& keys();
};

enum class Stagger { spread, none };
void read_value(Cursor& cursor, Stagger& value);

/// Which rows' statements write the static columns.
enum class StaticWrites { each, once };
void read_value(Cursor& cursor, StaticWrites& value);

struct StreamSection {
  Setting<ReferredName> table{};
  Setting<ReferredName> like{};
  Setting<Entities> entities{"1"};
  Setting<Timed<StreamRate>> rate{};
  Setting<Shape> shape{"flat"};
  Setting<Growth> growth{"0%/y"};
  Setting<Moment> from{};
  Setting<Moment> until{};
  Setting<Stagger> stagger{"spread"};
  Setting<Op> op{"insert"};
  Setting<NameList> columns{};
  Family<Timed<ColumnRule>> column{};
  Setting<Size> row{};
  Setting<StaticWrites> statics{};
  Setting<Timed<TtlMix>> ttl{"table"};
  Setting<Lateness> late{"none"};
  Setting<TimestampRule> timestamp{"arrival"};
  Setting<BackfillSpan> backfill{};
  Setting<Count> copies{"1"};
  Setting<ReferredName> of{};
  Setting<Duration> per{};
  Setting<Duration> delay{"0s"};
  Setting<Zone> zone{"UTC"};
  static const Keys<StreamSection>& keys();
};

struct TableSection : ReadInto<TableSpec> {
  Setting<Text> flushes{};
  Setting<Duration> drop_after{};
  Setting<DropRule> on_drop{"snapshot"};
  Family<Text> option{};
  static const Keys<TableSection>& keys();
};

void read_value(Cursor& cursor, ReadSpec::Start& value);
void read_value(Cursor& cursor, Consistency& value);

struct ReadSection : ReadInto<ReadSpec> {
  Setting<ReferredName> of{};
  Setting<ReferredName> fetch{};
  Family<Count> probe{};
  static const Keys<ReadSection>& keys();
};

struct RepairSection : ReadInto<RepairSpec> {
  Setting<NameList> tables{};
  Setting<SpanOfDates> skip{};
  static const Keys<RepairSection>& keys();
};

void read_value(Cursor& cursor, OutageSpec::Kind& value);
void read_value(Cursor& cursor, OutageSpec::Ends& value);

struct OutageSection {
  Setting<Count> node{};
  Setting<Count> rack{};
  Setting<ReferredName> dc{};
  Setting<Moment> from{};
  Setting<Rate> rate{};
  Setting<SpreadOfTime> length{};
  Setting<OutageSpec::Kind> kind{"down"};
  Setting<OutageSpec::Ends> ends{};
  static const Keys<OutageSection>& keys();
};

struct ChangeSection {
  Setting<Moment> at{};
  Setting<Text> cql{};
  static const Keys<ChangeSection>& keys();
};

struct ActionSection : ReadInto<ActionSpec> {
  Setting<ReferredName> table{};
  static const Keys<ActionSection>& keys();
};

/// Bounds by the limit's key.
struct LimitsSection : ReadInto<std::map<std::string, double, std::less<>>> {
  static const Keys<LimitsSection>& keys();
};

/// A section's kind, for help and the reference page: `[run]`, `[stream.NAME]`.
struct SectionInfo {
  enum class Naming { single, named, optional };
  std::string kind{};
  Naming naming = Naming::single;
  std::string heading{};  // "[stream.NAME]"
  std::string meaning{};
  std::vector<KeyInfo> keys{};
};

/// Every section, in the order of a scenario.
const std::vector<SectionInfo>& all_sections();

}  // namespace windrow
