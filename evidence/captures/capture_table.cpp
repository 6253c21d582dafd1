#include "evidence/captures/capture_table.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/stats/murmur3.h"
#include "sim/values/cql_value.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

// Numbers of a template are texts once its variables are filled in.
std::int64_t integer(const Json& value) {
  return value.is_string() ? std::stoll(value.get<std::string>()) : value.get<std::int64_t>();
}

std::string value_of(const CqlType& type, const Json& literal) {
  auto value = cql_value(type, literal.get<std::string>());
  if (!value) throw CqlValueError("a key or an element is null");
  return *std::move(value);
}

const Json& part(const Json& statement, const char* name) {
  static const Json none = Json::object();
  const auto found = statement.find(name);
  return found == statement.end() ? none : *found;
}

}  // namespace

CapturedTable::CapturedTable(const Table& table, SSTableFormat format, Seconds clock_s)
    : table_(table), format_(format), clock_s_(clock_s) {
  order_.columns = {table.clustering().begin(), table.clustering().end()};
}

const Column& CapturedTable::column(const std::string& name) const {
  const Column* found = table_.find_column(name);
  if (found == nullptr) throw std::runtime_error("no such column: " + name);
  return *found;
}

CapturedPartition& CapturedTable::partition_of(const Json& key_values) {
  std::vector<std::string> components;
  for (const Column& key : table_.partition_key()) components.push_back(value_of(key.type, key_values.at(key.name)));
  std::string key = partition_key(components);
  const Token token = murmur3_token(key);
  return memtable_.partitions.try_emplace({token, std::move(key)}, CapturedPartition(order_)).first->second;
}

// The leading clustering columns that are given.
Clustering CapturedTable::clustering_of(const Json& values) const {
  Clustering clustering;
  for (const Column& column : table_.clustering()) {
    const auto value = values.find(column.name);
    if (value == values.end()) break;
    clustering.push_back(value_of(column.type, *value));
  }
  return clustering;
}

void CapturedTable::see(const CapturedCell& cell) {
  memtable_.stats.see(cell.timestamp_us);
  if (cell.ttl_s > 0) memtable_.stats.see_ttl(cell.ttl_s);
  memtable_.stats.see_deletion(cell.local_deletion_time_s);
}

void CapturedTable::see(const DeletionTime& deletion) {
  memtable_.stats.see(deletion.marked_for_delete_at_us);
  memtable_.stats.see_deletion(deletion.local_deletion_time_s);
}

// A column that a statement names is in the header whether or not it gets a cell.
int CapturedTable::name_column(const Column& column) {
  const bool is_static = column.kind == Column::Kind::static_;
  const auto columns = is_static ? table_.static_columns() : table_.regular_columns();
  const int place = static_cast<int>(&column - columns.data());
  (is_static ? memtable_.columns.static_columns : memtable_.columns.regular_columns).insert(place);
  return place;
}

CapturedCell CapturedTable::cell(const Update& update, std::string value) const {
  CapturedCell cell{.timestamp_us = update.timestamp_us, .value = std::move(value)};
  if (update.ttl_s > 0) {
    cell.kind = StoredCell::Kind::expiring;
    cell.ttl_s = update.ttl_s;
    cell.local_deletion_time_s = update.now_s + update.ttl_s;
  }
  return cell;
}

CapturedCell CapturedTable::tombstone(const Update& update) const {
  return {
      .kind = StoredCell::Kind::tombstone, .timestamp_us = update.timestamp_us, .local_deletion_time_s = update.now_s};
}

void CapturedTable::put(const Column& column, CapturedCell cell, Update& update) {
  see(cell);
  CapturedRow& row = column.kind == Column::Kind::static_ ? update.static_row : update.row;
  row.cells.insert_or_assign(name_column(column), std::move(cell));
}

CapturedComplex& CapturedTable::complex(const Column& column, Update& update) {
  CapturedRow& row = column.kind == Column::Kind::static_ ? update.static_row : update.row;
  const bool ordered = column.type.kind == CqlType::Kind::map || column.type.kind == CqlType::Kind::set;
  const PathOrder order{.type = ordered ? column.type.arguments.front() : simple_type(CqlType::Kind::blob)};
  const auto [place, added] = row.complex_columns.try_emplace(name_column(column));
  if (added) place->second.cells = decltype(place->second.cells)(order);
  return place->second;
}

void CapturedTable::put_part(const Column& column, const std::string& path, CapturedCell cell, Update& update) {
  see(cell);
  complex(column, update).cells.insert_or_assign(path, std::move(cell));
}

void CapturedTable::delete_complex(const Column& column, Micros timestamp_us, Update& update) {
  const DeletionTime deletion{.marked_for_delete_at_us = timestamp_us, .local_deletion_time_s = update.now_s};
  see(deletion);
  complex(column, update).deletion = deletion;
}

