#include "sim/content/row_values.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "sim/base/arithmetic.h"
#include "sim/bytes/row_size.h"

namespace windrow {

namespace {

constexpr std::int64_t longest_period = 20'000;

/// Columns whose sizes repeat together after more rows than `longest_period` are taken to repeat after so many.
std::int64_t row_period_of(const Writer& writer) {
  std::int64_t rows = 1;
  for (const ColumnWrite& write : writer.columns) {
    rows = std::min(longest_period, std::lcm(rows, static_cast<std::int64_t>(write.sizes.size())));
  }
  return rows;
}

}  // namespace

std::int64_t bytes_of_values(const Writer& writer, std::int64_t g) {
  std::int64_t bytes = 0;
  for (const ColumnWrite& write : writer.columns) {
    const int elements = write.elements ? write.elements->count : 0;
    for (int i = 0; i < elements; ++i) bytes += RowSize::value(write.size_of(g * elements + i), false);
    if (!write.null && !write.elements) bytes += RowSize::value(write.size_of(g), write.fixed_length);
  }
  return bytes;
}

RowValues::RowValues(const SubStream& sub)
    : sub_(&sub),
      row_period_(row_period_of(sub.writer())),
      member_period_(std::ssize(sub.share().residues()) *
                     (row_period_ / std::gcd(row_period_, sub.share().modulus()))) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t g = 0; g < row_period_; ++g) sizes.push_back(bytes_of_values(sub.writer(), g));
  bytes_ = sizes;
  std::ranges::sort(bytes_);
  bytes_.erase(std::unique(bytes_.begin(), bytes_.end()), bytes_.end());
  in_rows_.assign(bytes_.size(), 0);
  for (const std::int64_t size : sizes) {
    const auto place = std::ranges::lower_bound(bytes_, size) - bytes_.begin();
    size_of_.push_back(static_cast<std::int32_t>(place));
    ++in_rows_[static_cast<std::size_t>(place)];
    mean_bytes_ += static_cast<double>(size) / static_cast<double>(row_period_);
  }
  if (sub.share().residues().empty()) {
    in_members_ = in_rows_;
    member_period_ = row_period_;
  } else if (member_period_ <= longest_period) {
    std::vector<Rows> counts(bytes_.size(), 0);
    count(0, member_period_, counts);
    in_members_ = std::move(counts);
  }
}

/// Calls `each(which of bytes())` for the members.
template <typename Each>
void RowValues::each_size(std::int64_t from, std::int64_t to, const Each& each) const {
  if (from >= to) return;
  // Rows ascend: where the last is as far from the first as its number all of them follow each other.
  const std::int64_t first = sub_->written_as(from);
  if (sub_->written_as(to - 1) - first == to - 1 - from) {
    auto place = static_cast<std::size_t>(first % row_period_);
    for (std::int64_t i = from; i < to; ++i) {
      each(static_cast<std::size_t>(size_of_[place]));
      if (++place == size_of_.size()) place = 0;
    }
    return;
  }
  for (std::int64_t j = from; j < to; ++j) each(size_of(sub_->written_as(j)));
}

void RowValues::count(std::int64_t from, std::int64_t to, std::span<Rows> counts) const {
  std::int64_t left = to - from;
  if (bytes_.size() == 1) {
    counts[0] += left;
    return;
  }
  if (in_members_.empty() && left > longest_period) {
    const std::int64_t periods = left / row_period_;
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += periods * in_rows_[i];
    left %= row_period_;
  } else if (!in_members_.empty()) {
    const std::int64_t periods = left / member_period_;
    for (std::size_t i = 0; i < counts.size() && periods > 0; ++i) counts[i] += periods * in_members_[i];
    left %= member_period_;
  }
  each_size(to - left, to, [&](std::size_t size) { ++counts[size]; });
}

void RowValues::count_few(std::int64_t from, std::int64_t to, SizeCounts& sizes) const {
  constexpr std::size_t word = 64;
  boost::container::small_vector<Rows, 512> counts(bytes_.size(), 0);
  boost::container::small_vector<std::uint64_t, 8> there((bytes_.size() + word - 1) / word, 0);
  each_size(from, to, [&](std::size_t size) {
    ++counts[size];
    there[size / word] |= std::uint64_t{1} << size % word;
  });
  sizes.bytes.clear();
  sizes.rows.clear();
  for (std::size_t first = 0; first < there.size(); ++first) {
    for (std::uint64_t left = there[first]; left != 0; left &= left - 1) {
      const std::size_t size = first * word + static_cast<std::size_t>(std::countr_zero(left));
      sizes.bytes.push_back(bytes_[size]);
      sizes.rows.push_back(counts[size]);
    }
  }
}

void RowValues::count_every(std::int64_t first, std::int64_t step, std::int64_t members, std::span<Rows> counts) const {
  const std::int64_t length = row_period_ / std::gcd(row_period_, step);  // then sizes come again
  for (std::int64_t i = 0; i < std::min(length, members); ++i)
    counts[size_of(sub_->written_as(first + i * step))] += ceil_div(members - i, length);
}

}  // namespace windrow
