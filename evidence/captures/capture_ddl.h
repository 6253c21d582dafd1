#pragma once

#include <string>
#include <string_view>

#include "evidence/captures/disagreement.h"

namespace windrow {

/// One pair of files of a ddl recording: statements that a shipped node ran in a fresh keyspace `ddl`, and its verdict.
/// Compared are the verdict, the number of statements, index and class of a refused one; and of accepted ones the user
/// types, columns, options, indexes and dropped columns of each table, and its DESCRIBE text.
/// `name`: the file's, for the disagreements. Throws nlohmann::json::exception where `json_text` is none.
Disagreements verify_capture_ddl(std::string_view name, std::string_view cql_text, std::string_view json_text);

}  // namespace windrow
