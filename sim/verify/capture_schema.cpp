#include "sim/verify/capture_schema.h"

#include <map>
#include <stdexcept>

namespace windrow {
namespace {
using Json = nlohmann::json;
std::string trim(std::string s) {
  while (!s.empty() && s.front() == ' ') s.erase(0, 1);
  while (!s.empty() && s.back() == ' ') s.pop_back();
  return s;
}
std::vector<std::string> args(const std::string& s) {
  std::vector<std::string> out(1);
  int d = 0;
  for (char c : s) {
    if (c == '<') ++d;
    if (c == '>') --d;
    if (c == ',' && d == 0)
      out.emplace_back();
    else
      out.back().push_back(c);
  }
  for (auto& a : out) a = trim(a);
  return out;
}
using Types = std::map<std::string, CqlType>;
CqlType parse(const std::string& text, const Types& types) {
  const std::string s = trim(text);
  const auto lt = s.find('<');
  CqlType t;
  const std::string head = s.substr(0, lt);
  std::vector<std::string> a;
  if (lt != std::string::npos) a = args(s.substr(lt + 1, s.rfind('>') - lt - 1));
  if (head == "frozen") {
    t = parse(a[0], types);
    t.frozen = true;
    return t;
  }
  if (head == "varchar") return simple_type(CqlType::Kind::text);
  if (head == "vector") {
    t.kind = CqlType::Kind::vector;
    t.arguments = {parse(a[0], types)};
    t.dimension = std::stoi(a[1]);
    return t;
  }
  if (types.contains(head)) return types.at(head);
  for (int k = 0; k <= static_cast<int>(CqlType::Kind::custom); ++k) {
    if (kind_name(static_cast<CqlType::Kind>(k)) == head) {
      t.kind = static_cast<CqlType::Kind>(k);
      for (const auto& x : a) t.arguments.push_back(parse(x, types));
      return t;
    }
  }
  throw std::runtime_error("type " + s);
}
}  // namespace

Table captured_table(const Json& recording) {
  Types types;
  for (const Json& j : recording.at("types")) {
    const std::string s = j.get<std::string>();
    const auto dot = s.find('.');
    const auto open = s.find('(');
    CqlType t;
    t.kind = CqlType::Kind::udt;
    t.name = trim(s.substr(dot + 1, open - dot - 1));
    for (const auto& f : args(s.substr(open + 1, s.rfind(')') - open - 1))) {
      const auto sp = f.find(' ');
      t.field_names.push_back(f.substr(0, sp));
      t.arguments.push_back(parse(f.substr(sp + 1), types));
    }
    types[t.name] = t;
  }
  Table table{.keyspace = "rs", .name = recording.at("name")};
  int pk = 0, ck = 0;
  for (const Json& c : recording.at("columns")) {
    Column col{.name = c.at("name"), .type = parse(c.at("type").get<std::string>(), types)};
    const std::string kind = c.at("kind");
    if (kind == "partition_key") {
      col.kind = Column::Kind::partition_key;
      col.position = pk++;
    }
    if (kind == "clustering") {
      col.kind = Column::Kind::clustering;
      col.position = ck++;
      col.order = c.value("order", "asc") == "desc" ? Column::Order::desc : Column::Order::asc;
    }
    if (kind == "static") col.kind = Column::Kind::static_;
    table.columns.push_back(col);
  }
  table.sort_columns();
  TableOptions& o = table.options;
  for (const auto& [name, value] : recording.at("options").items()) {
    const std::string v = value;
    if (name == "default_time_to_live") o.default_time_to_live = std::stoi(v);
    if (name == "gc_grace_seconds") o.gc_grace_seconds = std::stoi(v);
    if (name == "bloom_filter_fp_chance") o.bloom_filter_fp_chance = std::stod(v);
    if (name == "min_index_interval") o.min_index_interval = std::stoi(v);
    if (name == "compression")
      o.compression =
          v.find("false") != std::string::npos
              ? OptionMap{{"enabled", "false"}}
              : OptionMap{{"class", "org.apache.cassandra.io.compress.LZ4Compressor"}, {"chunk_length_in_kb", "16"}};
  }
  if (!recording.at("options").contains("bloom_filter_fp_chance") && recording.at("options").contains("compaction") &&
      recording.at("options").at("compaction").get<std::string>().find("Leveled") != std::string::npos)
    o.bloom_filter_fp_chance = 0.1;
  return table;
}
}  // namespace windrow