void CapturedTable::set_columns(const Json& values, Update& update) {
  for (const auto& [name, value] : values.items()) {
    const Column& target = column(name);
    if (target.kind == Column::Kind::partition_key || target.kind == Column::Kind::clustering) continue;
    const auto text = value.get<std::string>();
    if (text == "UNSET") {
      name_column(target);
    } else if (target.type.is_multi_cell()) {
      // A whole collection first deletes what was there a microsecond before (storage rule 1.8).
      delete_complex(target, update.timestamp_us - 1, update);
      for (auto& part : complex_cells(target.type, parse_cql_literal(text), next_list_path_)) {
        put_part(target, part.path, cell(update, std::move(part.value)), update);
      }
    } else {
      auto serialized = cql_value(target.type, text);
      put(target, serialized ? cell(update, *std::move(serialized)) : tombstone(update), update);
    }
  }
}

// UPDATE of parts of collections and user types: c = c + x, x + c, c - x; c[k] = v; c.f = v.
void CapturedTable::set_parts(const Json& statement, Update& update) {
  for (const char* way : {"add", "prepend"}) {
    for (const auto& [name, value] : part(statement, way).items()) {
      const Column& target = column(name);
      complex(target, update);
      for (auto& added : complex_cells(target.type, parse_cql_literal(value.get<std::string>()), next_list_path_)) {
        put_part(target, added.path, cell(update, std::move(added.value)), update);
      }
    }
  }
  for (const auto& [name, value] : part(statement, "remove").items()) {
    const Column& target = column(name);
    for (const CqlLiteral& removed : parse_cql_literal(value.get<std::string>()).items) {
      put_part(target, cql_value(target.type.arguments.front(), removed).value(), tombstone(update), update);
    }
  }
  for (const auto& [name, pair] : part(statement, "put").items()) {
    const Column& target = column(name);
    const std::string path = value_of(target.type.arguments.at(0), pair.at(0));
    auto value = cql_value(target.type.arguments.at(1), pair.at(1).get<std::string>());
    put_part(target, path, value ? cell(update, *std::move(value)) : tombstone(update), update);
  }
  for (const auto& [name, pair] : part(statement, "field").items()) {
    const Column& target = column(name);
    const auto field = pair.at(0).get<std::string>();
    const std::string path = field_path(target.type, field);
    const auto place =
        static_cast<std::size_t>(std::find(target.type.field_names.begin(), target.type.field_names.end(), field) -
                                 target.type.field_names.begin());
    auto value = cql_value(target.type.arguments.at(place), pair.at(1).get<std::string>());
    put_part(target, path, value ? cell(update, *std::move(value)) : tombstone(update), update);
  }
}

void CapturedTable::insert(const Json& statement, Update& update) {
  set_columns(statement.at("values"), update);
  if (clustering_of(statement.at("values")).size() != table_.clustering().size()) return;
  LivenessInfo& liveness = update.row.liveness;
  liveness = {.present = true, .ttl_s = update.ttl_s, .timestamp_us = update.timestamp_us};
  memtable_.stats.see(update.timestamp_us);
  if (update.ttl_s == 0) return;
  liveness.local_expiration_time_s = update.now_s + update.ttl_s;
  memtable_.stats.see_ttl(update.ttl_s);
  memtable_.stats.see_deletion(liveness.local_expiration_time_s);
}

void CapturedTable::delete_columns(const Json& statement, Update& update) {
  for (const Json& name : part(statement, "columns")) {
    const Column& target = column(name.get<std::string>());
    if (target.type.is_multi_cell()) {
      delete_complex(target, update.timestamp_us, update);
    } else {
      put(target, tombstone(update), update);
    }
  }
  for (const auto& [name, key] : part(statement, "elements").items()) {
    const Column& target = column(name);
    const bool field = target.type.kind == CqlType::Kind::udt;
    const std::string path =
        field ? field_path(target.type, key.get<std::string>()) : value_of(target.type.arguments.at(0), key);
    put_part(target, path, tombstone(update), update);
  }
}

// A counter cell of one node's writes: its sum stays in one shard.
void CapturedTable::count(const Json& statement, Update& update) {
  for (const auto& [name, delta] : statement.at("delta").items()) {
    put(column(name), cell(update, std::string(static_cast<std::size_t>(counter_value_bytes(1)), '\0')), update);
  }
}

CapturedRange CapturedTable::range_of(const Json& statement, const Clustering& prefix,
                                      const DeletionTime& deletion) const {
  CapturedRange range{
      .start = {.values = prefix, .side = -1}, .end = {.values = prefix, .side = 1}, .deletion = deletion};
  for (const Json& relation : part(statement, "range")) {
    const Column& target = column(relation.at(0).get<std::string>());
    auto comparison = relation.at(1).get<std::string>();
    ClusteringPosition bound{.values = prefix};
    bound.values.push_back(value_of(target.type, relation.at(2)));
    if (target.order == Column::Order::desc) comparison[0] = comparison[0] == '<' ? '>' : '<';
    const bool inclusive = comparison.size() == 2;
    if (comparison[0] == '>') {
      bound.side = inclusive ? -1 : 1;
      range.start = std::move(bound);
    } else {
      bound.side = inclusive ? 1 : -1;
      range.end = std::move(bound);
    }
  }
  return range;
}

