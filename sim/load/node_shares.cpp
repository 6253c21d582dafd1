#include "sim/load/node_shares.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/check.h"
#include "sim/load/placed_slots.h"
#include "sim/placement/owned_slots.h"

namespace windrow {

namespace {

/// Keys that are drawn are no slots: parts of the ring stand for them.
constexpr std::int64_t parts_of_ring = std::int64_t{1} << 31;

/// Stretches that follow each other; where one ends before the next begins, nothing happens.
class Stretches {
 public:
  explicit Stretches(bool spread) : spread_(spread) {}
  void add(std::int64_t begin, std::int64_t length, std::int64_t turns, std::int64_t rows) {
    if (turns == 0) return;
    if (!rhythm_) {
      rhythm_.emplace(begin, length, turns, spread_);
    } else {
      if (begin > end_) rhythm_->follow_with(end_, rows_, 1, 0);
      rhythm_->follow_with(begin, rows_, length, turns);
    }
    rows_ += rows;
    end_ = begin + length * (spread_ ? 1 : rows / turns);
  }
  Rhythm take() {
    rhythm_->stop_at(end_);
    return std::move(*rhythm_);
  }

 private:
  bool spread_;
  std::optional<Rhythm> rhythm_{};
  std::int64_t rows_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace

NodeShares::NodeShares(const Writer& writer, const ReplicaMap& replicas, int nodes)
    : writer_(&writer), replicas_(&replicas), nodes_(static_cast<std::size_t>(nodes)) {
  const std::int64_t total = writer.rhythm.total();
  SIM_CHECK(total > 0, "a writer with rows");
  std::vector<std::int64_t> borders{0, total};
  add_pieces(borders);
  first_bucket_ = writer.bucket_of(0);
  const std::int64_t last_bucket = writer.bucket_of(total - 1);
  std::vector<std::int64_t> first_rows{0};
  for (std::int64_t bucket = first_bucket_ + 1; bucket <= last_bucket; ++bucket)
    first_rows.push_back(writer.rows_before_bucket(bucket));
  borders.insert(borders.end(), first_rows.begin(), first_rows.end());
  std::ranges::sort(borders);
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) pieces_.push_back({borders[i], borders[i + 1]});
  for (const std::int64_t row : first_rows) {
    first_piece_.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(pieces_, row, {}, &Piece::from) - pieces_.begin()));
  }
  first_piece_.push_back(pieces_.size());
  sources_.resize(buckets());
}

void NodeShares::add_pieces(std::vector<std::int64_t>& borders) const {
  const std::int64_t total = borders.back();
  const auto add = [&](const Rhythm& rhythm) {
    for (const std::int64_t change : rhythm.changes())
      borders.push_back(std::clamp<std::int64_t>(rhythm.count_before(change), 0, total));
  };
  add(writer_->rhythm);
  if (writer_->arrivals) add(*writer_->arrivals);
  if (writer_->rhythm.spread() || writer_->rhythm.turns_at(0) % writer_->most_slots() == 0) return;
  // All at once, but not all partitions each time: every time for itself.
  const std::int64_t turns = writer_->rhythm.turns_at(0);
  for (std::int64_t row = turns; row < total; row += turns) borders.push_back(row);
}

void NodeShares::take(std::size_t bucket, std::size_t source, const RankTable& by_node) {
  if (shares_.empty()) {
    shares_.resize(buckets() * nodes_);
    rows_.resize(pieces_.size() * nodes_);
  }
  sources_[bucket] = source;
  std::vector<std::int64_t> slots(nodes_, 0);
  std::vector<std::int64_t> start(nodes_, 0);
  const std::size_t first = first_piece_[bucket];
  const std::size_t last = first_piece_[bucket + 1];
  by_node.add_rows_below(by_node.slots(), 1, slots);
  if (first < last) by_node.add_rows_below(pieces_[first].from % by_node.slots(), 1, start);
  for (std::size_t node = 0; node < nodes_; ++node) shares_[bucket * nodes_ + node] = {slots[node], start[node]};
  for (std::size_t piece = first; piece < last; ++piece) {
    const std::span<std::int64_t> rows(rows_.data() + piece * nodes_, nodes_);
    by_node.add_rows_below(pieces_[piece].to, 1, rows);
    by_node.add_rows_below(pieces_[piece].from, -1, rows);
  }
}

void NodeShares::take_even() {
  even_ = true;
  even_slots_ = owned_by_node(even_slots_by_set(writer_->most_slots(), *replicas_), *replicas_, nodes_);
  even_slots_of_all_ = std::accumulate(even_slots_.begin(), even_slots_.end(), std::int64_t{0});
}

std::int64_t NodeShares::slots(std::int64_t bucket_number, int node) const {
  const std::int64_t bucket = bucket_number - first_bucket_;
  if (bucket < 0 || bucket >= static_cast<std::int64_t>(buckets())) return 0;
  if (even_) return even_slots_[static_cast<std::size_t>(node)];
  return shares_[place(static_cast<std::size_t>(bucket), node)].slots;
}

std::int64_t NodeShares::slots_of_all(std::int64_t bucket_number) const {
  const std::int64_t bucket = bucket_number - first_bucket_;
  if (bucket < 0 || bucket >= static_cast<std::int64_t>(buckets())) return 0;
  return even_ ? even_slots_of_all_ : writer_->most_slots() * std::ssize(replicas_->set(0));
}

