#include "evidence/captures/capture_memtable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "evidence/captures/memtable_sizes.h"
#include "sim/cql/script.h"
#include "sim/stats/vint.h"
#include "sim/workload/covering_deletes.h"
#include "sim/workload/partition_weight.h"
#include "sim/workload/static_weight.h"
#include "sim/workload/write_weight.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

constexpr double memory_bound = 0.02;
constexpr double log_bound = 0.03;
constexpr double flush_bound = 0.01;
constexpr Seconds captured_s = 1'795'252'000;  // 2026-11-21
constexpr std::int32_t counter_bytes = 36;     // a context of one shard

std::int32_t length_and(std::int32_t bytes) { return bytes + unsigned_vint_size(static_cast<std::uint64_t>(bytes)); }

/// A recorded shape: its table, and what a statement writes.
class Shape {
 public:
  Shape(const Json& line, const Json& known) {
    const auto name = line.at("case").get<std::string>();
    const auto device_keys = known.at("device_keys").get<std::vector<std::string>>();
    const auto found = known.at("sizes").find(name);
    device_key_ = found != known.at("sizes").end() || std::ranges::find(device_keys, name) != device_keys.end();
    if (found != known.at("sizes").end()) sizes_ = *found;
    if (line.contains("sizes")) sizes_ = line.at("sizes");
    std::string key = line.at("key");
    std::replace(key.begin(), key.end(), '|', ' ');
    const auto order = key.find("CLUSTERING");
    std::string ddl =
        fmt::format("CREATE TABLE m.t ({}, {})", line.at("cols").get<std::string>(), key.substr(0, order));
    if (order != std::string::npos) ddl += " WITH " + key.substr(order);
    const Schema schema = read_schema("CREATE KEYSPACE m WITH replication = {'class': 'SimpleStrategy'}; " + ddl + ";");
    table_ = schema.keyspaces.front().tables.front();
    read_statement(line.at("statement"));
    read_keys();
  }

  /// Columns of which nothing says how long their values are.
  const std::vector<std::string>& assumed() const { return assumed_; }
  bool of_partition() const { return deletes_ == DeleteKind::partition; }
  bool of_range() const { return deletes_ == DeleteKind::range; }
  const Writer& writer() const { return writer_; }
  RowWrite write() const { return {.writer = &writer_, .brings = brings(), .ttl_s = ttl_s_}; }

 private:
  Brings brings() const {
    if (deletes_ == DeleteKind::row) return Brings::row_tombstones;
    return deletes_ == DeleteKind::cell ? Brings::cell_tombstones : Brings::rows;
  }

  std::int32_t size_of(const Column& column) {
    if (const auto size = sizes_.find(column.name); size != sizes_.end()) return size->get<std::int32_t>();
    if (column.type.is_counter()) return counter_bytes;
    if (column.type.fixed_length() >= 0) return column.type.fixed_length();
    using K = CqlType::Kind;
    static const std::map<K, std::int32_t> integers{{K::tinyint, 1}, {K::smallint, 2}, {K::date, 4}, {K::time, 8}};
    const auto size = integers.find(column.type.kind);
    if (size != integers.end()) return size->second;
    if (const auto literal = literals_.find(column.name); literal != literals_.end()) return literal->second;
    if (device_key_ && column.name == "d") return device_bytes;
    assumed_.push_back(column.name);
    return assumed_bytes;
  }

