#include "sim/resolve/key_values.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/arithmetic.h"
#include "sim/resolve/bucket_dates.h"
#include "sim/values/cql_scalar.h"

namespace windrow {

namespace {

using Type = CqlType::Kind;
using Rule = ColumnRule::Kind;

void put_big_endian(std::uint64_t value, int bytes, std::string& key) {
  const std::size_t at = key.size();
  key.resize(at + static_cast<std::size_t>(bytes));
  for (int i = 0; i < bytes; ++i)
    key[at + static_cast<std::size_t>(i)] =
        static_cast<char>(static_cast<unsigned char>(value >> (8 * (bytes - 1 - i))));
}

void put_integer(const CqlType& type, std::int64_t value, std::string& key) {
  int bytes = integer_bytes(type);
  if (type.kind == Type::varint) {
    bytes = 1;
    while (bytes < 8 && (value >> (8 * bytes - 1)) != 0 && (value >> (8 * bytes - 1)) != -1) ++bytes;
  }
  put_big_endian(static_cast<std::uint64_t>(value), bytes, key);
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

// A uuid (version 4, or 1 where time is asked for) that stands for a name.
void put_uuid(Type kind, std::string_view name, std::string& key) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  const std::uint64_t version = kind == Type::timeuuid ? 0x1000U : 0x4000U;
  put_big_endian((mixed(hash) & ~std::uint64_t{0xF000}) | version, 8, key);
  put_big_endian((mixed(hash + 1) & 0x3FFFFFFFFFFFFFFFU) | 0x8000000000000000U, 8, key);
}

/// Bytes of a key column that is no text and no number, and the same in every row: only their length and their sameness
/// count.
void put_constant_bytes(const CqlType& type, const std::string& constant, std::string& key) {
  if (type.kind == Type::boolean) {
    key += constant == "false" ? '\0' : '\1';
    return;
  }
  const std::size_t at = key.size();
  put_uuid(is_uuid(type) ? type.kind : Type::uuid, constant, key);
  if (!is_uuid(type)) key.resize(at + static_cast<std::size_t>(type.kind == Type::inet ? 4 : natural_bytes(type)));
}

}  // namespace

bool is_text(const CqlType& type) {
  return type.kind == Type::text || type.kind == Type::ascii || type.kind == Type::blob;
}
bool is_uuid(const CqlType& type) { return type.kind == Type::uuid || type.kind == Type::timeuuid; }

int integer_bytes(const CqlType& type) {
  const bool whole =
      type.kind == Type::bigint || type.kind == Type::int_ || type.kind == Type::smallint || type.kind == Type::tinyint;
  return whole ? static_cast<int>(natural_bytes(type)) : type.kind == Type::varint ? 8 : 0;
}

void put_decimal(std::int64_t number, std::string& key) {
  const fmt::format_int digits(number);
  key.append(digits.data(), digits.size());
}

void put_number(const KeyPart& part, std::int64_t number, std::string& key) {
  if (integer_bytes(part.type) > 0) {
    put_integer(part.type, number, key);
    return;
  }
  if (is_uuid(part.type)) {
    put_uuid(part.type.kind, fmt::format(FMT_COMPILE("{}-{}"), part.column, number), key);
    return;
  }
  const fmt::format_int digits(number);
  if (part.rule.kind == Rule::each) {
    const auto bytes = static_cast<std::size_t>(std::llround(part.rule.bytes.mean_of_ranks(0, 1, 1)));
    const std::size_t before = bytes > digits.size() ? bytes - digits.size() : 0;
    const std::size_t of_name = std::min(before, part.column.size());
    key.append(part.column, 0, of_name);
    key.append(before - of_name, '0');
  }
  key.append(digits.data(), digits.size());
}

void put_entity(const KeyPart& part, const EntityList& entities, std::int64_t entity, std::string& key) {
  if (integer_bytes(part.type) > 0) {
    put_integer(part.type, entities.number(entity).value_or(0), key);
  } else if (is_uuid(part.type)) {
    put_uuid(part.type.kind, entities.name(entity), key);
  } else if (part.type.kind == Type::inet) {
    put_big_endian(0x0A000000U + static_cast<std::uint64_t>(entity), 4, key);
  } else {
    key += entities.name(entity);
  }
}

int entity_length(const KeyPart& part, const EntityList& entities, std::int64_t entity) {
  if (is_text(part.type)) return entities.name_length(entity);
  std::string value;
  put_entity(part, entities, entity, value);
  return static_cast<int>(value.size());
}

bool fits_integer(const CqlType& type, std::int64_t number) {
  return integer_bytes(type) == 8 || number < std::int64_t{1} << (8 * integer_bytes(type) - 1);
}

void put_bucket(const KeyPart& part, Seconds local_s, std::string& key) {
  const BucketName& bucket = part.rule.bucket;
  const Seconds begin_s = begin_of_bucket(bucket, local_s);
  if (part.rule.rolling > 0) {
    put_number(part, floor_div(begin_s, bucket.length_s) % part.rule.rolling, key);
  } else if (part.type.kind == Type::date) {
    const std::int64_t days = floor_div(begin_s, seconds_per_day) + (std::int64_t{1} << 31);
    put_big_endian(static_cast<std::uint64_t>(days), 4, key);
  } else if (part.type.kind == Type::timestamp) {
    put_big_endian(static_cast<std::uint64_t>(begin_s * ms_per_s), 8, key);
  } else if (integer_bytes(part.type) > 0) {
    const bool whole = fits_integer(part.type, bucket_number(bucket, far_s));
    put_integer(part.type, whole ? bucket_number(bucket, begin_s) : bucket_part(bucket, begin_s), key);
  } else {
    key += bucket_text(bucket, begin_s);
  }
}

bool has_constant_bytes(const CqlType& type) {
  const std::int64_t bytes = natural_bytes(type);
  return is_uuid(type) || type.kind == Type::inet || (bytes > 0 && bytes <= 16);
}

std::string decimal_value(const std::string& constant) { return cql_scalar(Type::decimal, constant, false); }

void put_constant(const KeyPart& part, std::string& key) {
  const bool plain = is_text(part.type) || integer_bytes(part.type) > 0;
  if (!plain && has_constant_bytes(part.type)) {
    put_constant_bytes(part.type, part.rule.constant, key);
  } else if (integer_bytes(part.type) > 0) {
    put_integer(part.type, std::strtoll(part.rule.constant.c_str(), nullptr, 10), key);
  } else {
    key += part.type.kind == Type::decimal ? decimal_value(part.rule.constant) : part.rule.constant;
  }
}

std::int64_t unique_bytes(const CqlType& type) {
  if (type.kind == Type::varint) return 8;
  if (type.kind == Type::decimal) return 4 + 8;  // a scale and a whole number
  if (type.kind == Type::inet) return 4;
  const std::int64_t natural = natural_bytes(type);
  return natural >= 4 && natural <= 8 ? natural : -1;
}

void put_unique(const CqlType& type, std::string_view name, std::string& key) {
  if (is_uuid(type) || type.kind == Type::blob) {
    put_uuid(is_uuid(type) ? type.kind : Type::uuid, name, key);
    return;
  }
  std::string uuid;
  put_uuid(Type::uuid, name, uuid);
  if (!is_text(type)) {
    constexpr std::size_t scale_bytes = 4;
    if (type.kind == Type::decimal) key.append(scale_bytes, '\0');
    key.append(uuid, 8, static_cast<std::size_t>(unique_bytes(type)) - (type.kind == Type::decimal ? scale_bytes : 0));
    return;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    const auto byte = static_cast<unsigned char>(uuid[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) key += '-';
    key += digits[byte >> 4];
    key += digits[byte & 15];
  }
}

}  // namespace windrow
