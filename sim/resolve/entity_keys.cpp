#include "sim/resolve/entity_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "sim/base/arithmetic.h"
#include "sim/resolve/bucket_dates.h"
#include "sim/resolve/key_values.h"
#include "sim/values/cql_literal.h"
#include "sim/values/cql_value.h"

namespace windrow {

namespace {

using Type = CqlType::Kind;
using Rule = ColumnRule::Kind;

class ClassKeys : public PartitionKeys {
 public:
  ClassKeys(std::shared_ptr<const EntityList> list, std::int64_t first, std::vector<KeyPart> parts)
      : list_(std::move(list)), first_(first), parts_(std::move(parts)) {
    strides_.assign(parts_.size(), 1);
    for (std::size_t i = parts_.size(); i-- > 0;) {
      unique_ = unique_ || parts_[i].rule.kind == Rule::unique;
      if (parts_[i].rule.kind != Rule::each) continue;
      strides_[i] = each_;
      each_ *= parts_[i].rule.count;
    }
    constant_length_ = measure();
  }

  std::string key(std::int64_t entity, std::int64_t bucket_label, std::int64_t shard) const override {
    std::string key;
    if (parts_.size() == 1) {
      put(0, entity, bucket_label, shard, key);
      return key;
    }
    key.reserve(static_cast<std::size_t>(constant_length_));
    for (std::size_t i = 0; i < parts_.size(); ++i)
      put_key_component(key, [&](std::string& value) { put(i, entity, bucket_label, shard, value); });
    return key;
  }

  int constant_length() const override { return constant_length_; }

  std::optional<int> varying_length(std::int64_t entity, std::int64_t shard) const override {
    if (unique_) return {};
    int bytes = 0;
    std::string value;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const KeyPart& part = parts_[i];
      if (part.rule.kind == Rule::bucket || part.rule.kind == Rule::constant) continue;
      if (part.rule.kind == Rule::entity) {
        bytes += entity_length(part, *list_, first_ + entity / each_);
        continue;
      }
      value.clear();
      put(i, entity, 0, shard, value);
      bytes += static_cast<int>(value.size());
    }
    return bytes;
  }

 private:
  void put(std::size_t place, std::int64_t entity, std::int64_t bucket_label, std::int64_t shard,
           std::string& key) const {
    const KeyPart& part = parts_[place];
    switch (part.rule.kind) {
      case Rule::entity:
        put_entity(part, *list_, first_ + entity / each_, key);
        break;
      case Rule::each:
        put_number(part, entity / strides_[place] % part.rule.count, key);
        break;
      case Rule::shard:
        put_number(part, shard, key);
        break;
      case Rule::bucket:
        put_bucket(part, local_begin_s(bucket_label), key);
        break;
      case Rule::constant:
        put_constant(part, key);
        break;
      case Rule::unique:
        put_unique(part.type, row_name(first_ + entity, bucket_label, shard), key);
        break;
      case Rule::start:
      case Rule::time:
      case Rule::null:
      case Rule::size:
      case Rule::set:
      case Rule::list:
      case Rule::map:
      case Rule::udt:
        break;
    }
  }

  std::string row_name(std::int64_t entity, std::int64_t bucket_label, std::int64_t shard) const {
    std::string name;
    // Entities that live shortly are told apart from those of another stream.
    if (list_->living_s() > 0) {
      name = list_->name(entity);
    } else {
      put_decimal(entity, name);
    }
    name += '-';
    put_decimal(bucket_label, name);
    name += '-';
    put_decimal(shard, name);
    return name;
  }

  // What BucketRule::label says, as the local second in which the finest bucket begins.
  Seconds local_begin_s(std::int64_t label) const {
    const BucketName* finest = nullptr;
    for (const KeyPart& part : parts_) {
      const bool finer = part.rule.kind == Rule::bucket &&
                         (finest == nullptr || part.rule.bucket.nominal_length_s() < finest->nominal_length_s());
      if (finer) finest = &part.rule.bucket;
    }
    if (unique_) return label;  // a bucket of a second (WriterSpec::unique_partitions)
    if (finest == nullptr) return 0;
    const auto first_second = [](std::int64_t year, std::int64_t month) {
      const std::chrono::sys_days day =
          std::chrono::year(static_cast<int>(year)) / std::chrono::month(static_cast<unsigned>(month)) / 1;
      return static_cast<Seconds>(day.time_since_epoch().count()) * seconds_per_day;
    };
    if (finest->kind == BucketName::Kind::month) return first_second(label / 100, label % 100);
    if (finest->kind == BucketName::Kind::year) return first_second(label, 1);
    return label;
  }

  int measure() const {
    if (unique_) return 0;  // bytes of a bucket's name differ from entity to entity (SlotHasher)
    for (const KeyPart& part : parts_) {
      const bool counted = part.rule.kind == Rule::entity  ? list_->constant_length() == 0
                           : part.rule.kind == Rule::shard ? part.rule.count > 10
                           : part.rule.kind == Rule::each  ? part.rule.count > 10 && part.rule.bytes.first == 0
                                                           : part.rule.rolling > 10;
      const bool varies = is_text(part.type) ? counted : part.type.kind == Type::varint;
      if (varies) return 0;
    }
    return static_cast<int>(key(0, sample_label(), 0).size());
  }

