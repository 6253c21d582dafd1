#include "sim/content/token_ranks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/stats/murmur3.h"
#include "tests/content/interval_case.h"

namespace windrow {
namespace {

using test::Case;
using test::content_of;

TEST_CASE("ranks of hashed partitions are those of a sorted list, of whole buckets and of parts of them") {
  const Case what{.entities = 130, .bucket_s = 7200};
  const TableWorkload workload = workload_of(what);
  const ContentSpace space(workload, 9, SSTableFormat::oa);
  for (const std::int64_t to : {1, 60, 130, 700, 20'000}) {
    CAPTURE(to);
    for (const Content& content :
         {content_of(workload, what, 0, to, RowState::live), content_of(workload, what, 40, to + 45, RowState::live)}) {
      std::vector<Token> tokens;
      space.each_partition(content, [&](const Writer& writer, std::int64_t bucket, std::int64_t slot) {
        tokens.push_back(murmur3_token(writer.key(slot, bucket)));
      });
      std::ranges::sort(tokens);
      CHECK(space.token_span(content) == std::pair(tokens.front(), tokens.back()));
      const TokenRanks ranks(space, content);
      CHECK(ranks.partitions() == std::ssize(tokens));
      const auto below = [&](Token token) { return std::ranges::upper_bound(tokens, token) - tokens.begin(); };
      for (const Token token : tokens) {
        CHECK(ranks.up_to(token) == below(token));
        CHECK(ranks.up_to(token - 1) == below(token - 1));
      }
      CHECK(ranks.up_to(min_token) == 0);
      CHECK(ranks.up_to(max_token) == std::ssize(tokens));
    }
  }
}

TEST_CASE("ranks of partitions on a lattice begin with the first token, end with the last, and are even between them") {
  const Case what{.entities = 900, .bucket_s = 0};
  const TableWorkload workload = workload_of(what);
  ContentSpace space(workload, 9, SSTableFormat::oa);
  space.use_lattice();
  const Content content = content_of(workload, what, 0, 9'000, RowState::live);
  const TokenRanks ranks(space, content);
  CHECK(ranks.partitions() == 900);
  const auto [first, last] = space.token_span(content);
  CHECK(ranks.up_to(first - 1) == 0);
  CHECK(ranks.up_to(first) == 1);
  CHECK(ranks.up_to(last - 1) == 899);
  CHECK(ranks.up_to(last) == 900);
  CHECK(std::abs(ranks.up_to(0) - 450) <= 1);
}

}  // namespace
}  // namespace windrow
