#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/content/cohort.h"

namespace windrow {

/// A cohort without slots and sets: numbers alone, cheap to sort and to copy.
struct PlainRows {
  int sub_stream = 0;
  RowState state = RowState::live;
  std::int32_t ttl_s = 0;
  std::int64_t from = 0;
  std::int64_t to = 0;
  Token first_token = min_token;
  Token last_token = max_token;

  bool cut_by_tokens() const { return first_token != min_token || last_token != max_token; }
};
using ManyRows = boost::container::small_vector<PlainRows, 32>;

/// Of Cohort or PlainRows.
template <typename Rows>
bool same_kind(const Rows& a, const Rows& b) {
  return a.sub_stream == b.sub_stream && a.state == b.state && a.ttl_s == b.ttl_s;
}

inline bool plain(const PlainRows&) { return true; }
inline bool plain(const Cohort& cohort) { return !cohort.slots && !cohort.sets; }
inline PlainRows plain_rows(const Cohort& cohort) {
  return {cohort.sub_stream, cohort.state, cohort.ttl_s, cohort.from, cohort.to, cohort.first_token, cohort.last_token};
}
inline Cohort cohort_of(const PlainRows& rows) {
  return {.sub_stream = rows.sub_stream,
          .state = rows.state,
          .ttl_s = rows.ttl_s,
          .from = rows.from,
          .to = rows.to,
          .first_token = rows.first_token,
          .last_token = rows.last_token};
}

/// join_cohorts (sim/content/cohort.h) of plain rows in any order, which are sorted for it.
std::vector<Cohort> joined_cohorts(ManyRows& rows);

}  // namespace windrow
