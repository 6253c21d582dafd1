#include "sim/resolve/endless.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/keys/scenario_text.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

constexpr double most_flushes = 100e6;
constexpr double most_samples = 2e6;
constexpr double most_rows_per_s = 1e8;  // of a scenario, as for its first rates

const Named<StreamSection>& section_of(const LoadedScenario& loaded, const WriterSpec& writer) {
  return *std::ranges::find(loaded.text.streams, writer.stream, &Named<StreamSection>::name);
}

[[noreturn]] void refuse_stream(const Named<StreamSection>& stream, const SettingBase& setting, const char* key,
                                std::string problem, std::string accepted) {
  if (setting.given()) refuse(setting, std::move(problem), std::move(accepted));
  throw ScenarioError({.place = stream.place,
                       .key = fmt::format("stream.{}.{}", stream.name, key),
                       .problem = std::move(problem),
                       .accepted = std::move(accepted)});
}

double rows_per_s(const WriterSpec& writer, const RateStretch& stretch) {
  return static_cast<double>(stretch.rows * writer.rows_per_event) * 1e6 / static_cast<double>(stretch.period_us);
}

void refuse_silence(const LoadedScenario& loaded) {
  for (const Named<StreamSection>& stream : loaded.text.streams) {
    // What begins after a run that was made shorter is no mistake.
    const bool later = stream.section.from.given() && stream.section.from->us >= loaded.scenario.end_us;
    bool writes = later || stream.section.of.present();
    for (const WriterSpec& writer : loaded.scenario.writers) {
      if (writer.stream != stream.name) continue;
      writes = writes || writer.backfill ||
               std::ranges::any_of(writer.rate, [](const RateStretch& stretch) { return stretch.rows > 0; });
    }
    if (!writes)
      refuse_stream(stream, stream.section.rate, "rate", "never writes a row", "a rate above 0/s, at some time");
  }
}

void refuse_floods(const LoadedScenario& loaded) {
  for (const WriterSpec& writer : loaded.scenario.writers) {
    for (const RateStretch& stretch : writer.rate) {
      const double here = rows_per_s(writer, stretch);
      if (here <= most_rows_per_s) continue;
      const Named<StreamSection>& stream = section_of(loaded, writer);
      const bool grows = stream.section.growth.given();
      refuse_stream(stream, grows ? static_cast<const SettingBase&>(stream.section.growth) : stream.section.rate,
                    grows ? "growth" : "rate",
                    fmt::format("comes to {:.2g} rows/s by {}", here, format_moment(stretch.from_us)),
                    "at most 1e8 rows/s of all its entities");
    }
  }
}

double row_bytes(const WriterSpec& writer) {
  double bytes = 10.0 + writer.clustering_bytes;
  for (const ColumnValue& column : writer.columns) bytes += 2 + column.mean_bytes() * std::max(1, column.elements);
  return bytes * static_cast<double>(writer.rows_per_event);
}

double bytes_written(const Scenario& scenario, const WriterSpec& writer) {
  double events = 0;
  for (std::size_t i = 0; i < writer.rate.size(); ++i) {
    const Micros until_us = std::min(
        {scenario.end_us, writer.until_us, i + 1 < writer.rate.size() ? writer.rate[i + 1].from_us : scenario.end_us});
    const auto span_us = static_cast<double>(std::max<Micros>(0, until_us - writer.rate[i].from_us));
    events += static_cast<double>(writer.rate[i].rows) * span_us / static_cast<double>(writer.rate[i].period_us);
  }
  return events * row_bytes(writer);
}

void refuse_flushes(const LoadedScenario& loaded) {
  const Scenario& scenario = loaded.scenario;
  const NodeSettings& node = scenario.node;
  const double run_s = static_cast<double>(scenario.end_us - scenario.start_us) / 1e6;
  double log_bytes = node.other_writes_bytes_per_s * run_s;
  double flushes = 0;
  // A memtable's row takes several times its bytes of heap; a third of a quarter of the heap is flushed at a time.
  constexpr double heap_per_byte = 8;
  const double heap =
      static_cast<double>(node.memtable_heap_bytes > 0 ? node.memtable_heap_bytes : node.heap_bytes / 4);
  for (const WriterSpec& writer : scenario.writers) {
    const Bytes said = scenario.tables[static_cast<std::size_t>(writer.table)].flush_size_bytes;
    const double bytes = bytes_written(scenario, writer);
    flushes += bytes / (said > 0 ? static_cast<double>(said) : heap / 3 / heap_per_byte);
    log_bytes += bytes;
  }
  const double log =
      static_cast<double>(node.commitlog_total_space_bytes > 0 ? node.commitlog_total_space_bytes : GiB(8));
  flushes += log_bytes / log * static_cast<double>(scenario.tables.size());
  if (flushes <= most_flushes) return;
  throw ScenarioError({.place = loaded.text.run.length.place(),
                       .key = "run.length",
                       .value = loaded.text.run.length.text(),
                       .problem = fmt::format("has about {:.1g} flushes: such a run does not end", flushes),
                       .accepted = fmt::format("at most {:.0g} flushes", most_flushes),
                       .note = "a shorter run, a larger flush_size or heap, lower rates or less of other_writes"});
}

void refuse_samples(const LoadedScenario& loaded) {
  const Scenario& scenario = loaded.scenario;
  const double samples = static_cast<double>(scenario.end_us - scenario.start_us) /
                         static_cast<double>(scenario.sample_us) * static_cast<double>(scenario.tables.size());
  if (samples <= most_samples) return;
  refuse(loaded.text.run.setting("sample"), fmt::format("takes {:.2g} samples: they do not fit into memory", samples),
         fmt::format("at most {:.0g} samples of all tables", most_samples));
}

}  // namespace

void refuse_what_does_not_end(const LoadedScenario& loaded) {
  refuse_silence(loaded);
  refuse_floods(loaded);
  refuse_samples(loaded);
  refuse_flushes(loaded);
}

}  // namespace windrow
