#include "sim/keys/sections.h"

namespace windrow {

namespace {

template <class Section>
SectionInfo describe(std::string kind, SectionInfo::Naming naming, std::string heading, std::string meaning) {
  SectionInfo info{
      .kind = std::move(kind), .naming = naming, .heading = std::move(heading), .meaning = std::move(meaning)};
  for (const Key<Section>& key : Section::keys()) info.keys.push_back(key.info());
  return info;
}

}  // namespace

const std::vector<SectionInfo>& all_sections() {
  using Naming = SectionInfo::Naming;
  static const std::vector<SectionInfo> sections = {
      describe<RunSection>("run", Naming::single, "[run]", "What is simulated, and for how long."),
      describe<DcSection>("dc", Naming::named, "[dc.NAME]", "A data centre. Without one there is one node."),
      describe<NodeSection>("node", Naming::single, "[node]",
                            "What every node has, and what cassandra.yaml sets on it."),
      describe<StreamSection>("stream", Naming::named, "[stream.NAME]", "One kind of write to one table."),
      describe<TableSection>("table", Naming::named, "[table.NAME]",
                             "What is measured or changed on a table of the schema."),
      describe<ReadSection>("read", Naming::named, "[read.NAME]", "One kind of read."),
      describe<RepairSection>("repair", Naming::named, "[repair.NAME]", "Repairs that come back."),
      describe<OutageSection>("outage", Naming::named, "[outage.NAME]", "A node that is down for a time."),
      describe<ChangeSection>("change", Naming::named, "[change.NAME]", "An ALTER TABLE in the middle of the run."),
      describe<ActionSection>("action", Naming::named, "[action.NAME]", "What an operator does at a time."),
      describe<LimitsSection>("limits", Naming::optional, "[limits], [limits.TABLE]",
                              "What must hold; the verdict says when each limit is first broken."),
  };
  return sections;
}

}  // namespace windrow
