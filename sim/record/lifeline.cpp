#include "sim/record/lifeline.h"

#include <algorithm>
#include <array>
#include <utility>

namespace windrow {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;

/// Seven bits a byte, the lowest first; of signed numbers the sign is the lowest bit.
class Packer {
 public:
  explicit Packer(std::string& bytes) : bytes_(bytes) {}
  Packer& count(std::uint64_t number) {
    std::array<char, 10> digits{};
    std::size_t length = 0;
    for (; number >= 0x80; number >>= 7) digits[length++] = static_cast<char>(number | 0x80);
    digits[length++] = static_cast<char>(number);
    bytes_.append(digits.data(), length);
    return *this;
  }
  Packer& number(std::int64_t number) {
    return count((static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63));
  }

 private:
  std::string& bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(const char* bytes) : bytes_(bytes) {}
  std::uint64_t count() {
    std::uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*bytes_++);
      number |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return number;
    }
  }
  std::int64_t number() {
    const std::uint64_t zigzag = count();
    return static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1);
  }

 private:
  const char* bytes_;
};

// Which of what not every one has follows.
constexpr std::uint64_t dead = 1;
constexpr std::uint64_t windowed = 2;
constexpr std::uint64_t with_parents = 4;
constexpr std::uint64_t blocked = 8;
constexpr std::uint64_t blocker = 16;
constexpr std::uint64_t goes = 32;
constexpr std::uint64_t readable = 64;
constexpr std::uint64_t expires_first = 128;  // its first local deletion time is one
constexpr std::uint64_t expires_last = 256;

void pack_ids(Packer& packer, const std::vector<std::int64_t>& ids, std::int64_t near_id) {
  packer.count(ids.size());
  for (const std::int64_t id : ids) packer.number(id - std::exchange(near_id, id));
}

std::vector<std::int64_t> unpack_ids(Unpacker& unpacker, std::int64_t near_id) {
  std::vector<std::int64_t> ids(unpacker.count());
  for (std::int64_t& id : ids) id = near_id = near_id + unpacker.number();
  return ids;
}

}  // namespace

std::string_view Lifeline::state(Micros end_us) const {
  if (died_us) return "gone";
  const Seconds end_s = end_us / us_per_s;
  if (max_local_deletion_time_s == no_deletion_time || max_local_deletion_time_s > end_s) return "live";
  if (droppable_at_s() > end_s) return "waiting for gc_grace";
  return goes_at_s && !blocked_by.empty() ? "blocked" : "past gc_grace";
}

std::uint64_t Lifelines::number_of(std::string_view word) {
  const auto known = std::ranges::find(words_, word);
  const auto number = static_cast<std::uint64_t>(known - words_.begin());
  if (known == words_.end()) words_.push_back(word);
  return number;
}

void Lifelines::add(const Lifeline& line) {
  if (!origin_us_) origin_us_ = line.born_us;
  if (blocks_.empty() || blocks_.back().size() > block_bytes) {
    blocks_.emplace_back();
    blocks_.back().reserve(block_bytes + block_bytes / 16);
  }
  places_.push_back(
      {line.id, static_cast<std::uint32_t>(blocks_.size() - 1), static_cast<std::uint32_t>(blocks_.back().size())});
  const bool first_s = line.min_local_deletion_time_s != no_deletion_time;
  const bool last_s = line.max_local_deletion_time_s != no_deletion_time;
  const std::uint64_t flags =
      (line.died_us ? dead : 0) | (line.window_s ? windowed : 0) | (line.parents ? with_parents : 0) |
      (line.blocked ? blocked : 0) | (line.blocker ? blocker : 0) | (line.goes_at_s ? goes : 0) |
      (line.readable_rows ? readable : 0) | (first_s ? expires_first : 0) | (last_s ? expires_last : 0);
  Packer packer(blocks_.back());
  packer.count(flags).number(line.born_us - *origin_us_).count(number_of(line.why_born));
  if (line.died_us) packer.number(*line.died_us - line.born_us);
  packer.count(number_of(line.why_died));
  if (line.parents) pack_ids(packer, *line.parents, line.id);
  packer.number(line.level);
  const Seconds origin_s = *origin_us_ / us_per_s;
  if (line.window_s) packer.number(*line.window_s - origin_s);
  packer.number(line.bytes).number(line.rows).number(line.partitions);
  packer.number(line.min_timestamp_us - *origin_us_).number(line.max_timestamp_us - line.min_timestamp_us);
  if (first_s) packer.number(line.min_local_deletion_time_s - origin_s);
  if (last_s) packer.number(line.max_local_deletion_time_s - origin_s);
  packer.number(line.gc_grace_s);
  if (line.blocked) pack_ids(packer, line.blocked_by, line.id);
  if (line.goes_at_s) packer.number(*line.goes_at_s);
  if (line.blocker) packer.number(line.frees_bytes).number(line.holds_bytes);
  if (line.readable_rows) packer.number(*line.readable_rows);
}

void Lifelines::sort() { std::ranges::sort(places_, {}, &Place::id); }

Lifeline Lifelines::operator[](std::size_t i) const {
  const Place& place = places_[i];
  Unpacker unpacker(blocks_[place.block].data() + place.at);
  const std::uint64_t flags = unpacker.count();
  const auto has = [flags](std::uint64_t flag) { return (flags & flag) != 0; };
  const Seconds origin_s = *origin_us_ / us_per_s;
  Lifeline line{.id = place.id};
  line.born_us = *origin_us_ + unpacker.number();
  line.why_born = words_[unpacker.count()];
  if (has(dead)) line.died_us = line.born_us + unpacker.number();
  line.why_died = words_[unpacker.count()];
  if (has(with_parents))
    line.parents = std::make_shared<const std::vector<std::int64_t>>(unpack_ids(unpacker, line.id));
  line.level = static_cast<int>(unpacker.number());
  if (has(windowed)) line.window_s = origin_s + unpacker.number();
  line.bytes = unpacker.number();
  line.rows = unpacker.number();
  line.partitions = unpacker.number();
  line.min_timestamp_us = *origin_us_ + unpacker.number();
  line.max_timestamp_us = line.min_timestamp_us + unpacker.number();
  if (has(expires_first)) line.min_local_deletion_time_s = origin_s + unpacker.number();
  if (has(expires_last)) line.max_local_deletion_time_s = origin_s + unpacker.number();
  line.gc_grace_s = unpacker.number();
  line.blocked = has(blocked);
  line.blocker = has(blocker);
  if (line.blocked) line.blocked_by = unpack_ids(unpacker, line.id);
  if (has(goes)) line.goes_at_s = unpacker.number();
  if (line.blocker) {
    line.frees_bytes = unpacker.number();
    line.holds_bytes = unpacker.number();
  }
  if (has(readable)) line.readable_rows = unpacker.number();
  return line;
}

}  // namespace windrow
