#include "evidence/timelines/row_fates.h"

#include <fmt/format.h>

#include <algorithm>

namespace windrow {
namespace {

std::string names(const std::vector<int>& nodes) {
  std::string all;
  for (const int node : nodes) all += static_cast<char>('A' + node);
  return all.empty() ? "lives on no replica" : "lives on " + all;
}

std::string names(const std::vector<RowVerdict::Copy>& copies) {
  std::string all = "came back";
  for (const RowVerdict::Copy& copy : copies)
    all += fmt::format(" on {} in step {},", static_cast<char>('A' + copy.node), copy.step);
  if (copies.empty()) all += " nowhere,";
  all.pop_back();
  return all;
}

bool same(const RowVerdict::Copy& a, const RowVerdict::Copy& b) { return a.step == b.step && a.node == b.node; }

}  // namespace

RowFates::RowFates(const TimelineCase& of) : case_(of) {
  for (const auto& [name, verdict] : of.verdicts) {
    const std::size_t slash = name.rfind('/');
    rows_[name] = {.partition = name.substr(0, slash), .clustering = std::stoll(name.substr(slash + 1))};
  }
}

void RowFates::wrote(const TimelineStep& step) {
  const bool value = step.action == TimelineAction::insert && step.column == 0;
  if ((!value && step.action != TimelineAction::remove) || step.failed) return;
  for (auto& [name, row] : rows_) {
    if (row.partition != step.key.partition) continue;
    if (step.key.from && (row.clustering < *step.key.from || row.clustering > step.key.to)) continue;
    row.hidden_by_us = std::max(row.hidden_by_us.value_or(step.timestamp_us), step.timestamp_us);
  }
}

void RowFates::looked(std::size_t step, const ShownCell& shown) {
  const auto& now = case_.steps[step].old_value_live_on;
  const Seconds now_s = case_.steps[step].end_ms / ms_per_s;
  for (auto& [name, row] : rows_) {
    if (now && now->contains(name)) {
      row.expected = now->at(name);
      row.followed = true;
    }
    if (!row.followed || !row.hidden_by_us) continue;
    std::vector<int> nodes;
    for (int node = 0; node < case_.nodes; ++node) {
      const auto cell = shown(node, case_.tokens.at(row.partition), row.clustering);
      if (cell && cell->kind != CellKind::tombstone && cell->timestamp_us < *row.hidden_by_us &&
          cell->local_deletion_time_s > now_s)
        nodes.push_back(node);
    }
    settle(step, nodes, row);
  }
}

void RowFates::settle(std::size_t step, const std::vector<int>& nodes, Followed& row) {
  if (row.before) {
    for (const int node : nodes) {
      if (std::ranges::find(*row.before, node) == row.before->end())
        row.came_back_on.push_back({.step = step, .node = node});
    }
  }
  row.before = nodes;
  if (nodes != row.expected && !row.wrong) {
    row.wrong = RowFate{.row = row.partition + "/" + std::to_string(row.clustering),
                        .step = step,
                        .expected = names(row.expected),
                        .difference = names(nodes)};
  }
}

std::vector<RowFate> RowFates::finish() const {
  std::vector<RowFate> fates;
  for (const auto& [name, row] : rows_) {
    const RowVerdict& verdict = case_.verdicts.at(name);
    RowFate fate = row.wrong.value_or(RowFate{.row = name});
    const std::size_t last = case_.steps.empty() ? 0 : case_.steps.size() - 1;
    const std::vector<int> lives_on = row.before.value_or(std::vector<int>{});
    if (fate.difference.empty() && lives_on != verdict.lives_on) {
      fate = {.row = name, .step = last, .expected = names(verdict.lives_on), .difference = names(lives_on)};
    }
    if (fate.difference.empty() && !std::ranges::equal(row.came_back_on, verdict.came_back_on, same)) {
      fate = {
          .row = name, .step = last, .expected = names(verdict.came_back_on), .difference = names(row.came_back_on)};
    }
    fates.push_back(std::move(fate));
  }
  return fates;
}

}  // namespace windrow
