#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/schema/table.h"

namespace windrow {

/// What a column of a primary key is there for, as far as its name and type tell.
enum class KeyRole { entity, time_bucket, shard };

/// A name or type that says "a span of time": day, hour, bucket, month, a date, a timestamp. Words of other languages
/// that are English ones, too, do so beside others of their language in the key: dia beside mes.
bool names_a_bucket(const Table& table, const Column& column);
/// Length of the bucket that a name speaks of, months and years in their mean length; 0: it does not say.
Seconds bucket_length_named(const Table& table, const Column& column);

/// A column of a partition key without a bucket, whose name is a span of time in another language, and may be
/// something else: dia, tag.
struct GuessedBucket {
  const Column* column = nullptr;
  Seconds length_s = 0;
  std::string languages{};  // "Spanish or Portuguese"
};
std::optional<GuessedBucket> guessed_bucket(const Table& table);

/// A name of something that has rows for a short time only: a trace, a session.
bool names_a_thing_that_ends(const Column& column);

/// The only column of a partition key that several rows share is called a bucket, and nothing says of which length, or
/// that it is one of time: it may as well be the number of one of many that are written for as long as there are
/// writers. The same of a guessed one.
bool may_be_bucket_or_entity(const Table& table);

/// Roles of the partition key's columns, in key order. A whole number called bucket beside another bucket is a shard; a
/// guessed bucket is one unless it is the whole key.
std::vector<KeyRole> partition_key_roles(const Table& table);
/// The bucket among them, the finest one that names its length; nullptr: there is none.
const Column* bucket_column(const Table& table);

/// The clustering column that orders rows by time: timestamp or timeuuid, else time, else date, else a bigint or int
/// that is named so; nullptr: rows are no time series.
const Column* time_column(const Table& table);

/// Numbers of hours and minutes, and nothing of a day or longer, in the whole key: a time of day, which comes round
/// again.
bool numbers_a_time_of_day(const Table& table);
/// A number tells rows apart by the part of a longer bucket before it that its name speaks of, so that both together
/// are a time: ((id, date), hour).
bool numbers_a_bucket(const Table& table);
/// Of rows without a time of day of their own, that number, or one too small for a date: the hour of a day. nullptr:
/// there is none.
const Column* numbered_time(const Table& table);
/// Of rows without either, the only clustering column that is named as a span of time: rows are one a span, or a column
/// after it tells them apart. nullptr: there is a time, or more such columns, which are one together.
const Column* lone_span(const Table& table);

}  // namespace windrow
