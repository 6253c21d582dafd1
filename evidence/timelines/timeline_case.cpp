#include "evidence/timelines/timeline_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "evidence/timelines/observed_json.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

/// What is wrong with a step, without its place.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::array<std::pair<std::string_view, TimelineAction>, 18> actions{{
    {"insert", TimelineAction::insert},
    {"delete", TimelineAction::remove},
    {"flush", TimelineAction::flush},
    {"compact", TimelineAction::compact},
    {"repair", TimelineAction::repair},
    {"repair_across_clock_move", TimelineAction::repair_across_clock_move},
    {"read", TimelineAction::read},
    {"scan", TimelineAction::scan},
    {"clock", TimelineAction::clock},
    {"down", TimelineAction::down},
    {"up", TimelineAction::up},
    {"kill", TimelineAction::kill},
    {"start", TimelineAction::start},
    {"replace", TimelineAction::replace},
    {"nodetool", TimelineAction::nodetool},
    {"note_hints", TimelineAction::note_hints},
    {"alter_table", TimelineAction::alter_table},
    {"wait", TimelineAction::wait},
}};

template <typename Named>
auto named(const Named& names, const std::string& name, std::string_view what) {
  const auto found = std::ranges::find(names, name, [](const auto& one) { return one.first; });
  if (found != names.end()) return found->second;
  std::string all;
  for (const auto& [accepted, value] : names) all += fmt::format("{}{}", all.empty() ? "" : ", ", accepted);
  throw Wrong(fmt::format("{} '{}' is unknown; accepts {}", what, name, all));
}

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) throw Wrong(fmt::format("'{}' is no number", text));
  return value;
}

class Reader {
 public:
  Reader(const Json& object, int line) : object_(object) { result_.line = line; }

  TimelineCase read() {
    result_.name = object_.at("name");
    result_.timeline = object_.at("timeline");
    result_.chance = object_.value("chance", false);
    result_.nodes = object_.at("num_nodes");
    if (result_.nodes < 1 || result_.nodes > 26) throw Wrong("num_nodes: accepts 1 to 26");
    read_centers();
    result_.start_s = object_.at("start_epoch_s");
    result_.table_options = object_.at("table_options");
    result_.tokens = object_.at("key_tokens").get<std::map<std::string, Token>>();
    for (const auto& [key, order] : object_.at("replica_order").items()) result_.replica_order[key] = nodes(order);
    const Json& steps = object_.at("steps");
    for (std::size_t i = 0; i < steps.size(); ++i) {
      try {
        read_step(steps[i]);
      } catch (const std::exception& error) {
        throw Wrong(fmt::format("step {}: {}", i, error.what()));
      }
    }
    read_observations();
    read_verdicts();
    return std::move(result_);
  }

 private:
  int node(const std::string& name) const {
    const int number = name.size() == 1 ? name[0] - 'A' : -1;
    if (number < 0 || number >= result_.nodes) throw Wrong(fmt::format("node '{}' is unknown", name));
    return number;
  }
  std::vector<int> nodes(const Json& names) const {
    std::vector<int> all;
    for (const Json& name : names) all.push_back(node(name));
    return all;
  }
  Millis time(const Json& seconds) const {
    return result_.start_s * ms_per_s + std::llround(seconds.get<double>() * ms_per_s);
  }
  TimelineKey key(const std::string& text) const {
    TimelineKey key{.partition = text.substr(0, text.find('/')), .from = {}, .to = 0};
    if (!result_.tokens.contains(key.partition))
      throw Wrong(fmt::format("key '{}' is unknown: key_tokens does not have it", key.partition));
    if (key.partition.size() == text.size()) return key;
    const std::string_view rows = std::string_view(text).substr(key.partition.size() + 1);
    const std::size_t dots = rows.find("..");
    key.from = number(rows.substr(0, dots));
    key.to = dots == std::string_view::npos ? *key.from : number(rows.substr(dots + 2));
    return key;
  }

  void read_step(const Json& json) {
    TimelineStep step;
    step.action = named(actions, json.at("action"), "action");
    step.begin_ms = time(json.at("t_s"));
    step.end_ms = time(json.at("t_end_s"));
    if (step.end_ms < step.begin_ms) throw Wrong("t_end_s is before t_s");
    if (!result_.steps.empty() && step.begin_ms < result_.steps.back().begin_ms)
      throw Wrong(fmt::format("t_s {} is before that of the step before: steps are in the order of time",
                              json.at("t_s").get<double>()));
    step.failed = json.contains("error");
    if (json.contains("coordinator")) step.coordinator = node(json.at("coordinator"));
    if (json.contains("cl")) step.asked = asked(json.at("cl"), step.coordinator);
    if (json.contains("nodes")) step.nodes = nodes(json.at("nodes"));
    if (json.contains("node")) step.node = node(json.at("node"));
    if (json.contains("timestamp_us")) step.timestamp_us = json.at("timestamp_us");
    read_parameters(json, step);
    step.observed = looked_at(step.action, json.value("everywhere", false), json.value("observe", false));
    if (json.contains("old_value_live_on")) {
      auto& live = step.old_value_live_on.emplace();
      for (const auto& [row, on] : json.at("old_value_live_on").items()) live[row] = nodes(on);
    }
    result_.steps.push_back(std::move(step));
  }

