#include "sim/resolve/delete_targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

bool deletes(const MadeStream& stream) { return stream.stream->section.op->kind == WriteOp::remove; }

bool same_entities(const EntityList& a, const EntityList& b) {
  return a.count() == b.count() && a.name(0) == b.name(0) && a.name(a.count() - 1) == b.name(b.count() - 1);
}

/// Streams that write entities of `removing`, in its table.
std::vector<const MadeStream*> targets_of(const MadeStream& removing, std::span<const MadeStream> streams) {
  std::vector<const MadeStream*> targets;
  for (const MadeStream& other : streams) {
    if (deletes(other) || other.table != removing.table || other.writers->empty()) continue;
    if (!EntityList::shared_name(*removing.entities, *other.entities)) continue;
    if (removing.stream->section.of.present() && removing.stream->section.of->name == other.stream->name)
      return {&other};
    targets.push_back(&other);
  }
  return targets;
}

void check_buckets(const MadeStream& removing, const MadeStream& target) {
  for (const WriterSpec& from : *target.writers) {
    for (const WriterSpec& each : *removing.writers) {
      if (from.bucket_text == each.bucket_text && from.shards == each.shards) continue;
      refuse(removing.stream->section.op,
             fmt::format("deletes partitions with other buckets or shards than those that stream {} writes",
                         target.stream->name),
             fmt::format("the partition key's columns as in [stream.{}]", target.stream->name));
    }
  }
}

void join(const MadeStream& removing, std::span<const MadeStream> streams) {
  const StreamSection& section = removing.stream->section;
  const std::vector<const MadeStream*> targets = targets_of(removing, streams);
  if (targets.empty()) {
    refuse(section.op, fmt::format("deletes nothing: no stream writes these entities of {}", removing.table->name),
           "`like = STREAM`, and the entities of that stream");
  }
  if (targets.size() > 1) {
    refuse(section.op,
           fmt::format("may mean stream {} or stream {}: both write these entities of {}", targets[0]->stream->name,
                       targets[1]->stream->name, removing.table->name),
           fmt::format("`of = {}`, or entities of its own for every stream", targets[0]->stream->name));
  }
  const MadeStream& target = *targets.front();
  if (!same_entities(*removing.entities, *target.entities)) {
    refuse(section.op,
           fmt::format("deletes from stream {}, but has other entities: {} instead of {}", target.stream->name,
                       removing.entities->count(), target.entities->count()),
           fmt::format("`like = {}` without entities of its own; whom to delete from in a stream of their own",
                       target.stream->name));
  }
  if (section.op->remove.kind != DeleteKind::row) check_buckets(removing, target);
  for (WriterSpec& writer : *removing.writers) writer.entity_group = target.writers->front().entity_group;
}

}  // namespace

void join_deletes(std::span<const MadeStream> streams) {
  for (const MadeStream& stream : streams) {
    if (deletes(stream)) join(stream, streams);
  }
}

}  // namespace windrow