  void read_statement(const std::string& statement) {
    std::smatch found;
    if (std::regex_search(statement, found, std::regex(R"(USING TTL (\d+))"))) ttl_s_ = std::stoll(found[1]);
    writer_.insert = statement.starts_with("INSERT");
    std::string written;
    if (statement.starts_with("DELETE")) {
      const auto where = statement.find("WHERE");
      const auto conditions = static_cast<std::size_t>(std::ranges::count(statement.substr(where), '?'));
      const std::size_t keys = table_.partition_key().size();
      const auto from = statement.find("FROM");
      const bool cell = statement.find_first_not_of(' ', std::string_view("DELETE").size()) != from;
      deletes_ = cell                                       ? DeleteKind::cell
                 : conditions == keys                       ? DeleteKind::partition
                 : statement.find('<') != std::string::npos ? DeleteKind::range
                                                            : DeleteKind::row;
      if (cell) written = statement.substr(0, from);
    } else if (writer_.insert) {
      written = statement.substr(statement.find('('), statement.find(')') - statement.find('('));
    } else {
      written = statement.substr(statement.find("SET"), statement.find("WHERE") - statement.find("SET"));
    }
    read_literals(statement);
    static const std::regex appends(R"((\w+) *= *\1 *\+|\b(\w+)\[)");  // c = c + …, c[…] = …
    for (std::sregex_iterator each(written.begin(), written.end(), appends), end; each != end; ++each)
      appended_.insert((*each)[(*each)[1].matched ? 1 : 2]);
    const auto names = [&](const Column& column) {
      return std::regex_search(written, std::regex("\\b" + column.name + "\\b"));
    };
    for (const Column& column : table_.static_columns()) {
      if (names(column)) writer_.statics.push_back(column_write(column));
    }
    for (const Column& column : table_.regular_columns()) {
      if (names(column)) writer_.columns.push_back(column_write(column));
    }
  }

  /// Texts and blobs that the statement itself writes, by column.
  void read_literals(const std::string& statement) {
    const auto bytes = [](const std::string& literal) {
      const bool text = literal.starts_with('\'');
      return static_cast<std::int32_t>(text ? literal.size() - 2 : (literal.size() - 2) / 2);
    };
    static const std::regex assigned(R"((\w+) *= *('[^']*'|0x[0-9a-fA-F]*))");
    for (std::sregex_iterator each(statement.begin(), statement.end(), assigned), end; each != end; ++each)
      literals_[(*each)[1]] = bytes((*each)[2]);
    std::smatch lists;
    if (!std::regex_search(statement, lists, std::regex(R"(\(([^)]*)\) VALUES \((.*)\))"))) return;
    const std::string columns = lists[1];
    const std::string values = lists[2];
    static const std::regex name(R"(\w+)");
    static const std::regex value(R"('[^']*'|[^, ]+)");
    std::sregex_iterator one(columns.begin(), columns.end(), name);
    std::sregex_iterator its(values.begin(), values.end(), value);
    for (const std::sregex_iterator end; one != end && its != end; ++one, ++its) {
      const std::string literal = its->str();
      if (literal.starts_with('\'') || literal.starts_with("0x")) literals_[one->str()] = bytes(literal);
    }
  }

  ColumnWrite column_write(const Column& column) {
    ColumnWrite write{.name_bytes = static_cast<std::int32_t>(column.name.size()),
                      .fixed_length = column.type.fixed_length() >= 0};
    const auto size = sizes_.find(column.name);
    const bool null = size != sizes_.end() && size->is_null();
    if (null && column.type.is_multi_cell()) {
      write.elements = ElementsWrite{};  // it is emptied
      return write;
    }
    write.null = null || (deletes_ == DeleteKind::cell && !column.type.is_multi_cell());
    if (write.null) return write;
    if (!column.type.is_multi_cell()) {
      write.sizes = {size_of(column)};
      return write;
    }
    // How many elements, bytes of an element's key, of its value.
    if (size == sizes_.end()) assumed_.push_back(column.name);
    const Json elements = size == sizes_.end() ? Json{1, assumed_bytes, assumed_bytes} : *size;
    const bool whole = appended_.find(column.name) == appended_.end();
    write.elements =
        ElementsWrite{.count = elements.at(0).get<int>(), .whole = whole, .path_bytes = elements.at(1).get<int>()};
    write.sizes = {elements.at(2).get<std::int32_t>()};
    return write;
  }

  void read_keys() {
    const auto key = table_.partition_key();
    writer_.key_bytes = 0;
    for (const Column& column : key) writer_.key_bytes += size_of(column) + (key.size() > 1 ? 3 : 0);
    const auto clustering = table_.clustering();
    writer_.clustering = {
        .bytes = clustering.empty() ? 0 : 1, .columns = static_cast<int>(clustering.size()), .value_bytes = 0};
    for (const Column& column : clustering) {
      const std::int32_t size = size_of(column);
      writer_.clustering.value_bytes += size;
      writer_.clustering.bytes += column.type.fixed_length() >= 0 ? size : length_and(size);
    }
  }

