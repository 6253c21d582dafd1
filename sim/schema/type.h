#pragma once

#include <string>
#include <vector>

namespace windrow {

/// A CQL type as a column has it (CQL3Type and AbstractType, Cassandra 5.0.9). varchar is read as text, its synonym.
struct CqlType {
  enum class Kind {
    ascii,
    bigint,
    blob,
    boolean,
    counter,
    date,
    decimal,
    double_,
    duration,
    empty,
    float_,
    inet,
    int_,
    smallint,
    text,
    time,
    timestamp,
    timeuuid,
    tinyint,
    uuid,
    varint,
    list,
    set,
    map,
    tuple,
    vector,
    udt,
    custom,
  };
  Kind kind = Kind::empty;
  bool frozen = false;                     // as declared; tuples and vectors are frozen always
  std::vector<CqlType> arguments{};        // of list, set, map, tuple, vector; the field types of a udt
  std::vector<std::string> field_names{};  // of a udt
  std::string name{};                      // of a udt (without keyspace); the class of a custom type
  int dimension = 0;                       // of a vector

  bool operator==(const CqlType&) const = default;

  /// Bytes of every value when it is stored without a length before it, else -1 (AbstractType.valueLengthIfFixed,
  /// storage rule 1.10: date, time, tinyint and smallint have a length before them).
  int fixed_length() const;

  bool is_collection() const { return kind == Kind::list || kind == Kind::set || kind == Kind::map; }
  bool is_counter() const { return kind == Kind::counter; }

  /// Several cells in one column: a collection or a udt that is not frozen ("complex" in the storage engine).
  bool is_multi_cell() const { return !frozen && (is_collection() || kind == Kind::udt); }

  /// As DESCRIBE and system_schema print it: "map<text, frozen<list<int>>>".
  std::string to_string() const;
};

/// "a text", "an int".
std::string with_article(const CqlType& type);

/// "timestamp" and so on; "list", "udt" for the others.
const char* kind_name(CqlType::Kind kind);

/// A type without arguments.
inline CqlType simple_type(CqlType::Kind kind) { return {.kind = kind}; }

}  // namespace windrow
