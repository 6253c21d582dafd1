#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cql/statement.h"
#include "sim/schema/table.h"
#include "sim/words/source_text.h"

namespace windrow {

/// Where a CQL text says what: tables, their columns, options and indexes. Where it does not say, the table's name.
class CqlPlaces {
 public:
  CqlPlaces() = default;
  /// `cql`: a text that the server accepts.
  explicit CqlPlaces(std::shared_ptr<const SourceText> cql);

  Place table(const Table& table) const { return find(table, {}); }
  Place column(const Table& table, std::string_view column) const {
    return find(table, "column " + std::string(column));
  }
  /// `entry`: a key of an option that is a map.
  Place option(const Table& table, std::string_view option, std::string_view entry = {}) const;
  Place index(const Table& table, std::string_view target) const { return find(table, "index " + std::string(target)); }
  /// The part of the text, in lines and characters.
  Place place(Span at) const;

 private:
  struct Spot {
    std::string keyspace{};  // empty: whichever it is
    std::string table{};
    std::string what{};  // empty: the table itself
    Span at{};
  };
  void add(const QualifiedName& table, std::string what, Span at);
  void add_properties(const QualifiedName& table, const Properties& properties);
  void add_statement(const Statement& statement);
  Place find(const Table& table, const std::string& what) const;

  std::shared_ptr<const SourceText> cql_{};
  std::vector<Spot> spots_{};  // in the order of the text
};

}  // namespace windrow
