#pragma once

#include "sim/cql/apply.h"

namespace windrow {

/// The type that `raw` means in `keyspace` (CQL3Type.Raw.prepare): user types are looked up, nesting rules are checked.
CqlType resolve_type(const RawType& raw, const Keyspace& keyspace);

/// Does the type hold the user type, at any depth?
bool references_user_type(const CqlType& type, std::string_view name);
/// Does it hold a duration, at any depth?
bool references_duration(const CqlType& type);

/// User types written out as tuples: how the server remembers the type of a dropped column.
CqlType without_user_types(CqlType type);

/// Brings the copies of user type `changed` inside types, tables and views of `keyspace` to what `keyspace.types` says
/// now. Refuses at `at` what grows too large, with the work half done.
void refresh_user_types(Keyspace& keyspace, std::string_view changed, Span at);

/// May a dropped column of type `previous` come back as `type` (AbstractType.isSerializationCompatibleWith)?
bool is_serialization_compatible(const CqlType& type, const CqlType& previous);

}  // namespace windrow