  std::int64_t sample_label() const {
    if (unique_) return 0;
    for (const KeyPart& part : parts_) {
      if (part.rule.kind == Rule::bucket && part.rule.bucket.kind == BucketName::Kind::month) return 202601;
      if (part.rule.kind == Rule::bucket && part.rule.bucket.kind == BucketName::Kind::year) return 2026;
    }
    return 0;
  }

  std::shared_ptr<const EntityList> list_{};
  std::int64_t first_ = 0;
  std::int64_t each_ = 1;
  std::vector<KeyPart> parts_{};
  std::vector<std::int64_t> strides_{};  // of the columns with each(n)
  bool unique_ = false;                  // a column differs in every row
  int constant_length_ = 0;
};

class ClassNames : public EntityNames {
 public:
  ClassNames(std::shared_ptr<const EntityList> list, std::int64_t first, std::int64_t each)
      : list_(std::move(list)), first_(first), each_(each) {}
  std::string name(std::int64_t entity) const override {
    const std::string base = list_->name(first_ + entity / each_);
    return each_ == 1 ? base : fmt::format("{}/{}", base, entity % each_);
  }

 private:
  std::shared_ptr<const EntityList> list_{};
  std::int64_t first_ = 0;
  std::int64_t each_ = 1;
};

class SharedName : public EntityNames {
 public:
  explicit SharedName(std::int64_t entities) : entities_(entities) {}
  std::string name(std::int64_t /*entity*/) const override { return fmt::format("all {} entities", entities_); }

 private:
  std::int64_t entities_ = 0;
};

std::string range_misfit(const CqlType& type, std::int64_t largest) {
  const int bytes = integer_bytes(type);
  if (bytes == 0 || bytes == 8 || largest < std::int64_t{1} << (8 * bytes - 1)) return {};
  return fmt::format("{} cannot hold {}", with_article(type), largest);
}

std::string bucket_misfit(const CqlType& type, const ColumnRule& rule) {
  if (rule.rolling > 0)
    return is_text(type) || integer_bytes(type) > 0 ? range_misfit(type, rule.rolling)
                                                    : "a rolling bucket is a number or a text";
  const bool equal = rule.bucket.kind == BucketName::Kind::equal;
  if (type.kind == Type::date && equal && rule.bucket.length_s % seconds_per_day != 0)
    return "a date cannot tell hours apart";
  if (is_text(type) || type.kind == Type::date || type.kind == Type::timestamp) return {};
  if (integer_bytes(type) > 0) {
    const std::int64_t number = bucket_number(rule.bucket, far_s);
    return range_misfit(type, fits_integer(type, number) ? number : bucket_part(rule.bucket, far_s));
  }
  return fmt::format("{} cannot hold a bucket", with_article(type));
}

bool is_number(const CqlType& type) {
  return integer_bytes(type) > 0 || type.kind == Type::varint || type.kind == Type::decimal ||
         type.kind == Type::float_ || type.kind == Type::double_ || type.kind == Type::counter;
}

std::string constant_misfit(const CqlType& type, const ColumnRule& rule) {
  const bool decimal = type.kind == Type::decimal;
  if (!is_text(type) && integer_bytes(type) == 0 && !decimal && !has_constant_bytes(type))
    return fmt::format("a constant {} is not supported", type.to_string());
  const bool quoted = rule.text.empty() || rule.text.front() == '\'';
  if (!quoted && !is_number(type))
    return fmt::format("a number alone is a value of columns of numbers; {} takes '{}' in quotes{}", with_article(type),
                       rule.constant, bucket_misfit(type, {}).empty() ? ", or a time with its unit, such as 7d" : "");
  if (decimal) {
    try {
      decimal_value(rule.constant);
    } catch (const CqlValueError&) {
      return fmt::format("a decimal cannot hold {}", rule.text);
    }
  }
  if (integer_bytes(type) == 0) return {};
  std::int64_t value = 0;
  const char* end = rule.constant.data() + rule.constant.size();
  const auto [read_to, error] = std::from_chars(rule.constant.data(), end, value);
  const std::int64_t most = std::int64_t{std::numeric_limits<std::int64_t>::max()} >> (64 - 8 * integer_bytes(type));
  if (error != std::errc() || read_to != end || value > most || value < -most - 1)
    return fmt::format("{} cannot hold {}", with_article(type), rule.text);
  return {};
}

}  // namespace

