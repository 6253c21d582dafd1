#include "sim/content/content.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <numeric>

#include "sim/base/check.h"
#include "sim/content/each_writer.h"
#include "sim/content/hashed_places.h"
#include "sim/content/lattice_places.h"
#include "sim/content/static_rows.h"

namespace windrow {

namespace {

/// After how many members the slots of a sub-stream repeat.
std::int64_t slot_period(const SubStream& sub_stream, std::int64_t slots) {
  if (sub_stream.in_turn()) return slots;
  const RowShare& share = sub_stream.share();
  return std::ssize(share.residues()) * (slots / std::gcd(slots, share.modulus()));
}

constexpr std::int64_t most_remainders = 20'000;

/// Of the rows of one slot, in order: the most that follow each other without one of this sub-stream. Slots and modulus
/// have no common factor, so that every slot's rows go through all remainders.
std::int64_t longest_gap(const SubStream& sub) {
  const std::int64_t modulus = sub.share().modulus();
  std::vector<char> mine(static_cast<std::size_t>(modulus), 0);
  for (const std::int64_t residue : sub.share().residues()) mine[static_cast<std::size_t>(residue)] = 1;
  const std::int64_t step = sub.writer().most_slots() % modulus;
  std::int64_t longest = 0;
  std::int64_t gap = 0;
  std::int64_t remainder = sub.share().residues().front();
  for (std::int64_t k = 0; k < modulus; ++k) {
    remainder = (remainder + step) % modulus;
    gap = mine[static_cast<std::size_t>(remainder)] != 0 ? 0 : gap + 1;
    longest = std::max(longest, gap);
  }
  return longest;
}

/// True if members [first, last) are certain to meet every slot: so many rows of each slot lie between them that they
/// cannot all be other sub-streams'.
bool meets_every_slot(const SubStream& sub, std::int64_t first, std::int64_t last) {
  const std::int64_t slots = sub.writer().most_slots();
  if (last - first < slots || std::gcd(slots, sub.share().modulus()) != 1) return false;
  const std::int64_t rows_a_slot = (sub.row(last - 1) + 1 - sub.row(first)) / slots;
  if (rows_a_slot > sub.share().modulus() - std::ssize(sub.share().residues())) return true;
  return sub.share().modulus() <= most_remainders && rows_a_slot > longest_gap(sub);
}

}  // namespace

ContentSpace::ContentSpace(const TableWorkload& workload, int clustering_bytes, SSTableFormat format)
    : workload_(&workload),
      values_(workload.sub_streams().begin(), workload.sub_streams().end()),
      places_(std::make_shared<HashedPlaces>()),
      clustering_bytes_(clustering_bytes),
      format_(format) {
  for (const SubStream& sub : workload.sub_streams()) shapes_.push_back(row_shapes(sub.writer()));
}

void ContentSpace::use_lattice() {
  auto places = std::make_shared<const LatticePlaces>(*workload_);
  lattice_ = places.get();
  places_ = std::move(places);
}

std::int64_t ContentSpace::count_before_bucket(int s, std::int64_t bucket) const {
  const SubStream& sub = sub_stream(s);
  if (sub.writer().bucket.single()) return sub.count_before_bucket(bucket);
  if (bucket_begins_.empty()) bucket_begins_.resize(workload_->sub_streams().size() * remembered_buckets);
  BucketBegin& begin = bucket_begins_[static_cast<std::size_t>(s) * remembered_buckets +
                                      static_cast<std::size_t>(bucket) % remembered_buckets];
  if (begin.bucket != bucket) begin = {bucket, sub.count_before_bucket(bucket)};
  return begin.before;
}

const ContentSpace::BucketMembers& ContentSpace::members_of(int s, std::int64_t bucket) const {
  if (latest_bucket_.empty()) latest_bucket_.resize(workload_->sub_streams().size());
  BucketMembers& latest = latest_bucket_[static_cast<std::size_t>(s)];
  if (latest.bucket != bucket) latest = {bucket, count_before_bucket(s, bucket), count_before_bucket(s, bucket + 1)};
  return latest;
}

std::int64_t ContentSpace::bucket_of(int s, std::int64_t member) const {
  const SubStream& sub = sub_stream(s);
  if (sub.writer().bucket.single()) return sub.writer().bucket_of(sub.row(member));
  const auto holds = [member](const BucketMembers& of) { return of.from <= member && member < of.to; };
  const auto of_stream = static_cast<std::size_t>(s);
  const std::int64_t latest = latest_bucket_.empty() ? INT64_MIN : latest_bucket_[of_stream].bucket;
  if (latest != INT64_MIN && holds(latest_bucket_[of_stream])) return latest;
  if (member_buckets_.empty()) member_buckets_.resize(workload_->sub_streams().size() * remembered_members);
  MemberBucket& known =
      member_buckets_[of_stream * remembered_members +
                      (static_cast<std::uint64_t>(member) * 0x9e3779b97f4a7c15U >> 32) % remembered_members];
  if (known.member == member) return known.bucket;
  known = {member, latest != INT64_MIN && holds(members_of(s, latest + 1)) ? latest + 1
                                                                           : sub.writer().bucket_of(sub.row(member))};
  members_of(s, known.bucket);  // at hand for what is asked next
  return known.bucket;
}

SubStream::Dates ContentSpace::dates(int s, std::int64_t member) const {
  if (member_dates_.empty()) member_dates_.resize(workload_->sub_streams().size() * remembered_dates);
  MemberDates& known =
      member_dates_[static_cast<std::size_t>(s) * remembered_dates +
                    (static_cast<std::uint64_t>(member) * 0x9e3779b97f4a7c15U >> 32) % remembered_dates];
  if (known.member != member) known = {member, sub_stream(s).dates(member)};
  return known.dates;
}

std::pair<std::int64_t, std::int64_t> ContentSpace::buckets(const Cohort& cohort) const {
  return {bucket_of(cohort.sub_stream, cohort.from), bucket_of(cohort.sub_stream, cohort.to - 1)};
}

std::pair<std::int64_t, std::int64_t> ContentSpace::members_in(const Cohort& cohort, std::int64_t bucket) const {
  if (sub_stream(cohort.sub_stream).writer().bucket.single()) return {cohort.from, cohort.to};
  const BucketMembers& all = members_of(cohort.sub_stream, bucket);
  const std::int64_t first = std::clamp(all.from, cohort.from, cohort.to);
  return {first, std::clamp(all.to, first, cohort.to)};
}

bool ContentSpace::admits(const Cohort& cohort, std::int64_t bucket, std::int64_t slot) const {
  if (cohort.slots && !(*cohort.slots)[static_cast<std::size_t>(slot)]) return false;
  if (cohort.sets && !cohort.sets->holds(writer_of(cohort).sets->of(bucket)[static_cast<std::size_t>(slot)]))
    return false;
  return !cohort.cut_by_tokens() || places_->admits(*this, cohort, bucket, slot);
}

Rows ContentSpace::rows_with_drawn(std::span<const Cohort> cohorts) const {
  Rows sum = 0;
  for (const Cohort& cohort : cohorts) {
    if (writer_of(cohort).drawn_keys == 0) sum += rows(cohort);
  }
  for (const DrawnRows& drawn : drawn_rows(cohorts)) sum += drawn.rows;
  return sum;
}

std::vector<DrawnRows> ContentSpace::drawn_rows(std::span<const Cohort> cohorts) const {
  std::vector<DrawnRows> drawn;
  if (!workload_->draws_keys()) return drawn;
  for (const Cohort& cohort : cohorts) {
    const Writer& writer = writer_of(cohort);
    if (writer.drawn_keys == 0) continue;
    const auto place = std::ranges::find(drawn, &writer, &DrawnRows::writer);
    if (place == drawn.end()) {
      drawn.push_back({&writer, cohort.to - cohort.from, 0});
    } else {
      place->writes += cohort.to - cohort.from;
    }
  }
  for (DrawnRows& rows : drawn) rows.rows = rows.writer->different_keys(rows.writes);
  return drawn;
}

void ContentSpace::add_presence(const Cohort& cohort, std::int64_t bucket, Presence& presence) const {
  const auto [first, last] = members_in(cohort, bucket);
  if (first >= last) return;
  const SubStream& sub = sub_stream(cohort.sub_stream);
  const SubStream::Turn turn = sub.turn(bucket);
  if (cohort.whole() && sub.in_turn()) {
    presence.add_successive(turn.slot(first), last - first);
    return;
  }
  if (cohort.whole() && meets_every_slot(sub, first, last)) {
    presence.add_all();
    return;
  }
  const std::int64_t slots = turn.slots();
  const std::int64_t enough = std::min(last, first + slot_period(sub, slots));
  places_->add_presence(*this, cohort, bucket, first, last, enough, presence);
}

Presence ContentSpace::presence(std::span<const Cohort> cohorts, int writer, std::int64_t bucket) const {
  Presence presence(workload_->writers()[static_cast<std::size_t>(writer)].slots(bucket));
  const auto of_writer = [&](const Cohort& cohort) { return writer_of(cohort).index == writer; };
  if (cohorts.size() > 1) {  // the largest may have all of them
    const auto size = [&](const Cohort& cohort) { return of_writer(cohort) ? cohort.to - cohort.from : 0; };
    const Cohort& largest = *std::ranges::max_element(cohorts, {}, size);
    if (of_writer(largest)) add_presence(largest, bucket, presence);
  }
  for (const Cohort& cohort : cohorts) {
    if (presence.all()) break;
    if (of_writer(cohort)) add_presence(cohort, bucket, presence);
  }
  return presence;
}

void ContentSpace::each_bucket(std::span<const Cohort> all,
                               const std::function<void(const Writer&, std::int64_t, const Presence&)>& each) const {
  each_writer(*this, all, [&](const Writer& writer, std::span<const Cohort> cohorts) {
    if (cohorts.size() == 1) {
      each_part(cohorts.front(), [&](std::int64_t bucket, std::int64_t, std::int64_t) {
        const Presence held = presence(cohorts, writer.index, bucket);
        if (!held.none()) each(writer, bucket, held);
      });
      return;
    }
    constexpr std::int64_t ended = INT64_MAX;
    struct Next {
      const Cohort* cohort = nullptr;
      std::int64_t bucket = 0;  // of the first member that was not seen
      std::int64_t size() const { return cohort->to - cohort->from; }
    };
    boost::container::small_vector<Next, 16> next;
    for (const Cohort& cohort : cohorts) {
      if (cohort.from < cohort.to) next.push_back({&cohort, bucket_of(cohort.sub_stream, cohort.from)});
    }
    while (!next.empty()) {
      const Next* largest = next.data();  // of those of the first bucket: it may have all of its partitions
      for (const Next& part : next) {
        if (part.bucket > largest->bucket) continue;
        if (part.bucket < largest->bucket || part.size() > largest->size()) largest = &part;
      }
      const std::int64_t bucket = largest->bucket;
      Presence held(writer.slots(bucket));
      add_presence(*largest->cohort, bucket, held);
      for (Next& part : next) {
        if (part.bucket != bucket) continue;
        if (!held.all()) add_presence(*part.cohort, bucket, held);
        const std::int64_t after = members_in(*part.cohort, bucket).second;
        part.bucket = after < part.cohort->to ? bucket_of(part.cohort->sub_stream, after) : ended;
      }
      if (!held.none()) each(writer, bucket, held);
      next.erase(std::remove_if(next.begin(), next.end(), [](const Next& part) { return part.bucket == ended; }),
                 next.end());
    }
  });
}

void ContentSpace::each_partition(const Content& content,
                                  const std::function<void(const Writer&, std::int64_t, std::int64_t)>& each) const {
  each_bucket(content.cohorts, [&](const Writer& writer, std::int64_t bucket, const Presence& held) {
    held.each_slot([&](std::int64_t slot) { each(writer, bucket, slot); });
  });
  if (!content.keyed) return;
  const std::vector<bool> beside = beside_rows(*this, content);
  for (std::size_t i = 0; i < content.keyed->size(); ++i) {
    const KeyedPartition& partition = (*content.keyed)[i];
    if (beside[i]) continue;
    each(workload_->writers()[static_cast<std::size_t>(partition.writer)], partition.bucket, partition.slot);
  }
}

std::pair<std::int64_t, Bytes> ContentSpace::count_partitions(std::span<const Cohort> cohorts,
                                                              std::vector<PartitionsBetween>* by_token) const {
  std::int64_t partitions = 0;
  Bytes key_bytes = 0;
  for (const DrawnRows& drawn : drawn_rows(cohorts)) {
    const std::int64_t there =
        drawn.writer->key_is_partition ? drawn.rows : std::min(drawn.rows, drawn.writer->most_slots());
    partitions += there;
    key_bytes += there * tokens_.key_bytes(*drawn.writer, drawn.writer->bucket_of(0), 0);
  }
  const auto add = [&](const PartitionsBetween& part) {
    partitions += part.partitions;
    key_bytes += part.key_bytes;
    if (by_token != nullptr) by_token->push_back(part);
  };
  each_writer(*this, cohorts, [&](const Writer& writer, std::span<const Cohort> of_writer) {
    if (writer.drawn_keys > 0) return;
    if (places_->each_part_of_ring(*this, of_writer, add)) return;
    const Cohort& front = of_writer.front();
    const int constant_bytes = writer.keys->constant_length();
    PartitionsBetween all;
    if (of_writer.size() == 1 && front.whole() && sub_stream(front.sub_stream).in_turn() && constant_bytes > 0) {
      each_part(front, [&](std::int64_t bucket, std::int64_t first, std::int64_t last) {
        all.partitions += std::min(last - first, writer.slots(bucket));
      });
      all.key_bytes = all.partitions * constant_bytes;
    } else {
      each_bucket(of_writer, [&](const Writer&, std::int64_t bucket, const Presence& held) {
        all.partitions += held.count();
        held.each_range([&](std::int64_t first, std::int64_t last) {
          all.key_bytes += tokens_.key_bytes(writer, bucket, first, last);
        });
      });
    }
    add(all);
  });
  return {partitions, key_bytes};
}

Content restrict_to(const ContentSpace& space, const Content& content, Token first, Token last) {
  Content part{.cohorts = {}, .keyed = nullptr, .bases = content.bases};
  for (Cohort cohort : content.cohorts) {
    cohort.first_token = std::max(cohort.first_token, first);
    cohort.last_token = std::min(cohort.last_token, last);
    if (cohort.first_token <= cohort.last_token && space.rows(cohort) > 0) part.cohorts.push_back(std::move(cohort));
  }
  if (content.keyed) {
    KeyedContent keyed;
    for (const KeyedPartition& partition : *content.keyed) {
      if (first <= partition.token && partition.token <= last) keyed.push_back(partition);
    }
    if (!keyed.empty()) part.keyed = std::make_shared<const KeyedContent>(std::move(keyed));
  }
  return part;
}

}  // namespace windrow
