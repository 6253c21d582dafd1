#include "sim/cost/work.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace windrow {

namespace {

/// Each kind of work, and the steps that a piece of it takes.
constexpr std::pair<double Work::*, double> prices[] = {
    {&Work::events, 30},     {&Work::tables, 0.5},        {&Work::sub_streams, 2},      {&Work::sstables, 10},
    {&Work::cohorts, 5},     {&Work::met_cohorts, 0.5},   {&Work::minutes, 0.02},       {&Work::rows, 6},
    {&Work::partitions, 1},  {&Work::samples, 10},        {&Work::live_sstables, 2},    {&Work::looks, 15},
    {&Work::reads, 100},     {&Work::keys, 2.5},          {&Work::stops, 20'000},       {&Work::sketched, 12},
    {&Work::looked_rows, 8}, {&Work::parts, 8},           {&Work::read_partitions, 25}, {&Work::read_pieces, 1.5},
    {&Work::sets, 0.2},      {&Work::purged_cohorts, 40}, {&Work::ordered, 0.05},
};

}  // namespace

Work& Work::operator+=(const Work& other) {
  for (const auto& [kind, price] : prices) this->*kind += other.*kind;
  return *this;
}

Work operator*(Work each, double number) {
  for (const auto& [kind, price] : prices) each.*kind *= number;
  return each;
}

double ones_that_make_room(double live) {
  constexpr double at_hand = 16'384;
  return std::sqrt(std::max(0.0, live - at_hand));
}

double steps_of(const Work& work) {
  double sum = 0;
  for (const auto& [kind, price] : prices) sum += work.*kind * price;
  return sum;
}

}  // namespace windrow