  /// The recorder looks at replicas after these: after its own table's steps but writes, and after those that change a
  /// replica by themselves.
  static bool looked_at(TimelineAction action, bool everywhere, bool observe) {
    using enum TimelineAction;
    if (everywhere)
      return observe || action == up || action == start || action == replace || action == wait || action == kill ||
             action == down;
    return action != insert && action != remove && action != alter_table;
  }

  /// One data centre unless `data_centers` (of each node) and `replication` (copies in each) say more.
  void read_centers() {
    result_.center_of.assign(static_cast<std::size_t>(result_.nodes), 0);
    result_.copies = {result_.nodes};
    if (!object_.contains("data_centers")) return;
    result_.copies.clear();
    std::vector<std::string> centers;
    for (const auto& [name, copies] : object_.at("replication").items()) {
      centers.push_back(name);
      result_.copies.push_back(copies.get<int>());
    }
    std::vector<int> nodes_in(result_.copies.size(), 0);
    for (int number = 0; number < result_.nodes; ++number) {
      const std::string center = object_.at("data_centers").at(std::string(1, static_cast<char>('A' + number)));
      const auto known = std::ranges::find(centers, center);
      if (known == centers.end())
        throw Wrong(fmt::format("data centre '{}' is unknown; accepts {}", center, fmt::join(centers, ", ")));
      const auto of = static_cast<int>(known - centers.begin());
      result_.center_of[static_cast<std::size_t>(number)] = of;
      ++nodes_in[static_cast<std::size_t>(of)];
    }
    if (nodes_in != result_.copies) throw Wrong("replication: accepts as many copies as the data centre has nodes");
  }

  ReplicasAsked asked(const std::string& level, int coordinator) const {
    const auto own = static_cast<std::size_t>(result_.center_of[static_cast<std::size_t>(coordinator)]);
    ReplicasAsked wanted;
    if (level == "ONE") return wanted;
    if (level == "TWO" || level == "QUORUM" || level == "ALL") {
      wanted.all = level == "TWO" ? 2 : level == "ALL" ? result_.nodes : result_.nodes / 2 + 1;
      return wanted;
    }
    if (level != "LOCAL_QUORUM" && level != "EACH_QUORUM")
      throw Wrong(fmt::format(
          "consistency level '{}' is unknown; accepts ONE, TWO, QUORUM, LOCAL_QUORUM, EACH_QUORUM, ALL", level));
    wanted.all = 0;
    for (std::size_t center = 0; center < result_.copies.size(); ++center) {
      const bool counts = level == "EACH_QUORUM" || center == own;
      wanted.most_of_center.push_back(counts ? result_.copies[center] / 2 + 1 : 0);
      wanted.all += wanted.most_of_center.back();
    }
    return wanted;
  }

  void read_parameters(const Json& json, TimelineStep& step) {
    using enum TimelineAction;
    switch (step.action) {
      case insert:
        read_insert(json, step);
        break;
      case remove:
        read_remove(json, step);
        break;
      case repair:
        read_repair(json, step);
        break;
      case repair_across_clock_move:
        step.tables = json.at("tables").get<std::vector<std::string>>();
        step.compacted = json.at("compacted_on_a_and_b_meanwhile").get<std::vector<std::string>>();
        step.held_node = node(json.at("held_node"));
        step.moved_at_ms = time(json.at("clock_moved_at_t_s"));
        step.moved_to_ms = time(json.at("clock_moved_to_t_s"));
        step.ok = json.at("ok");
        break;
      case read:
        step.key = key(json.at("key"));
        step.contacted = nodes(json.at("contacted"));
        for (const Json& row : json.at("rows")) step.rows.push_back(returned(row, step.key.partition, row.at("ck")));
        break;
      case scan:
        for (const Json& row : json.at("rows")) {
          const TimelineKey at = key(row.at("key"));
          step.rows.push_back(returned(row, at.partition, at.from.value_or(0)));
        }
        break;
      case clock:
        if (time(json.at("to_t_s")) < step.begin_ms) throw Wrong("the clock moves backwards");
        break;
      case kill:
        step.hard = json.at("how") == "SIGKILL";
        break;
      case nodetool:
        step.command = json.at("command");
        break;
      case note_hints:
        step.hint_files.resize(static_cast<std::size_t>(result_.nodes));
        for (const auto& [name, files] : json.at("hint_files").items())
          step.hint_files[static_cast<std::size_t>(node(name))] = std::ssize(files);
        break;
      case alter_table:
        step.command = json.at("options");
        break;
      case wait:
        step.real_s = json.at("real_s");
        break;
      case flush:
      case compact:
      case down:
      case up:
      case start:
      case replace:
        break;
    }
  }

