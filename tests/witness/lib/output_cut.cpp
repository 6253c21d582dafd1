#include "tests/witness/lib/output_cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "sim/base/arithmetic.h"
#include "sim/strategy/unified.h"

namespace windrow::witness {
namespace {

/// SSTableReader.getApproximateKeyCount, Cassandra 5.0.9: the inputs' sketches merged one after another.
std::int64_t estimated_distinct_keys(std::span<const std::shared_ptr<const SSTable>> inputs) {
  KeySketch all = inputs.front()->key_sketch();
  for (const auto& input : inputs.subspan(1)) all.merge(input->key_sketch());
  return all.estimate();
}

std::int64_t shard_of(const HeldRanges& held, Token token, std::int64_t shards, std::int64_t from) {
  while (from + 1 < shards && token > shard_end(held, from, shards)) ++from;
  return from;
}

}  // namespace

Token shard_end(std::int64_t index, std::int64_t shards) {
  if (index + 1 >= shards) return max_token;
  // Murmur3Partitioner.split: the ratio as the decimal that prints the double, the product exact, then truncated.
  const double ratio = (1.0 / static_cast<double>(shards)) * static_cast<double>(index + 1);
  std::string digits = fmt::format("{:.17f}", ratio);
  if (const std::string shortest = fmt::format("{}", ratio); shortest.find('e') == std::string::npos) digits = shortest;
  const auto point = digits.find('.');
  Int128 numerator = 0;
  Int128 denominator = 1;
  for (std::size_t i = point + 1; i < digits.size(); ++i) {
    numerator = numerator * 10 + (digits[i] - '0');
    denominator *= 10;
  }
  const Int128 length = (static_cast<Int128>(1) << 64) - 1;
  const Int128 low = static_cast<Int128>(min_token) * denominator;
  return static_cast<Token>((length * numerator + low) / denominator);
}

double ring_share(Token left, Token right) {
  const auto difference =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(right) - static_cast<std::uint64_t>(left));
  const double share = std::ldexp(static_cast<double>(difference), -64);
  return share > 0 ? share : share + 1;
}

double stored_coverage(Token first, Token last) { return ring_share(first, last == max_token ? min_token : last + 1); }

double coverage_of(const HeldRanges& held) {
  if (held.ranges.empty()) return 1;
  double sum = 0;
  for (const auto& [left, right] : held.ranges) sum += ring_share(left, right);
  return sum;
}

double stored_coverage(const HeldRanges& held, Token first, Token last) {
  if (held.ranges.empty()) return stored_coverage(first, last);
  // As numbers that do not go round: the end of the ring lies beyond its greatest token.
  const auto end = [](Token right) { return right == min_token ? static_cast<Int128>(max_token) + 1 : Int128{right}; };
  double sum = 0;
  for (const auto& [left, right] : held.ranges) {
    const Token from = std::max(first, left);
    const Int128 to = std::min(static_cast<Int128>(last) + 1, end(right));
    if (from < to) sum += ring_share(from, to > max_token ? min_token : static_cast<Token>(to));
  }
  return sum;
}

Token shard_end(const HeldRanges& held, std::int64_t index, std::int64_t shards) {
  if (held.ranges.empty() || index + 1 >= shards) return shard_end(index, shards);
  const double wanted = coverage_of(held) / static_cast<double>(shards) * static_cast<double>(index + 1);
  double before = 0;
  for (std::size_t i = 0; i < held.ranges.size(); ++i) {
    const auto& [left, right] = held.ranges[i];
    const double until = before + ring_share(left, right);
    if (wanted > until && i + 1 < held.ranges.size()) {
      before = until;
      continue;
    }
    const double ratio = (wanted - before) / (until - before);
    if (ratio >= 1) return right;
    // The ratio as the decimal that prints the double.
    Int128 numerator = 0;
    Int128 denominator = 1;
    std::string shortest = fmt::format("{}", ratio);
    if (shortest.find('e') != std::string::npos) shortest = fmt::format("{:.22f}", ratio);
    for (std::size_t d = shortest.find('.') + 1; d < shortest.size(); ++d) {
      numerator = numerator * 10 + (shortest[d] - '0');
      denominator *= 10;
    }
    Int128 length = static_cast<Int128>(right) - left;
    if (left >= right) length += (static_cast<Int128>(1) << 64) - 1;
    const Int128 steps = length * numerator;
    Int128 token = left + steps / denominator;
    if (token < 0 && steps % denominator != 0) ++token;
    if (token > max_token) token = min_token + (token - max_token);
    return static_cast<Token>(token);
  }
  return max_token;
}

std::vector<Output> cut_flush(std::vector<Partition> partitions, const CompactionOptions& options,
                              double flush_average_bytes, const HeldRanges& held) {
  const auto keys = static_cast<std::int64_t>(partitions.size());
  const auto* unified = std::get_if<UnifiedOptions>(&options);
  if (unified == nullptr) return {{.partitions = std::move(partitions), .filter_keys = keys}};
  const std::int64_t shards = shard_count(*unified, flush_average_bytes);
  std::vector<Output> outputs;
  std::int64_t shard = 0;
  for (Partition& partition : partitions) {
    const std::int64_t next = shard_of(held, partition.key->token, shards, shard);
    if (outputs.empty() || next != shard) outputs.push_back({.filter_keys = keys / shards});
    shard = next;
    outputs.back().partitions.push_back(std::move(partition));
  }
  return outputs;
}

