#pragma once

#include <vector>

#include "sim/content/token_places.h"
#include "sim/workload/table_workload.h"
#include "sim/workload/token_lattice.h"

namespace windrow {

/// Positions of a cohort's tokens on its writer's lattice. The LatticePlaces they come from must still be there.
struct LatticePositions {
  const TokenLattice* lattice = nullptr;
  const Rounds* rounds = nullptr;  // of its sub-stream
  TokenLattice::Border first{};
  TokenLattice::Border last{};  // exclusive

  bool hold(std::int64_t j) const {
    const std::int64_t position = lattice->position(j % lattice->slots(), rounds->round_of(j / lattice->slots()));
    return first.position <= position && position < last.position;
  }
  /// How many of the members between two of them lie here.
  std::int64_t count(const TokenLattice::Dealt& from, const TokenLattice::Dealt& to) const {
    return lattice->ranks_between(from, to, last, *rounds) - lattice->ranks_between(from, to, first, *rounds);
  }
  std::int64_t count(std::int64_t from, std::int64_t to) const {
    return count(lattice->dealt(from), lattice->dealt(to));
  }
};

/// A cohort without slots, with what is asked of it again and again: found once.
struct LatticeCohort {
  LatticePositions held{};
  TokenLattice::Dealt from{};
  TokenLattice::Dealt to{};
  std::int64_t below_first = 0;  // members whose tokens are below its own
  std::int64_t members = 0;
  std::int64_t first_bucket = 0;
  std::int64_t last_bucket = 0;

  /// Members whose tokens are not above `last`, which lies in the cohort's interval.
  std::int64_t up_to(Token last) const {
    const TokenLattice& lattice = *held.lattice;
    return lattice.ranks_between(from, to, lattice.border(lattice.positions_up_to(last)), *held.rounds) - below_first;
  }
};

/// Cohorts of one writer, of which each may be found already: then `found` has as many.
struct CohortsOfWriter {
  std::span<const Cohort> cohorts{};
  std::span<const LatticeCohort> found{};

  /// Null: not found yet.
  const LatticeCohort* found_of(const Cohort& cohort) const {
    return found.empty() ? nullptr : &found[static_cast<std::size_t>(&cohort - cohorts.data())];
  }
};

/// Partitions of buckets [first, last] between the tokens of some cohorts, which hold all these buckets alike but for
/// changes of pace.
struct SmoothRun {
  std::span<const Cohort* const> cohorts{};
  std::int64_t first_bucket = 0;
  std::int64_t last_bucket = 0;
  std::int64_t partitions = 0;
};

/// No key is hashed (run.exact_partitions): the partitions of every writer lie on a lattice, and what lies between two
/// tokens is counted by arithmetic. Member j of a sub-stream has the place of slot j, so that a share of a writer's
/// rows is spread over the ring like all of them. A writer whose buckets have more or fewer slots has no lattice
/// (ContentSpace::on_lattice): nothing of it is cut by tokens, and its slots are walked.
class LatticePlaces final : public TokenPlaces {
 public:
  explicit LatticePlaces(const TableWorkload& workload);

  bool admits(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket, std::int64_t slot) const override;
  std::int64_t members(const ContentSpace& space, const Cohort& cohort, std::int64_t from,
                       std::int64_t to) const override;
  bool any(const ContentSpace& space, const Cohort& cohort) const override;
  /// Expected order statistics of so many evenly spread members.
  std::pair<std::int64_t, std::int64_t> ends(const ContentSpace& space, const Cohort& cohort,
                                             std::optional<std::int64_t> members) const override;
  std::pair<std::int64_t, std::int64_t> outer_ends(const ContentSpace& space, const Cohort& cohort) const override;
  void add_presence(const ContentSpace& space, const Cohort& cohort, std::int64_t bucket, std::int64_t first,
                    std::int64_t last, std::int64_t enough, Presence& presence) const override;
  bool each_part_of_ring(const ContentSpace& space, std::span<const Cohort> cohorts,
                         const std::function<void(const PartitionsBetween&)>& each) const override;
  std::pair<Token, Token> span(const ContentSpace& space, const Content& content) const override;

  /// As each_part_of_ring, of cohorts of which some are cut by tokens.
  void add_parts_of_ring(const ContentSpace& space, const CohortsOfWriter& all,
                         std::vector<PartitionsBetween>& parts) const;
  LatticePositions positions(const ContentSpace& space, const Cohort& cohort) const;
  LatticeCohort found(const ContentSpace& space, const Cohort& cohort) const;
  /// Partitions of these buckets of which a writer's cohorts hold rows; of several buckets, where they hold all alike.
  std::int64_t partitions(const ContentSpace& space, std::span<const Cohort> cohorts, std::int64_t first_bucket,
                          std::int64_t last_bucket) const;
  /// Of a cohort without slots, all of whose members lie in these buckets; of several, it holds all alike.
  struct Alone {
    std::int64_t members = 0;
    std::int64_t partitions = 0;
  };
  Alone alone(const ContentSpace& space, const Cohort& cohort, std::int64_t first_bucket,
              std::int64_t last_bucket) const;
  /// Which borders between tokens part a partition.
  class Parted {
   public:
    /// True if the cohorts, or the bucket as partitions of it are counted, have rows of one partition on both sides of
    /// the border below `token`; of several buckets, if they have partitions of one slot on both.
    bool at(Token token) const;

   private:
    friend class LatticePlaces;
    const TokenLattice* lattice_ = nullptr;
    std::int64_t least_ = 0;  // places of their rounds within a slot
    std::int64_t most_ = INT64_MAX;
  };
  /// Of a writer's cohorts.
  Parted parted(const ContentSpace& space, std::span<const Cohort> cohorts, std::int64_t first_bucket,
                std::int64_t last_bucket) const;
  /// Shows the partitions of a writer's cohorts.
  void each_run(const ContentSpace& space, std::span<const Cohort> cohorts,
                const std::function<void(const SmoothRun&)>& each) const;

 private:
  std::vector<TokenLattice> lattices_{};  // by writer
  std::vector<Rounds> rounds_{};          // by sub-stream
};

}  // namespace windrow