  static constexpr std::int32_t device_bytes = 12;  // device-00000
  static constexpr std::int32_t assumed_bytes = 12;

  Json sizes_ = Json::object();
  bool device_key_ = false;
  std::vector<std::string> assumed_{};
  std::map<std::string, std::int32_t> literals_{};
  std::set<std::string> appended_{};  // collections of which other elements stay
  Table table_{};
  Writer writer_{};
  DeleteKind deletes_ = DeleteKind::none;
  Seconds ttl_s_ = 0;
};

MemtableSettings settings_of(const Json& line) {
  const std::string alloc = line.at("alloc");
  return {.memtable = line.at("memtable") == "trie" ? MemtableClass::trie : MemtableClass::skiplist,
          .allocation = alloc == "heap_buffers"      ? MemtableAllocation::heap_buffers
                        : alloc == "offheap_buffers" ? MemtableAllocation::offheap_buffers
                                                     : MemtableAllocation::offheap_objects};
}

/// What a memtable weighs after so many writes of `keys` rows in `partitions`.
MemoryBytes memory_of(const MemtableSettings& settings, const Shape& shape, double partitions, double keys,
                      double writes) {
  const auto key_bytes = static_cast<double>(shape.writer().key_bytes);
  const auto columns = static_cast<int>(shape.writer().columns.size());
  const auto ranges = static_cast<int>(writes / partitions);
  MemoryBytes partition = shape.of_range()       ? range_deleted_partition_memory(settings, shape.writer(), ranges)
                          : shape.of_partition() ? deleted_partition_memory(settings, key_bytes)
                                                 : partition_memory(settings, key_bytes, columns);
  partition += trie_memory(settings, key_bytes, partitions);
  MemoryBytes bytes = partition * partitions;
  if (shape.of_range() || shape.of_partition()) return bytes;
  bytes += rows_tree_memory(keys / partitions) * partitions;
  bytes += row_memory(settings, shape.write()) * keys;
  bytes += rewrite_memory(settings, shape.write()) * (writes - keys);
  const StaticMemory statics = static_memory(settings, shape.write());
  bytes += statics.a_partition * partitions;
  bytes += statics.a_row * writes;
  return bytes;
}

MemoryBytes memory_of(const Json& line, const Shape& shape) {
  const auto partitions = line.at("partitions").get<double>();
  return memory_of(settings_of(line), shape, partitions, partitions * line.at("rows_per_partition").get<double>(),
                   line.at("writes").get<double>());
}

/// Rows after which a memtable of a pool of `limit_bytes` on the heap, and off it, is flushed. Partitions take turns,
/// and no row is written twice. Where it is said how many rows a partition has, so many partitions at a time take turns
/// until they have them, and others follow.
double rows_at_flush(const Json& line, const Shape& shape, double limit_bytes) {
  const auto partitions = line.at("partitions").get<double>();
  const double rows_of_each = line.value("rows_per_partition", std::numeric_limits<double>::infinity());
  const auto full = [&](double rows) {
    const double done = std::floor(rows / (partitions * rows_of_each)) * partitions;
    const double more = done > 0 ? rows - done * rows_of_each : rows;
    MemoryBytes bytes;
    if (done > 0) bytes += memory_of(settings_of(line), shape, done, done * rows_of_each, done * rows_of_each);
    if (more > 0) bytes += memory_of(settings_of(line), shape, std::min(more, partitions), more, more);
    return std::max(bytes.heap, bytes.offheap) > limit_bytes;
  };
  double below = 1;
  double above = 1;
  while (!full(above)) above *= 2;
  while (above - below > 1) {
    const double middle = std::floor((below + above) / 2);
    (full(middle) ? above : below) = middle;
  }
  return above;
}

class MemtableCheck {
 public:
  explicit MemtableCheck(const std::map<std::string, std::string>& files) : files_(files) {}

