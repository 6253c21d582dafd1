#pragma once

#include <string>

#include "sim/schema/schema.h"

namespace windrow {

/// What the server's DESCRIBE TABLE prints: the table with all its options, then its indexes (Cassandra 5.0.9).
std::string describe_table(const Table& table);

/// What it prints of the keyspace, its types, its tables and their indexes; views are left out.
std::string describe_keyspace(const Keyspace& keyspace);

}  // namespace windrow
