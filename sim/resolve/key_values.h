#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/resolve/entity_keys.h"

namespace windrow {

// Values of key columns as bytes. Millions of keys are written to be hashed: each value goes behind what is there.

inline constexpr Seconds far_s = 4'000'000'000;  // 2096: a date whose numbers are as large as any

bool is_text(const CqlType& type);
bool is_uuid(const CqlType& type);
/// Of a whole number; of a varint the most that is written; 0: it is none.
int integer_bytes(const CqlType& type);
bool fits_integer(const CqlType& type, std::int64_t number);

void put_decimal(std::int64_t number, std::string& key);
void put_number(const KeyPart& part, std::int64_t number, std::string& key);
void put_entity(const KeyPart& part, const EntityList& entities, std::int64_t entity, std::string& key);
/// Bytes of the same.
int entity_length(const KeyPart& part, const EntityList& entities, std::int64_t entity);
void put_bucket(const KeyPart& part, Seconds local_s, std::string& key);

/// A constant of the type is written as bytes of its length: only that and their sameness count.
bool has_constant_bytes(const CqlType& type);
/// As DecimalType has it: the scale in four bytes, then the digits as a whole number. Throws CqlValueError.
std::string decimal_value(const std::string& constant);
void put_constant(const KeyPart& part, std::string& key);

/// Of a value that differs in every row; -1: its type cannot, or it is a text.
std::int64_t unique_bytes(const CqlType& type);
/// A value that no other row has: a uuid, as text where the column is one, else as many of its bytes as the type has.
void put_unique(const CqlType& type, std::string_view name, std::string& key);

}  // namespace windrow
