#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "evidence/components/bti_index.h"
#include "evidence/components/digest.h"
#include "evidence/components/trie_writer.h"
#include "sim/bytes/component_sizes.h"
#include "sim/stats/murmur3.h"

namespace windrow {

TEST_CASE("small files have the recorded sizes") {
  CHECK(index_entry_bytes(4, 0, 0) == 8);
  CHECK(summary_bytes(summary_entries(1, 128), 4, 4, 4) == 56);
  CHECK(crc_bytes(57, false) == 8);
  CHECK(crc_bytes(57, true) == 12);
  CHECK(crc_bytes(KiB(64), true) == 8);
  CHECK(crc_bytes(KiB(64) + 1, false) == 12);
  CHECK(compression_info_bytes(399'872, compression_shape({}, true)) == 239);
  TableOptions zstd;
  zstd.compression = {{"class", "org.apache.cassandra.io.compress.ZstdCompressor"},
                      {"chunk_length_in_kb", "64"},
                      {"compression_level", "3"}};
  CHECK(compression_info_bytes(1, compression_shape(zstd, false)) == 39 + 1 + 22 + 8);
  CHECK(compression_info_bytes(1, compression_shape(zstd, true)) == 39 + 8);  // flushed with LZ4
  CHECK(toc_bytes(SSTableFormat::nb, false, true) == 80);
  CHECK(toc_bytes(SSTableFormat::oa, true, true) == 92);
  CHECK(toc_bytes(SSTableFormat::da, false, true) == 82);
  CHECK(toc_bytes(SSTableFormat::nb, false, false) == 70);
}

TEST_CASE("the estimate of a row index keeps within a tenth of what was recorded") {
  struct Recorded {
    std::int64_t key_bytes = 0;
    std::int64_t blocks = 0;
    double bytes = 0;
  };
  for (const Recorded& one : {Recorded{4, 2, 36}, Recorded{4, 5, 55}, Recorded{4, 108, 856}, Recorded{9, 243, 1983}}) {
    const auto estimate = static_cast<double>(rows_db_partition_estimate(one.key_bytes, one.blocks));
    CHECK(estimate == doctest::Approx(one.bytes).epsilon(0.1));
  }
}

TEST_CASE("a digest is the decimal text of the CRC-32") {
  CHECK(digest_bytes("123456789") == 10);  // 3421780262
  CHECK(digest_bytes("") == 1);
}

TEST_CASE("a trie of one key is its payload, of two a branch with two leaves") {
  TrieWriter trie;
  trie.add("", 2);
  trie.complete();
  CHECK(trie.position() == 3);
  CHECK(trie.root() == 0);
  // A second one follows: leaves of 3 bytes each, a branch of two with one-byte pointers, a root of one child.
  trie.add("@a", 2);
  trie.add("@z", 2);
  trie.complete();
  CHECK(trie.position() == 3 + 3 + 3 + 6 + 2);
  CHECK(trie.root() == 15);
}

TEST_CASE("nodes of a large trie keep to pages, and the estimate keeps near its size") {
  struct Keys {
    int count = 0;
    Bytes partition_bytes = 300;
    double ring_share = 1;
    double most_off = 0.07;
  };
  // About 2^16 keys a ring the subtries of all first bytes outgrow a page, each by itself: of few the sum is no mean.
  for (const Keys& each : {Keys{1},
                           Keys{10},
                           Keys{300},
                           Keys{1000},
                           Keys{5000},
                           Keys{20'000},
                           Keys{100'000},
                           Keys{47'000, 120},
                           Keys{57'277, 127},
                           Keys{60'000, 120},
                           Keys{68'000, 120},
                           Keys{85'000, 120},
                           Keys{57'277, 400},
                           Keys{70'000, 400},
                           Keys{21'617, 243, 0.31},
                           Keys{8000, 120, 0.1},
                           Keys{2000, 300, 0.02},
                           Keys{2000, 300, 0.3},
                           Keys{500, 300, 0.01},
                           Keys{100, 300, 0.001},
                           Keys{2000, 300, 0.03, 0.3}}) {
    const int count = each.count;
    const Bytes partition_bytes = each.partition_bytes;
    CAPTURE(count);
    CAPTURE(partition_bytes);
    std::map<Token, std::string> keys;
    for (int i = 0; std::ssize(keys) < count; ++i) {
      std::string key = "sensor-" + std::to_string(i);
      const Token token = murmur3_token(key);
      if (static_cast<double>(token) * 0x1p-64 + 0.5 < each.ring_share) keys.emplace(token, std::move(key));
    }
    PartitionIndex index;
    Bytes position = 0;
    for (const auto& [token, key] : keys) {
      index.add(token, key, position);
      position += partition_bytes;
    }
    const auto exact = static_cast<double>(index.finish());
    const auto first = static_cast<Bytes>(keys.begin()->second.size());
    const auto last = static_cast<Bytes>(keys.rbegin()->second.size());
    const auto estimate = static_cast<double>(partitions_db_estimate(count, each.ring_share, position, first, last));
    // Of the file itself, or of Data.db, where pages begin to be outgrown.
    CHECK(std::abs(estimate - exact) < std::max(each.most_off * exact, 0.004 * static_cast<double>(position)));
  }
}

}  // namespace windrow
