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
  explicit CqlPlaces(std::shared_ptr<const SourceText> cql) { add(std::move(cql)); }
  /// Another text over the same schema; statements that cannot be read say nothing.
  void add(std::shared_ptr<const SourceText> cql);

  Place table(const Table& table) const { return find(table, {}); }
  Place column(const Table& table, std::string_view column) const {
    return find(table, "column " + std::string(column));
  }
  /// `entry`: a key of an option that is a map.
  Place option(const Table& table, std::string_view option, std::string_view entry = {}) const;
  Place index(const Table& table, std::string_view target) const { return find(table, "index " + std::string(target)); }

 private:
  struct Spot {
    std::string keyspace{};  // empty: whichever it is
    std::string table{};
    std::string what{};  // empty: the table itself
    Span at{};
    std::shared_ptr<const SourceText> cql{};
  };
  void add(const QualifiedName& table, std::string what, Span at);
  void add_properties(const QualifiedName& table, const Properties& properties);
  void add_statement(const Statement& statement);
  Place find(const Table& table, const std::string& what) const;

  std::shared_ptr<const SourceText> cql_{};  // the last
  std::vector<Spot> spots_{};                // in the order of the text
};

/// A part of a text, in lines and characters.
Place place_in(const std::shared_ptr<const SourceText>& cql, Span at);

}  // namespace windrow