std::int64_t natural_bytes(const CqlType& type) {
  if (type.kind == Type::date) return 4;
  if (type.kind == Type::time) return 8;
  if (type.kind == Type::tinyint) return 1;
  if (type.kind == Type::smallint) return 2;
  if (type.kind == Type::counter) return counter_value_bytes(1);
  if (type.kind != Type::tuple && type.kind != Type::udt) return type.fixed_length();
  std::int64_t sum = 0;
  for (const CqlType& field : type.arguments) {
    const std::int64_t bytes = natural_bytes(field);
    if (bytes < 0) return -1;
    sum += 4 + bytes;
  }
  return sum;
}

std::optional<Seconds> tells_part_of(const CqlType& type, const ColumnRule& rule) {
  const bool number = rule.kind == Rule::bucket && rule.rolling == 0 && integer_bytes(type) > 0;
  if (!number || fits_integer(type, bucket_number(rule.bucket, far_s))) return std::nullopt;
  if (rule.bucket.kind == BucketName::Kind::year || rule.bucket.from_monday || rule.fine_above_per_s > 0) return 0;
  if (rule.bucket.kind == BucketName::Kind::month) return 366 * seconds_per_day;
  if (rule.bucket.length_s % seconds_per_day == 0) return 31 * seconds_per_day;
  if (rule.bucket.length_s % 3600 == 0) return seconds_per_day;
  return rule.bucket.length_s % 60 == 0 ? 3600 : 60;
}

std::string misfit(const CqlType& type, const ColumnRule& rule, const EntityList& entities) {
  const bool plain = is_text(type) || integer_bytes(type) > 0;
  switch (rule.kind) {
    case Rule::entity:
      if (integer_bytes(type) > 0 && !entities.numbers())
        return fmt::format("{} cannot hold names that are no numbers", with_article(type));
      if (plain) return range_misfit(type, entities.count() - 1);
      return is_uuid(type) || type.kind == Type::inet
                 ? ""
                 : fmt::format("{} cannot tell entities apart", with_article(type));
    case Rule::bucket:
      return bucket_misfit(type, rule);
    case Rule::shard:
      return plain ? range_misfit(type, rule.count - 1)
                   : fmt::format("{} cannot hold a shard's number", with_article(type));
    case Rule::each:
      if (is_text(type) && rule.bytes.first == 0 && !rule.bytes.varies())
        return "each(n) in a text needs a size: each(50, text(20))";
      return plain || is_uuid(type) ? range_misfit(type, rule.count - 1)
                                    : fmt::format("{} cannot tell members of each(n) apart", with_article(type));
    case Rule::constant:
      return constant_misfit(type, rule);
    case Rule::unique:
      return is_uuid(type) || is_text(type) || unique_bytes(type) > 0
                 ? ""
                 : fmt::format("{} cannot differ in every row", with_article(type));
    case Rule::start:
    case Rule::time: {
      const bool timed = type.kind == Type::timestamp || type.kind == Type::timeuuid || type.kind == Type::time ||
                         type.kind == Type::date || type.kind == Type::bigint || type.kind == Type::double_ ||
                         type.kind == Type::int_ || type.kind == Type::smallint || type.kind == Type::tinyint;
      return timed ? "" : fmt::format("{} cannot hold a time", with_article(type));
    }
    case Rule::null:
    case Rule::size:
    case Rule::set:
    case Rule::list:
    case Rule::map:
    case Rule::udt:
      break;
  }
  return {};
}

double rule_bytes(const KeyPart& part, const EntityList& entities) {
  const auto length = [](const auto& put) {
    std::string value;
    put(value);
    return static_cast<double>(value.size());
  };
  if (part.rule.kind == Rule::entity && is_text(part.type)) return entities.mean_length();
  if (part.rule.kind == Rule::each && is_text(part.type)) return part.rule.bytes.mean_of_ranks(0, 1, 1);
  if (part.rule.kind == Rule::entity)
    return length([&](std::string& value) { put_entity(part, entities, entities.count() - 1, value); });
  if (part.rule.kind == Rule::bucket)
    return length([&](std::string& value) { put_bucket(part, 1'767'225'600, value); });
  if (part.rule.kind == Rule::shard)
    return length([&](std::string& value) { put_number(part, part.rule.count - 1, value); });
  if (part.rule.kind == Rule::constant) return length([&](std::string& value) { put_constant(part, value); });
  if (part.rule.kind == Rule::unique) return length([&](std::string& value) { put_unique(part.type, "row", value); });
  return static_cast<double>(natural_bytes(part.type));
}

std::shared_ptr<const PartitionKeys> make_partition_keys(std::shared_ptr<const EntityList> list, std::int64_t first,
                                                         std::vector<KeyPart> parts) {
  return std::make_shared<ClassKeys>(std::move(list), first, std::move(parts));
}

std::shared_ptr<const EntityNames> make_shared_name(std::int64_t entities) {
  return std::make_shared<SharedName>(entities);
}

std::shared_ptr<const EntityNames> make_entity_names(std::shared_ptr<const EntityList> list, std::int64_t first,
                                                     std::int64_t each) {
  return std::make_shared<ClassNames>(std::move(list), first, each);
}

}  // namespace windrow
