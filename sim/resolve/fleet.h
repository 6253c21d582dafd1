#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/keys/scenario_text.h"
#include "sim/resolve/entity_list.h"
#include "sim/resolve/input_files.h"
#include "sim/resolve/rate_classes.h"

namespace windrow {

/// Who writes in a stream, and how fast: names in ascending order of rate, and the classes that they make.
struct Fleet {
  std::shared_ptr<const EntityList> list{};
  std::vector<EntityClass> classes{};
};

/// Entities and rates of a stream that is not derived. Reads fleet (id[, rate][, class]), profile (time, rate) and
/// sample files.
Fleet make_fleet(const Named<StreamSection>& stream, Micros start_us, InputFiles& files);

}  // namespace windrow