std::vector<std::int64_t> NodeShares::even_rows(std::int64_t owned, std::int64_t slots) const {
  const OwnedSlots all = OwnedSlots::even(slots, owned);
  std::vector<std::int64_t> rows;
  for (const Piece& piece : pieces_) rows.push_back(all.rows_below(piece.to) - all.rows_below(piece.from));
  return rows;
}

std::unique_ptr<Writer> NodeShares::with_rows(const std::vector<std::int64_t>& rows) const {
  const std::int64_t all = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  if (all == 0) return nullptr;
  const auto times_of = [&](const Piece& piece) {
    return (piece.to - piece.from) / writer_->rhythm.turns_at(piece.from);
  };
  bool spread = writer_->rhythm.spread();
  // Some of what is written at once, without telling partitions apart: so many each time in the mean.
  for (std::size_t i = 0; !spread && i < pieces_.size(); ++i) spread = rows[i] % times_of(pieces_[i]) != 0;
  Stretches events(spread);
  Stretches arrivals(true);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const auto& [from, to] = pieces_[i];
    if (spread) {
      events.add(writer_->rhythm.event(from), writer_->rhythm.length(from, to), rows[i], rows[i]);
    } else {
      events.add(writer_->rhythm.event(from), writer_->rhythm.period_at(from), rows[i] / times_of(pieces_[i]), rows[i]);
    }
    if (writer_->arrivals)
      arrivals.add(writer_->arrivals->event(from), writer_->arrivals->length(from, to), rows[i], rows[i]);
  }
  auto writer = std::make_unique<Writer>(*writer_);
  writer->rhythm = events.take();
  if (writer_->arrivals) writer->arrivals = arrivals.take();
  SIM_CHECK(writer->rhythm.total() == all, "a node's rows are those that its hashes say");
  return writer;
}

std::unique_ptr<Writer> NodeShares::of_node_evenly(int node) const {
  const std::int64_t slots = writer_->drawn_keys > 0 ? parts_of_ring : writer_->most_slots();
  const std::int64_t owned =
      owned_by_node(even_slots_by_set(slots, *replicas_), *replicas_, nodes_)[static_cast<std::size_t>(node)];
  std::unique_ptr<Writer> writer = with_rows(even_rows(owned, slots));
  if (!writer) return writer;
  const auto part = [&](std::int64_t of) { return std::max<std::int64_t>(1, mul_div_floor(of, owned, slots)); };
  writer->node = std::make_shared<const PlacedSlots>(keys(), part(writer_->most_slots()));
  writer->entities = part(writer_->most_slots());
  writer->shards = 1;
  if (writer->drawn_keys > 0) {
    writer->drawn_keys = part(writer_->drawn_keys);
    if (writer->zipf) writer->zipf = std::make_shared<const ZipfKeys>(writer->drawn_keys, writer->zipf->exponent());
  }
  return writer;
}

std::vector<std::int64_t> NodeShares::hashed_rows(int node) const {
  std::vector<std::int64_t> rows;
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) rows.push_back(rows_[place(piece, node)]);
  return rows;
}

std::unique_ptr<Writer> NodeShares::of_node_on_lattice(int node) const {
  if (even_) return of_node_evenly(node);
  std::unique_ptr<Writer> writer = with_rows(hashed_rows(node));
  if (!writer) return writer;
  std::int64_t slots = 0;
  std::int64_t filled = 0;
  for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
    const std::int64_t here = shares_[place(bucket, node)].slots;
    slots += here;
    filled += here > 0 ? 1 : 0;
  }
  writer->entities = (slots + filled / 2) / filled;
  writer->shards = 1;
  writer->node = std::make_shared<const PlacedSlots>(keys(), writer->entities);
  return writer;
}

std::unique_ptr<Writer> NodeShares::of_node(int node) const {
  if (even_) return of_node_evenly(node);
  const std::vector<std::int64_t> rows = hashed_rows(node);
  std::unique_ptr<Writer> writer = with_rows(rows);
  if (!writer) return writer;
  std::vector<NodeSlots::Bucket> buckets;
  std::vector<std::int64_t> labels;
  std::int64_t before = 0;
  for (std::size_t bucket = 0; bucket < this->buckets(); ++bucket) {
    const Share& share = shares_[place(bucket, node)];
    buckets.push_back(
        {.first_row = before, .slots = share.slots, .start = share.slots > 0 ? share.start % share.slots : 0});
    labels.push_back(writer_->bucket.label(first_bucket_ + static_cast<std::int64_t>(sources_[bucket])));
    for (std::size_t piece = first_piece_[bucket]; piece < first_piece_[bucket + 1]; ++piece) before += rows[piece];
  }
  if (buckets.size() == 1) {  // alike in all buckets
    writer->entities = buckets.front().slots;
    writer->shards = 1;
    buckets.clear();
  }
  writer->node = std::make_shared<const PlacedSlots>(keys(), *replicas_, node, first_bucket_, std::move(buckets),
                                                     std::move(labels));
  return writer;
}

bool NodeShares::alike(int node, int other) const {
  if (even_) {
    const std::vector<std::int64_t> owned =
        owned_by_node(even_slots_by_set(parts_of_ring, *replicas_), *replicas_, nodes_);
    return owned[static_cast<std::size_t>(node)] == owned[static_cast<std::size_t>(other)];
  }
  for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
    const std::int64_t slots = shares_[place(bucket, node)].slots;
    // As many partitions, but others.
    if (slots != shares_[place(bucket, other)].slots || (slots > 0 && slots < writer_->most_slots())) return false;
  }
  return true;
}

}  // namespace windrow
