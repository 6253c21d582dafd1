#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/cluster/histories.h"

namespace windrow_test {

/// Places that are true.
std::vector<int> numbers(const std::vector<bool>& nodes);

/// What a judge has seen become of one deleted row; by node, where it is a list.
struct RowFate {
  std::vector<bool> missed{};
  std::string why{};
  int purged_on = -1;
  windrow::Micros purged_us = 0;
  /// No node forgot it before; of those that forget it at one instant the lowest number counts.
  bool forgotten_first(int node, windrow::Micros at_us) const {
    return purged_on < 0 || (purged_us == at_us && node < purged_on);
  }
  std::vector<bool> brought_to{};
  std::string brought_by{};
  windrow::Micros brought_us = 0;
  bool visible = false;
  bool spread = false;
  bool permanent = false;
  bool hinted = false;
  std::string healed_by{};
  std::optional<windrow::Micros> healed_us{};

  /// Who showed the row and who shows it now, after `what` has copied something; whether any node stores the delete.
  void judge(const std::vector<bool>& before, const std::vector<bool>& after, bool delete_stored,
             windrow::Micros now_us, const std::string& what, bool hints);
  History history() const;
};

}  // namespace windrow_test