CompactionCut::CompactionCut(const CompactionOptions& options, std::span<const std::shared_ptr<const SSTable>> inputs,
                             SizeCut by_size, HeldRanges held)
    : inputs_(inputs.begin(), inputs.end()),
      by_size_(std::move(by_size)),
      held_(std::move(held)),
      distinct_keys_(estimated_distinct_keys(inputs)) {
  Bytes data_bytes = 0;
  Token first = max_token;
  Token last = min_token;
  for (const auto& input : inputs_) {
    estimated_keys_ += input->fields.estimated_keys;
    data_bytes += input->fields.data_bytes;
    first = std::min(first, input->fields.first_token);
    last = std::max(last, input->fields.last_token);
  }
  if (const auto* unified = std::get_if<UnifiedOptions>(&options)) {
    const double span = stored_coverage(held_, first, last);
    const double smallest_span = std::ldexp(1.0, -48);
    const auto size = static_cast<double>(data_bytes);
    shards_ = shard_count(*unified, (span >= smallest_span ? size / span : size) * coverage_of(held_));
  }
}

std::vector<Output> CompactionCut::cut(std::vector<Partition> partitions, FileFormat format,
                                       const Header& header) const {
  if (partitions.empty()) return {};
  if (shards_ > 0) return cut_by_shard(std::move(partitions));
  if (by_size_.limit_bytes > 0) return cut_by_size(std::move(partitions), format, header);
  return {{.partitions = std::move(partitions), .filter_keys = distinct_keys_}};
}

/// MaxSSTableSizeWriter asks for what the file has on disk: of compressed ones, the chunks that were written out.
bool CompactionCut::full(Bytes written, std::size_t file) const {
  if (by_size_.chunk_bytes == 0) return written > by_size_.limit_bytes;
  const Bytes whole = written > 0 ? (written - 1) / by_size_.chunk_bytes * by_size_.chunk_bytes : 0;
  return static_cast<double>(whole) * by_size_.disk_share(file) > static_cast<double>(by_size_.limit_bytes);
}

std::vector<Output> CompactionCut::cut_by_size(std::vector<Partition> partitions, FileFormat format,
                                               const Header& header) const {
  Bytes read_bytes = 0;
  for (const auto& input : inputs_) read_bytes += input->fields.data_bytes;
  const double ratio =
      static_cast<double>(distinct_keys_) / static_cast<double>(std::max<std::int64_t>(1, estimated_keys_));
  const auto expected = static_cast<Bytes>(std::llround(ratio * static_cast<double>(read_bytes)));
  const std::int64_t keys = distinct_keys_ / std::max<std::int64_t>(1, expected / by_size_.limit_bytes);
  std::vector<Output> outputs;
  Bytes written = 0;
  for (Partition& partition : partitions) {
    if (outputs.empty() || full(written, outputs.size() - 1)) {
      outputs.push_back({.filter_keys = keys});
      written = 0;
    }
    written += partition_size(format, header, partition);
    outputs.back().partitions.push_back(std::move(partition));
  }
  return outputs;
}

std::vector<Output> CompactionCut::cut_by_shard(std::vector<Partition> partitions) const {
  std::vector<Output> outputs;
  std::int64_t shard = 0;
  for (Partition& partition : partitions) {
    const std::int64_t next = shard_of(held_, partition.key->token, shards_, shard);
    if (outputs.empty() || next != shard) outputs.push_back({.filter_keys = keys_in_shard(next)});
    shard = next;
    outputs.back().partitions.push_back(std::move(partition));
  }
  return outputs;
}

// ShardTracker.shardAdjustedKeyCount, Cassandra 5.0: the running sum is truncated to a whole number at each file.
std::int64_t CompactionCut::keys_in_shard(std::int64_t shard) const {
  const Token shard_left = shard == 0 ? min_token : shard_end(held_, shard - 1, shards_);
  const Token shard_right = shard_end(held_, shard, shards_);
  std::int64_t keys = 0;
  for (const auto& input : inputs_) {
    const Token left = input->fields.first_token;
    const Token right = input->fields.last_token == max_token ? max_token : input->fields.last_token + 1;
    const Token covered_left = std::max(left, shard_left);
    const Token covered_right = std::min(right, shard_right);
    double share = 0;
    if (covered_left == left && covered_right == right)
      share = 1;
    else if (covered_left < covered_right)
      share = stored_coverage(held_, covered_left, covered_right - 1) / stored_coverage(held_, left, right - 1);
    keys = static_cast<std::int64_t>(static_cast<double>(keys) +
                                     static_cast<double>(input->fields.estimated_keys) * share);
  }
  const double unique = static_cast<double>(distinct_keys_) / static_cast<double>(estimated_keys_);
  return std::llround(static_cast<double>(keys) * unique);
}

}  // namespace windrow::witness
