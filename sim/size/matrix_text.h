#pragma once

#include <string>

#include "sim/size/matrix.h"

namespace windrow {

/// For people: the cells in columns, then what to take at each rate.
std::string matrix_as_text(const SizeMatrix& matrix);
std::string matrix_as_markdown(const SizeMatrix& matrix);
std::string matrix_as_csv(const SizeMatrix& matrix);
std::string matrix_as_json(const SizeMatrix& matrix);

}  // namespace windrow