void CapturedTable::delete_rows(const Json& statement, CapturedPartition& partition, const DeletionTime& deletion) {
  see(deletion);
  const Clustering clustering = clustering_of(statement.at("where"));
  const bool ranged = statement.contains("range");
  if (clustering.empty() && !ranged) {
    if (supersedes(deletion, partition.deletion)) partition.deletion = deletion;
  } else if (clustering.size() == table_.clustering().size()) {
    CapturedRow row;
    row.deletion = deletion;
    partition.rows[clustering].merge(row, Meeting::memtable);
  } else {
    partition.ranges.push_back(range_of(statement, clustering, deletion));
  }
}

// A range that ends before it begins is no statement to the storage engine (Slice.isEmpty).
bool CapturedTable::deletes_nothing(const Json& statement) const {
  if (statement.at("op") != "delete" || !statement.contains("range")) return false;
  const CapturedRange range = range_of(statement, clustering_of(statement.at("where")), {});
  return order_.compare(range.start, range.end) >= 0;
}

void CapturedTable::apply(const Json& statement) {
  if (deletes_nothing(statement)) return;
  const auto op = statement.at("op").get<std::string>();
  const Json& where = op == "insert" ? statement.at("values") : statement.at("where");
  CapturedPartition& partition = partition_of(where);
  Update update{.timestamp_us = integer(statement.at("ts")), .now_s = integer(statement.at("now"))};
  if (op == "insert" || op == "update") {
    const auto ttl = statement.find("ttl");
    update.ttl_s =
        ttl == statement.end() ? table_.options.default_time_to_live : static_cast<std::int32_t>(integer(*ttl));
  }
  if (op == "insert") {
    insert(statement, update);
  } else if (op == "update") {
    set_columns(part(statement, "set"), update);
    set_parts(statement, update);
  } else if (op == "counter") {
    count(statement, update);
  } else if (op != "delete") {
    throw std::runtime_error("no such operation: " + op);
  } else if (part(statement, "columns").empty() && part(statement, "elements").empty()) {
    delete_rows(statement, partition,
                {.marked_for_delete_at_us = update.timestamp_us, .local_deletion_time_s = update.now_s});
    return;
  } else {
    delete_columns(statement, update);
  }
  if (!update.static_row.empty()) partition.static_row.merge(update.static_row, Meeting::memtable);
  if (!update.row.empty()) partition.rows[clustering_of(where)].merge(update.row, Meeting::memtable);
}

void CapturedTable::flush() {
  Memtable full = std::exchange(memtable_, {});
  if (full.partitions.empty()) return;
  for (auto& [place, partition] : full.partitions) partition.resolve(Meeting::memtable);
  sstables_.push_back(write_sstable(table_, {.format = format_}, full.stats.get(), std::move(full.columns),
                                    std::move(full.partitions)));
}

namespace {

// Rule 4.3 where the inputs are all there is: expired files newer than nothing else are dropped unread.
void drop_fully_expired(std::vector<CapturedSSTable>& inputs, Seconds gc_before_s) {
  Micros oldest_kept_us = no_timestamp;
  const auto expired = [&](const CapturedSSTable& input) {
    return input.statistics.max_local_deletion_time_s < gc_before_s;
  };
  for (const CapturedSSTable& input : inputs) {
    if (!expired(input)) oldest_kept_us = std::min(oldest_kept_us, input.statistics.min_timestamp_us);
  }
  std::erase_if(inputs, [&](const CapturedSSTable& input) {
    return expired(input) && input.statistics.max_timestamp_us < oldest_kept_us;
  });
}

}  // namespace

void CapturedTable::compact() {
  const Seconds gc_before_s = clock_s_ - table_.options.gc_grace_seconds;
  std::vector<CapturedSSTable> inputs = std::exchange(sstables_, {});
  drop_fully_expired(inputs, gc_before_s);
  EncodingStats::Collector stats;
  NamedColumns columns;
  CapturedPartitions merged;
  std::set<CapturedPartitions::key_type> met;  // in several files; a partition of one goes through as it is
  for (const CapturedSSTable& input : inputs) {
    stats.see(input.statistics.min_timestamp_us);
    stats.see_deletion(input.statistics.min_local_deletion_time_s);
    stats.see_ttl(input.statistics.min_ttl_s);
    columns.static_columns.insert(input.columns.static_columns.begin(), input.columns.static_columns.end());
    columns.regular_columns.insert(input.columns.regular_columns.begin(), input.columns.regular_columns.end());
    for (const auto& [place, partition] : input.contents) {
      const auto [into, added] = merged.try_emplace(place, partition);
      if (added) continue;
      into->second.merge(partition, Meeting::compaction);
      met.insert(place);
    }
  }
  for (auto& [place, partition] : merged) {
    if (met.contains(place)) partition.resolve(Meeting::compaction);
    partition.purge(clock_s_, gc_before_s);
  }
  std::erase_if(merged, [](const auto& entry) { return entry.second.empty(); });
  if (merged.empty()) return;
  sstables_.push_back(write_sstable(table_, {.format = format_, .compacted = true}, stats.get(), std::move(columns),
                                    std::move(merged)));
}

}  // namespace windrow
