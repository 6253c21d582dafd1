#include "sim/resolve/cql_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/nearest.h"
#include "sim/cql/script.h"
#include "sim/keys/scenario_text.h"
#include "sim/words/scenario_error.h"

namespace windrow {

namespace {

CqlSettings settings_with(bool allow_unsafe_expiration) {
  CqlSettings settings;
  settings.pass_over_missing_drops = true;
  settings.allow_unsafe_aggressive_sstable_expiration = allow_unsafe_expiration;
  return settings;
}

std::string help_of(const CqlComplaint& complaint) {
  std::string note = complaint.fix;
  if (!complaint.server_message.empty())
    note += fmt::format("{}the server says: {}", note.empty() ? "" : "\n  ", shown_in_place(complaint.server_message));
  return note;
}

}  // namespace

void run_cql_file(const std::shared_ptr<const SourceText>& file, Schema& schema, bool allow_unsafe_expiration) {
  const ScriptResult result = run_cql(file->text, schema, settings_with(allow_unsafe_expiration));
  if (!result.error) return;
  const CqlError& error = *result.error;
  const std::string_view text = file->text;
  const std::size_t begin = std::min(error.complaint.at.offset, text.size());
  std::string_view covered = text.substr(begin, error.complaint.at.length);
  covered = covered.substr(0, covered.find('\n'));
  throw ScenarioError({.place = {.source = file,
                                 .line = error.line,
                                 .column = error.column,
                                 .length = std::max(1, count_characters(covered))},
                       .problem = error.complaint.message,
                       .accepted = error.complaint.accepted,
                       .nearest = error.complaint.nearest,
                       .note = help_of(error.complaint)});
}

std::pair<std::string, std::string> run_alter(const Setting<Text>& cql, Schema& schema, bool allow_unsafe_expiration) {
  try {
    const Table* changed = apply_alter(cql->text, schema, settings_with(allow_unsafe_expiration));
    if (changed == nullptr) refuse(cql, "changes no table", "ALTER TABLE …");
    return {changed->keyspace, changed->name};
  } catch (const CqlError& error) {
    const CqlComplaint& complaint = error.complaint;
    throw ScenarioError({.place = cql.place().later(complaint.at.offset, complaint.at.length),
                         .key = cql.key(),
                         .problem = complaint.message,
                         .accepted = complaint.accepted,
                         .nearest = complaint.nearest,
                         .note = help_of(complaint)});
  }
}

TableOptions override_options(const std::string& properties, const TableOptions& base, const BlamedSetting& blamed,
                              bool allow_unsafe_expiration, const std::vector<std::string>& keys) {
  try {
    return parse_table_options(properties, base, settings_with(allow_unsafe_expiration));
  } catch (const CqlError& error) {
    const CqlComplaint& complaint = error.complaint;
    std::string accepted = complaint.accepted;
    std::string nearest = complaint.nearest;
    if (complaint.unknown_option) {
      const std::string name = properties.substr(0, properties.find(' '));
      accepted = fmt::format("{}; or an option of the table: {}", fmt::join(keys, ", "), accepted);
      if (nearest.empty()) nearest = nearest_name(name, keys);
    }
    refuse(*blamed(complaint.message), "is refused: " + complaint.message, accepted, nearest, help_of(complaint));
  }
}

}  // namespace windrow
