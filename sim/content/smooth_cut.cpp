#include "sim/content/smooth_cut.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <deque>
#include <tuple>
#include <utility>

#include "sim/base/check.h"
#include "sim/content/expected_span.h"
#include "sim/content/measure.h"
#include "sim/content/token_sweep.h"
#include "sim/stats/ring_share.h"

namespace windrow {

namespace {

double tokens_in(Token first, Token last) { return static_cast<double>(tokens_between(first, last)) + 1; }

/// In the order of a content.
bool before(const Cohort* a, const Cohort* b) {
  return std::tie(a->sub_stream, a->from, a->state, a->ttl_s, a->first_token) <
         std::tie(b->sub_stream, b->from, b->state, b->ttl_s, b->first_token);
}

Cohort cut_after(Cohort cohort, Token last_token) {
  cohort.last_token = last_token;
  return cohort;
}

/// A cohort along the ring: its bytes lie as its rows do.
struct Part {
  Token first_token = 0;
  Token last_token = 0;
  const Cohort* cohort = nullptr;
  std::int64_t count = 0;  // members
  double bytes = 0;
  double member_bytes = 0;
  std::int64_t given = 0;                // members that are in outputs
  const LatticeCohort* found = nullptr;  // null: it has slots

  double per_token = 0;                                // bytes
  Rows member_rows = 0;                                // of a member
  std::int64_t row_cells = 0;                          // of a row
  std::int64_t partitions = 0;                         // at most; 0: not yet known
  std::pair<Token, std::int64_t> asked{max_token, 0};  // last time: members up to there

  std::int64_t up_to(const ContentSpace& space, Token token) {
    if (token >= last_token) return count;
    if (token == asked.first) return asked.second;
    asked = {token, found != nullptr ? found->up_to(token) : space.members(cut_after(*cohort, token))};
    return asked.second;
  }
  /// Of what it has between the tokens: `there` members.
  std::pair<Token, Token> expected_span(const ContentSpace& space, Token first, Token last, std::int64_t there) {
    if (partitions == 0) {
      partitions = found != nullptr ? most_partitions(space.writer_of(*cohort), found->first_bucket, found->last_bucket)
                                    : most_partitions(space, *cohort);
    }
    return expected_ends(std::max(first_token, first), std::min(last_token, last), std::min(partitions, there));
  }
};

CutPiece piece_of(const Content& content) {
  CutPiece piece{.bases = std::make_shared<const HeaderBases>(content.bases)};
  piece.rows.reserve(content.cohorts.size());
  for (const Cohort& cohort : content.cohorts) piece.rows.push_back(plain_rows(cohort));
  return piece;
}

class SmoothCut {
 public:
  SmoothCut(const ContentSpace& space, const Content& content, double limit_bytes)
      : space_(space),
        content_(content),
        limit_bytes_(limit_bytes),
        plain_(
            std::ranges::all_of(content.cohorts, [](const Cohort& cohort) { return plain(cohort); }) &&
            std::ranges::is_sorted(content.cohorts, [](const Cohort& a, const Cohort& b) { return before(&a, &b); })) {
    all_ = measure_by_intervals(space, content, &measured_).extremes;
    total_ = static_cast<double>(all_.uncompressed_bytes);
    partition_ = total_ / static_cast<double>(all_.partitions);
    most_ = limit_bytes_ + partition_ / 2;
    // What is left within two partitions or a hundredth of the limit is known too vaguely to be an output of its own: a
    // file that was cut before has the limit's size only so nearly, and is not cut again.
    const double vague = std::max(2 * partition_, limit_bytes_ / 100);
    outputs_ = std::ceil((total_ - vague) / most_);
  }

  bool one_output() const { return !(outputs_ > 1); }
  const FileExtremes& extremes() const { return all_; }
  bool plain_rows_alone() const { return plain_; }

  std::vector<CutContent> outputs() {
    find_parts();
    if (plain_) bases_ = std::make_shared<const HeaderBases>(content_.bases);
    const std::vector<Token> ends = even_ends(static_cast<std::size_t>(outputs_) - 1);
    std::vector<CutContent> outputs;
    outputs.reserve(ends.size() + 1);
    Token first = min_token;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      Token end = ends[i];
      constexpr int corrections = 2;
      for (int k = 0; k < corrections; ++k) end = corrected(end, static_cast<double>(i + 1) * most_);
      if (end < first || end == max_token) continue;
      add_output(first, end, outputs);
      first = end + 1;
    }
    add_output(first, max_token, outputs);
    return outputs;
  }

