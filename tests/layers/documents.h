#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/rules.h"

namespace windrow {

/// A row of docs/rules.md or of the table of docs/architecture.md: what is named of Cassandra, and our files.
struct DocumentRow {
  std::size_t line = 0;
  std::string number{};              // "7.4", "storage 1.2"; empty where rows have none
  std::vector<std::string> names{};  // Class.method, Class or method
  std::vector<std::string> files{};  // none: not modelled
};

/// Rows of tables: names are in backticks in the column before the rule's text or the files', files in the last one.
/// The headings "## 7 …" and "## Storage 1 …" of sections count as numbers.
std::vector<DocumentRow> document_rows(std::string_view text);

/// Citations ("rule 7.4", "storage rules 1.3 to 1.9", .rule = "7.4 past window", first cells of docs/model.md) of rules
/// that have no row.
Findings citation_findings(const SourceFile& file, const std::set<std::string>& numbers);

/// Rows whose files do not name what they are said to follow: a grep for a class and method leads to our code.
/// `read`: the text of a file, empty if there is none.
Findings row_findings(const std::string& path, const std::vector<DocumentRow>& rows,
                      const std::function<std::string(const std::string&)>& read);

/// Paths in backticks, from the root, and relative links that lead nowhere.
Findings path_findings(const SourceFile& file, const std::function<bool(const std::string&)>& exists);

}  // namespace windrow
