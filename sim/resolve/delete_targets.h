#pragma once

#include <span>
#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/entity_list.h"
#include "sim/scenario/scenario.h"

namespace windrow {

/// A stream whose writers are made.
struct MadeStream {
  const Named<StreamSection>* stream = nullptr;
  const EntityList* entities = nullptr;
  const Table* table = nullptr;
  std::vector<WriterSpec>* writers = nullptr;
};

/// Joins every stream of deletes to the entity group of the stream that it deletes from: the one that it is `of`, else
/// the only one that writes the same entities of the same table. Refuses deletes that would meet nothing.
void join_deletes(std::span<const MadeStream> streams);

}  // namespace windrow