 private:
  void find_parts();
  std::vector<Token> even_ends(std::size_t count) const;
  Token corrected(Token end, double bytes);
  void add_output(Token first, Token last, std::vector<CutContent>& outputs);
  void add_cohorts(Token first, Token last, CutContent& output);
  std::int64_t partitions_up_to(Token token);

  const ContentSpace& space_;
  const Content& content_;
  double limit_bytes_;
  bool plain_;                                  // outputs are pieces
  std::shared_ptr<const HeaderBases> bases_{};  // theirs
  FileExtremes all_{};
  MeasureParts measured_{};
  std::deque<LatticeCohort> found_alone_{};  // beside others with slots
  double total_ = 0;
  double partition_ = 0;  // mean bytes
  double most_ = 0;       // bytes of an output
  double outputs_ = 0;
  std::vector<Part> parts_{};                                   // by first token
  boost::container::small_vector<const Cohort*, 16> inside_{};  // of an output
  std::size_t first_left_ = 0;                                  // before it all parts are in outputs
  double bytes_left_behind_ = 0;                                // theirs
  double bytes_given_ = 0;
  std::size_t partitions_passed_ = 0;   // of what was measured: so many lie in outputs
  std::int64_t partitions_behind_ = 0;  // theirs
  std::int64_t partitions_given_ = 0;
};

void SmoothCut::find_parts() {
  SIM_CHECK(measured_.cohorts.size() == content_.cohorts.size(), "what is cut by tokens has no keys drawn at random");
  double weights = 0;
  boost::container::small_vector<std::size_t, 32> by_token;
  for (std::size_t i = 0; i < content_.cohorts.size(); ++i) {
    if (measured_.cohorts[i].members == 0) continue;
    weights += static_cast<double>(measured_.cohorts[i].row_bytes);
    by_token.push_back(i);
  }
  std::ranges::sort(by_token, {}, [&](std::size_t i) { return std::pair(content_.cohorts[i].first_token, i); });
  std::ranges::stable_sort(measured_.partitions, {}, &PartitionsBetween::first_token);
  parts_.reserve(by_token.size());
  for (const std::size_t i : by_token) {
    const Cohort& cohort = content_.cohorts[i];
    const auto [members, row_bytes] = measured_.cohorts[i];
    Part& part = parts_.emplace_back();
    part.first_token = cohort.first_token;
    part.last_token = cohort.last_token;
    part.cohort = &cohort;
    if (!measured_.found.empty()) {
      part.found = &measured_.found[i];
    } else if (!cohort.slots) {
      part.found = &found_alone_.emplace_back(space_.lattice()->found(space_, cohort));
    }
    part.count = members;
    part.bytes = static_cast<double>(row_bytes) * (total_ / weights);
    part.member_bytes = part.bytes / static_cast<double>(part.count);
    part.per_token = part.bytes / tokens_in(part.first_token, part.last_token);
    part.member_rows = space_.writer_of(cohort).rows_per_event;
    part.row_cells = space_.shape(cohort.sub_stream, cohort.state).columns_set;
  }
}

/// About where outputs end, if bytes lie evenly along the tokens of each cohort.
std::vector<Token> SmoothCut::even_ends(std::size_t count) const {
  std::vector<Token> ends;
  ends.reserve(count);
  double written = 0;
  sweep_tokens(std::span<const Part>(parts_), [&](Token first, Token last, std::span<const std::size_t> inside) {
    double per_token = 0;
    for (const std::size_t place : inside) per_token += parts_[place].per_token;
    const double width = tokens_in(first, last);
    double at = 0;  // tokens after the first
    while (ends.size() < count && written + (width - at) * per_token > most_) {
      at += (most_ - written) / per_token;
      const std::uint64_t tokens = std::min(static_cast<std::uint64_t>(at), tokens_between(first, last));
      ends.push_back(static_cast<Token>(static_cast<std::uint64_t>(first) + tokens));
      written = 0;
    }
    written += (width - at) * per_token;
  });
  return ends;
}

/// Nearer to where the first `bytes` end, by the rows that are there.
Token SmoothCut::corrected(Token end, double bytes) {
  double missing = bytes - bytes_left_behind_;
  double per_token = 0;
  for (std::size_t i = first_left_; i < parts_.size() && parts_[i].first_token <= end; ++i) {
    Part& part = parts_[i];
    if (part.last_token <= end) {
      missing -= part.bytes;
      continue;
    }
    missing -= static_cast<double>(part.up_to(space_, end)) * part.member_bytes;
    per_token += part.per_token;
  }
  if (per_token == 0 || std::abs(missing) < partition_ / 2) return end;
  const double least = static_cast<double>(min_token) / 2;
  const double step = std::clamp(missing / per_token, least, -least);
  const auto tokens = static_cast<Token>(step);
  if (tokens > 0) return end < max_token - tokens ? end + tokens : max_token - 1;
  return end > min_token - tokens ? end + tokens : min_token;
}

/// Asked for ascending tokens.
std::int64_t SmoothCut::partitions_up_to(Token token) {
  auto part = measured_.partitions.begin() + static_cast<std::ptrdiff_t>(partitions_passed_);
  for (; part != measured_.partitions.end() && token >= part->last_token; ++part) {
    ++partitions_passed_;
    partitions_behind_ += part->partitions;
  }
  std::int64_t partitions = partitions_behind_;
  for (; part != measured_.partitions.end() && token >= part->first_token; ++part) {
    if (token >= part->last_token) {
      partitions += part->partitions;
    } else {
      const double share = tokens_in(part->first_token, token) / tokens_in(part->first_token, part->last_token);
      partitions += static_cast<std::int64_t>(static_cast<double>(part->partitions) * share);
    }
  }
  return partitions;
}

/// What of those inside lies between the tokens, in the order of a content.
void SmoothCut::add_cohorts(Token first, Token last, CutContent& output) {
  const auto cut = [&](auto part) {
    part.first_token = std::max(part.first_token, first);
    part.last_token = std::min(part.last_token, last);
    return part;
  };
  if (plain_) {
    std::ranges::sort(inside_);  // as they come in the content
    output.piece.bases = bases_;
    output.piece.rows.reserve(inside_.size());
    for (const Cohort* cohort : inside_) output.piece.rows.push_back(cut(plain_rows(*cohort)));
    return;
  }
  std::ranges::sort(inside_, before);
  output.content.bases = content_.bases;
  output.content.cohorts.reserve(inside_.size());
  for (const Cohort* cohort : inside_) output.content.cohorts.push_back(cut(*cohort));
}

void SmoothCut::add_output(Token first, Token last, std::vector<CutContent>& outputs) {
  CutContent output;
  FileExtremes& extremes = output.extremes.emplace();
  auto& [first_token, last_token] = output.token_span.emplace(max_token, min_token);
  double bytes = 0;
  inside_.clear();
  for (std::size_t i = first_left_; i < parts_.size() && parts_[i].first_token <= last; ++i) {
    Part& part = parts_[i];
    const std::int64_t members = part.up_to(space_, last) - part.given;
    if (members == 0) continue;
    part.given += members;
    bytes += static_cast<double>(members) * part.member_bytes;
    const Cohort& cohort = *part.cohort;
    inside_.push_back(&cohort);
    const Rows rows = members * part.member_rows;
    extremes.rows += rows;
    extremes.cells += rows * part.row_cells;
    const bool all = first == min_token && last == max_token;
    const CohortDates dates = all ? dates_of(space_, cohort, members) : dates_of_some(space_, cohort, members);
    feed_extremes(space_, cohort, dates, extremes);
    const auto [first_expected, last_expected] = part.expected_span(space_, first, last, members);
    first_token = std::min(first_token, first_expected);
    last_token = std::max(last_token, last_expected);
  }
  for (; first_left_ < parts_.size() && parts_[first_left_].last_token <= last; ++first_left_)
    bytes_left_behind_ += parts_[first_left_].bytes;
  if (inside_.empty()) return;
  add_cohorts(first, last, output);
  extremes.settle_ttl();
  // Sums of outputs are those of all: what is rounded away of one is in the next.
  const auto before = std::llround(bytes_given_);
  bytes_given_ += bytes;
  extremes.uncompressed_bytes = std::llround(bytes_given_) - before;
  const std::int64_t partitions = partitions_up_to(last);
  extremes.partitions = std::max<std::int64_t>(1, partitions - partitions_given_);
  partitions_given_ = partitions;
  extremes.key_bytes = mul_div_floor(all_.key_bytes, extremes.partitions, all_.partitions);
  outputs.push_back(std::move(output));
}

}  // namespace

std::vector<CutContent> cut_smooth(const ContentSpace& space, Content content, double limit_bytes) {
  SmoothCut cut(space, content, limit_bytes);
  if (!cut.one_output()) return cut.outputs();
  std::vector<CutContent> outputs(1);
  outputs.front().extremes = cut.extremes();
  outputs.front().token_span = space.token_span(content);
  if (cut.plain_rows_alone()) {
    outputs.front().piece = piece_of(content);
  } else {
    outputs.front().content = std::move(content);
  }
  return outputs;
}

}  // namespace windrow
