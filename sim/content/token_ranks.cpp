#include "sim/content/token_ranks.h"

#include <algorithm>

#include "sim/content/static_rows.h"
#include "sim/stats/ring_share.h"

namespace windrow {

TokenRanks::TokenRanks(const ContentSpace& space, const Content& content)
    : space_(&space), content_(&content), span_(space.token_span(content)) {
  if (content.keyed) {
    const std::vector<bool> beside = beside_rows(space, content);
    for (std::size_t i = 0; i < beside.size(); ++i) {
      if (!beside[i]) own_.push_back((*content.keyed)[i].token);
    }
  }
  partitions_ = std::ssize(own_);
  if (space.own_tokens() == nullptr || space.workload().draws_keys()) {
    partitions_ += space.count_partitions(content.cohorts).first;
    return;
  }
  space.each_bucket(content.cohorts, [&](const Writer& writer, std::int64_t bucket, const Presence& held) {
    partitions_ += held.count();
    const TokenIndex::Bucket& tokens = space.tokens().of(writer, bucket);
    if (held.all()) {
      whole_.push_back(&tokens);
    } else {
      held.each_slot([&](std::int64_t slot) { own_.push_back(tokens.by_slot()[static_cast<std::size_t>(slot)]); });
    }
  });
  std::ranges::sort(own_);
}

std::unique_ptr<const TokenRanks> TokenRanks::of_same(const Content& content) const {
  auto same = std::make_unique<TokenRanks>(*this);
  same->content_ = &content;
  return same;
}

std::int64_t TokenRanks::up_to(Token token) const {
  if (token < span_.first) return 0;
  if (token >= span_.second) return partitions_;
  std::int64_t count = std::ranges::upper_bound(own_, token) - own_.begin();
  for (const TokenIndex::Bucket* bucket : whole_) count += bucket->up_to(token);
  if (space_->own_tokens() != nullptr && !space_->workload().draws_keys()) return count;
  const auto known = std::ranges::find(remembered_, token, &Remembered::token);
  if (known != remembered_.end()) return known->count;
  count = std::clamp<std::int64_t>(count + smooth_up_to(token), 1, partitions_ - 1);
  remembered_[next_remembered_++ % remembered_.size()] = {token, count};
  return count;
}

/// First and last tokens are expected ones, what lies between them is counted.
std::int64_t TokenRanks::smooth_up_to(Token token) const {
  if (space_->workload().draws_keys()) {
    const double all = static_cast<double>(partitions_ - std::ssize(own_));
    return static_cast<std::int64_t>(all * ring_share(min_token, token));
  }
  std::vector<Cohort> below;
  for (const Cohort& cohort : content_->cohorts) {
    if (cohort.first_token > token) continue;
    below.push_back(cohort);
    below.back().last_token = std::min(cohort.last_token, token);
  }
  return below.empty() ? 0 : space_->count_partitions(below).first;
}

}  // namespace windrow