  CaptureMemtableResult run() {
    const Json sizes = Json::parse(memtable_sizes());
    for (const auto& [name, text] : files_) {
      if (!name.ends_with(".jsonl") || name == "commitlog.jsonl" || name == "flushes.jsonl") continue;
      each_line(text, [&, &file = name](const Json& line) {
        if (line.contains("failed")) return;
        add_shape(line, sizes);
        memory(line, file);
      });
    }
    if (const auto log = files_.find("commitlog.jsonl"); log != files_.end()) {
      each_line(log->second, [&](const Json& line) { logged(line); });
    }
    if (const auto flushes = files_.find("flushes.jsonl"); flushes != files_.end()) {
      each_line(flushes->second, [&](const Json& line) {
        if (line.contains("cols")) add_shape(line, sizes);
        flushed(line);
      });
    }
    return result_;
  }

 private:
  template <typename Each>
  static void each_line(const std::string& text, const Each& each) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) each(Json::parse(line));
  }

  void add_shape(const Json& line, const Json& sizes) {
    const auto name = line.at("case").get<std::string>();
    const auto [shape, added] = shapes_.try_emplace(name, line, sizes);
    if (!added) return;
    for (const std::string& column : shape->second.assumed()) result_.assumed.push_back(name + "." + column);
  }

  /// Null: no memtable of its shape was recorded.
  const Shape* shape_of(const Json& line) {
    const auto shape = shapes_.find(line.at("case").get<std::string>());
    return shape == shapes_.end() ? nullptr : &shape->second;
  }

  void memory(const Json& line, const std::string& file) {
    const Shape* shape = shape_of(line);
    if (shape == nullptr) return;
    const MemoryBytes ours = memory_of(line, *shape);
    const auto heap = line.at("on_heap").get<double>();
    const auto offheap = line.at("off_heap").get<double>();
    const double off = std::max(std::abs(ours.heap - heap), std::abs(ours.offheap - offheap)) / (heap + offheap);
    result_.most_memory = std::max(result_.most_memory, off);
    judge(fmt::format("{} {} {}", file, line.at("memtable").get<std::string>(), line.at("case").get<std::string>()),
          "heap and off heap", off <= memory_bound, fmt::format("{:.0f} + {:.0f}", heap, offheap),
          fmt::format("{:.0f} + {:.0f}", ours.heap, ours.offheap));
  }

  void logged(const Json& line) {
    const Shape* shape = shape_of(line);
    if (shape == nullptr) return;
    const double ours = shape->of_partition() || shape->of_range()
                            ? logged_delete_bytes(shape->writer(), shape->of_range(), captured_s)
                            : logged_row_bytes(shape->write(), captured_s) + logged_static_bytes(shape->write());
    const auto expected = line.at("log_per_write").get<double>();
    const double off = std::abs(ours - expected) / expected;
    result_.most_logged = std::max(result_.most_logged, off);
    judge("commitlog " + line.at("case").get<std::string>(), "bytes a write", off <= log_bound,
          fmt::format("{:.1f}", expected), fmt::format("{:.1f}", ours));
  }

  void flushed(const Json& line) {
    const Shape* shape = shape_of(line);
    if (shape == nullptr) return;
    const float threshold = 1.0F / 3;
    const double limit = std::floor(static_cast<double>(line.at("pool_bytes").get<float>() * threshold));
    const double ours = rows_at_flush(line, *shape, limit);
    const auto recorded = line.at("rows").get<std::vector<double>>();
    const double expected = *std::ranges::min_element(recorded);
    const double off = std::abs(ours - expected) / expected;
    result_.most_flushed = std::max(result_.most_flushed, off);
    ++result_.flushes;
    judge(fmt::format("flushes {} {}", line.at("alloc").get<std::string>(), line.at("case").get<std::string>()),
          "rows of a flush", off <= flush_bound, fmt::format("{:.0f}", expected), fmt::format("{:.0f}", ours));
  }

  void judge(std::string name, const char* field, bool agrees, std::string expected, std::string ours) {
    ++result_.cases;
    if (agrees) {
      ++result_.agreeing;
      return;
    }
    result_.disagreements.push_back(
        {.case_name = std::move(name), .field = field, .expected = std::move(expected), .ours = std::move(ours)});
  }

  const std::map<std::string, std::string>& files_;
  std::map<std::string, Shape> shapes_{};
  CaptureMemtableResult result_{};
};

}  // namespace

CaptureMemtableResult verify_capture_memtable(const std::map<std::string, std::string>& files) {
  return MemtableCheck(files).run();
}

}  // namespace windrow
