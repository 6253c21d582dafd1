#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "tests/cluster/row_judge.h"

namespace windrow_test {

using namespace windrow;

// What nodes' files and memtables hold, row by row.

std::vector<RowJudge::Found> RowJudge::rows_in(const ContentSpace& space, const Content& content, int number) {
  std::vector<Found> found;
  for (const Cohort& cohort : content.cohorts) {
    const SubStream& sub = space.sub_stream(cohort.sub_stream);
    const auto place = static_cast<std::size_t>(cohort.sub_stream);
    const SubStream& all = workload_.sub_streams()[place];
    const bool deletes = sub.brings() == Brings::row_tombstones;
    const int bits = deletes ? tombstone : has_values(cohort.state) ? value | present : present;
    const std::vector<std::size_t>& mine = mine_[static_cast<std::size_t>(number)][place];
    std::vector<bool>& known = known_[static_cast<std::size_t>(number)][place];
    for (std::int64_t j = cohort.from; j < cohort.to; ++j) {
      if (!cohort.whole() && !space.admits(cohort, sub.writer().bucket_of(sub.row(j)), sub.slot(j))) continue;
      if (j >= std::ssize(mine)) {
        complain(fmt::format("node {} has {} rows of {}, and says {}", number, mine.size(), cohort.sub_stream, j));
        break;
      }
      const std::size_t r = mine[static_cast<std::size_t>(j)];
      found.push_back({r, static_cast<std::uint8_t>(bits)});
      if (known[static_cast<std::size_t>(j)]) continue;
      known[static_cast<std::size_t>(j)] = true;
      const std::int64_t member = rows_[r].member;
      if (sub.arrival(j) != all.arrival(member) ||
          sub.writer().key(sub.slot(j), sub.writer().bucket_of(sub.row(j))) !=
              all.writer().key(all.slot(member), all.writer().bucket_of(all.row(member))))
        complain(fmt::format("node {}: member {} of {} is not {}", number, j, cohort.sub_stream, member));
    }
  }
  return found;
}

const RowJudge::FileRows& RowJudge::rows_of(const ContentSpace& space, const SSTablePtr& file, int number) {
  FileRows& rows = files_[static_cast<std::size_t>(number)][file->id()];
  if (rows.file == file) return rows;
  rows = {.file = file, .found = rows_in(space, file->content(), number)};
  std::vector<Token> tokens;
  for (const Found& found : rows.found) tokens.push_back(rows_[found.row].token);
  std::ranges::sort(tokens);
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  rows.partitions = std::make_shared<const std::vector<Token>>(std::move(tokens));
  return rows;
}

RowJudge::Bits RowJudge::bits_of(const Node& node, int number) {
  Bits bits(rows_.size(), 0);
  const ContentSpace& space = node.table(0).space();
  const auto& live = node.table(0).sstables();
  const auto add = [&](const std::vector<Found>& some) {
    for (const Found& found : some) bits[found.row] = static_cast<std::uint8_t>(bits[found.row] | found.bits);
  };
  for (const auto& [id, file] : live) add(rows_of(space, file, number).found);
  add(rows_in(space, node.table(0).memtable().raw(), number));
  std::erase_if(files_[static_cast<std::size_t>(number)], [&](const auto& one) { return !live.contains(one.first); });
  return bits;
}

RowJudge::FilesHashed RowJudge::partitions_of(const Node& node, int number) {
  FilesHashed files;
  if (scenario_.repairs.empty()) return files;
  for (const auto& [id, file] : node.table(0).sstables())
    files.push_back(rows_of(node.table(0).space(), file, number).partitions);
  return files;
}

}  // namespace windrow_test
