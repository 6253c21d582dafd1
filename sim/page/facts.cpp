#include "sim/page/facts.h"

#include <fmt/format.h>

#include "sim/text/text.h"

namespace windrow {

namespace {

std::string escaped(std::string_view key) {
  std::string safe;
  for (const char c : key) {
    if (c == '~') {
      safe += "~0";
    } else if (c == '/') {
      safe += "~1";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

double Fact::number() const { return value.is_number() ? value.get<double>() : 0.0; }

std::string Fact::text() const {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return plain_number(value.get<double>());
  return value.dump();
}

Fact Facts::of(std::string_view name) const {
  Fact fact{.name = fmt::format("{}/{}", path_, name)};
  const nlohmann::json::json_pointer pointer(fact.name);
  if (!summary_->contains(pointer)) {
    throw PageError(fmt::format("summary.json has no {}: another version of windrow wrote it; run the scenario again",
                                printable(fact.name)));
  }
  fact.value = summary_->at(pointer);
  return fact;
}

bool Facts::has(std::string_view name) const {
  const nlohmann::json::json_pointer pointer(fmt::format("{}/{}", path_, name));
  return summary_->contains(pointer) && !summary_->at(pointer).is_null();
}

Facts Facts::below(std::string_view key) const {
  Facts part(*summary_);
  part.path_ = fmt::format("{}/{}", path_, escaped(key));
  return part;
}

std::size_t Facts::size() const {
  const nlohmann::json::json_pointer pointer(path_);
  return summary_->contains(pointer) && summary_->at(pointer).is_structured() ? summary_->at(pointer).size() : 0;
}

std::string fullest_node_name(const Facts& table) { return table.has("node") ? table.text("node") : std::string(); }

Facts fullest_node(const Facts& summary) {
  const Facts nodes = summary.below("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.below(i).has("fullest") && nodes.below(i).of("fullest").value == true) return nodes.below(i);
  }
  return nodes.below(std::size_t{0});
}

}  // namespace windrow