  void read_insert(const Json& json, TimelineStep& step) {
    step.key = key(json.at("key"));
    if (!step.key.from) throw Wrong("an insert names a row");
    step.value = result_.values.number(json.at("value"));
    step.has_liveness = json.at("statement") == "insert";
    step.column = column_number(json.value("column", "v"));
    step.ttl_s = json.value("ttl_s", Seconds{0});
  }

  void read_remove(const Json& json, TimelineStep& step) {
    constexpr std::array<std::pair<std::string_view, RemovedKind>, 4> kinds{{{"row", RemovedKind::row},
                                                                             {"cell", RemovedKind::cell},
                                                                             {"range", RemovedKind::range},
                                                                             {"partition", RemovedKind::partition}}};
    step.removed = named(kinds, json.at("kind"), "kind");
    step.key = key(json.at("key"));
    if (step.removed != RemovedKind::partition && !step.key.from) throw Wrong("this delete names a row");
  }

  void read_repair(const Json& json, TimelineStep& step) {
    using Mode = std::pair<bool, bool>;
    constexpr std::array<std::pair<std::string_view, Mode>, 4> modes{{{"full", Mode(false, false)},
                                                                      {"incremental", Mode(true, false)},
                                                                      {"full_pr", Mode(false, true)},
                                                                      {"incremental_pr", Mode(true, true)}}};
    std::tie(step.incremental, step.primary_ranges) = named(modes, json.at("mode"), "mode");
    step.ok = json.at("ok");
    if (json.contains("start_token")) {
      step.range = TokenRange{.left = json.at("start_token"), .right = json.at("end_token")};
    }
    std::string more = json.value("more", "");
    std::vector<std::string> words;
    for (std::size_t at = 0; at < more.size();) {
      const std::size_t end = std::min(more.find(' ', at), more.size());
      if (end > at) words.push_back(more.substr(at, end - at));
      at = end + 1;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto next = [&]() -> const std::string& {
        if (++i == words.size()) throw Wrong(fmt::format("'{}' needs a value", words.back()));
        return words[i];
      };
      if (words[i] == "--force") {
        step.force = true;
      } else if (words[i] == "-hosts") {
        for (const char name : next()) {
          if (name != ',') step.hosts.push_back(node(std::string(1, name)));
        }
      } else if (words[i] == "-st") {
        const Token left = number(next());
        step.range = TokenRange{.left = left, .right = step.range ? step.range->right : 0};
      } else if (words[i] == "-et") {
        const Token right = number(next());
        step.range = TokenRange{.left = step.range ? step.range->left : 0, .right = right};
      } else {
        throw Wrong(fmt::format("option '{}' of a repair is unknown; accepts --force, -hosts, -st, -et", words[i]));
      }
    }
  }

  static ReturnedRow returned(const Json& json, std::string partition, std::int64_t clustering) {
    ReturnedRow row{
        .partition = std::move(partition), .clustering = clustering, .value = {}, .timestamp_us = {}, .ttl_left_s = {}};
    if (!json.at("v").is_null()) row.value = json.at("v");
    if (!json.at("timestamp_us").is_null()) row.timestamp_us = json.at("timestamp_us");
    if (json.contains("ttl_left_s")) row.ttl_left_s = json.at("ttl_left_s");
    return row;
  }

  void read_observations() {
    for (const Json& json : object_.at("observations")) {
      Observation one = read_observation(json, node(json.at("node")), result_.tokens, result_.values);
      if (one.after_step >= result_.steps.size())
        throw Wrong(
            fmt::format("an observation is after step {}, and there are {}", one.after_step, result_.steps.size()));
      result_.observations.push_back(std::move(one));
    }
    std::ranges::stable_sort(result_.observations, {}, &Observation::after_step);
  }

  void read_verdicts() {
    for (const auto& [row, json] : object_.at("conclusion").at("per_row").items()) {
      RowVerdict& verdict = result_.verdicts[row];
      verdict.lives_on = nodes(json.at("old_value_live_on_at_end"));
      for (const Json& copy : json.at("came_back_on"))
        verdict.came_back_on.push_back({.step = copy.at("step"), .node = node(copy.at("node"))});
    }
  }

  const Json& object_;
  TimelineCase result_{};
};

}  // namespace

std::vector<TimelineCase> parse_timeline_cases(std::string_view jsonl) {
  std::vector<TimelineCase> cases;
  int line = 0;
  while (!jsonl.empty()) {
    const std::size_t end = std::min(jsonl.find('\n'), jsonl.size());
    const std::string_view text = jsonl.substr(0, end);
    jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
    ++line;
    if (text.empty()) continue;
    try {
      const Json json = Json::parse(text);
      cases.push_back(Reader(json, line).read());
    } catch (const Json::parse_error&) {
      throw TimelineError(line, "is no whole JSON object: the file is cut off or damaged");
    } catch (const std::exception& error) {
      throw TimelineError(line, error.what());
    }
  }
  return cases;
}

bool is_timeline_cases(std::string_view jsonl) {
  const std::string_view first = jsonl.substr(0, jsonl.find('\n'));
  return first.find("\"timeline\"") != std::string_view::npos;
}

}  // namespace windrow
