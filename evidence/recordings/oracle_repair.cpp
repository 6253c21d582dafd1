#include "evidence/recordings/oracle_repair.h"

#include <algorithm>

namespace windrow {

SessionNumbers::SessionNumbers(const OracleScenario& scenario) {
  for (const OracleRepair& repair : scenario.repairs) {
    if (repair.to != OracleRepair::To::pending) continue;
    if (numbers_.try_emplace(repair.session, std::ssize(numbers_) + 1).second) {
      began_ms_[repair.session] = repair.at_s * ms_per_s;
    }
  }
}

std::string SessionNumbers::holder_text(const HolderKey& holder) const {
  if (holder.kind == HolderKey::Kind::repaired) return "repaired";
  if (holder.kind == HolderKey::Kind::unrepaired) return "unrepaired";
  const auto session = std::ranges::find_if(numbers_, [&](const auto& each) { return each.second == holder.session; });
  return "pending " + session->first;
}

std::optional<HolderKey::Kind> recorded_kind(const std::string& holder) {
  using enum HolderKey::Kind;
  if (holder == "transient") return std::nullopt;
  return holder == "pending" ? pending : holder == "repaired" ? repaired : unrepaired;
}

std::vector<std::int64_t> repaired_files(const OracleRepair& repair, const LiveSet& live) {
  std::vector<std::int64_t> ids;
  live.each_file([&](const SSTableView& file) {
    const bool unrepaired = file.repair == RepairStatus{};
    if (!file.compacting && unrepaired == (repair.to != OracleRepair::To::unrepaired)) ids.push_back(file.id);
  });
  std::ranges::sort(ids);
  const auto most = static_cast<std::size_t>(std::min(repair.number, std::ssize(ids)));
  switch (repair.files) {
    case OracleRepair::Files::all:
      break;
    case OracleRepair::Files::oldest:
      ids.resize(most);
      break;
    case OracleRepair::Files::newest:
      ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(most));
      break;
    case OracleRepair::Files::every:
      std::erase_if(ids, [&](std::int64_t id) { return id % repair.number != repair.remainder; });
      break;
  }
  return ids;
}

RepairStatus status_after(const OracleRepair& repair, const SessionNumbers& sessions) {
  if (repair.to == OracleRepair::To::pending) return {.pending_session = sessions.of(repair.session)};
  return {.repaired_at_ms = repair.to == OracleRepair::To::repaired ? repair.at_s * ms_per_s : 0};
}

}  // namespace windrow
