#include "sim/engine/closeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/content/row_shape.h"
#include "sim/scenario/scenario_workload.h"

namespace windrow {

namespace {

constexpr double doubt_not_worth_a_look = 1e-5;

/// What is purged partition by partition, or measured for the last byte, is looked at row by row.
constexpr Rows rows_a_partition_filtered = 6;

/// True if something of the table may be dead one day.
bool may_die(const TableWorkload& workload, std::span<const TableOptions> ever) {
  if (std::ranges::any_of(ever, [](const TableOptions& options) { return options.default_time_to_live > 0; }))
    return true;
  for (const Writer& writer : workload.writers()) {
    if (born_with_dead(writer) || workload.deletes_of(writer.index).kind != DeleteKind::none) return true;
  }
  return std::ranges::any_of(workload.sub_streams(),
                             [](const SubStream& sub) { return sub.ttl_s() > 0 || sub.brings() != Brings::rows; });
}

/// Static rows are held by themselves, and know their partition's token: no lattice.
bool statics_forbid_lattice(const TableWorkload& workload, std::span<const TableOptions> ever,
                            std::int64_t exact_partitions) {
  constexpr Rows rows_a_partition_cut = 10;  // what is cut partition by partition is looked at row by row
  const auto writes_statics = [](const Writer& writer) { return !writer.statics.empty(); };
  const auto writer = std::ranges::find_if(workload.writers(), writes_statics);
  if (writer == workload.writers().end()) return false;
  const bool cut = std::ranges::any_of(ever, cuts_by_token);
  const std::int64_t partitions = cut ? most_partitions_alive(workload, ever.front()) : partitions_written(workload);
  if (partitions > exact_partitions || (cut && rows_written(workload) / rows_a_partition_cut > exact_partitions)) {
    throw std::length_error(fmt::format(
        "stream {}: static columns in more partitions than run.exact_partitions = {}, or in a table that is "
        "cut by token beside more than ten times as many rows: not modelled yet; a larger exact_partitions "
        "(slower), a shorter run, fewer entities, or columns = without the static ones",
        writer->name, exact_partitions));
  }
  return true;
}

}  // namespace

Closeness closeness_of_run(const TableWorkload& workload, std::span<const TableOptions> ever,
                           std::int64_t exact_partitions) {
  const Rows rows = rows_written(workload);
  // Deletions of partitions know their partition's token, like static rows.
  const bool lattice = spread_on_lattice(workload, ever, exact_partitions) &&
                       !statics_forbid_lattice(workload, ever, exact_partitions) && !workload.deletes_partitions();
  const bool few_rows = rows / rows_a_partition_filtered <= exact_partitions;
  return {.rows_to_look_at = rows_worth_a_look,
          .trusted_doubt = few_rows ? 0 : doubt_not_worth_a_look,
          .lattice = lattice,
          .keep_filters = !lattice && few_rows && may_die(workload, ever)};
}

}  // namespace windrow
