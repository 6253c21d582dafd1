#pragma once

#include <string_view>

namespace windrow {

/// How long the values are that the program which measured memtables writes (MemtableMeasure.java of the captures), as
/// JSON: shape, column, bytes of a text; `[elements, key, value]` of a collection; null. What its recordings do not
/// say. Keys are device-00000 unless stated, also those of the shapes named first, in which nothing else varies.
std::string_view memtable_sizes();

}  // namespace windrow
