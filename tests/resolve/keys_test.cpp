#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/keys/sections.h"
#include "sim/resolve/key_reference.h"
#include "sim/resolve/not_modelled.h"
#include "sim/words/scenario_error.h"
#include "tests/resolve/support.h"

using namespace windrow;
using namespace windrow::test;

TEST_CASE("docs/scenario-keys.md is what the parser's descriptions say") {
  check_golden("docs/scenario-keys.md", keys_as_markdown());
}

TEST_CASE("the key reference in three forms, whole or by section") {
  const auto json = nlohmann::json::parse(keys_as_json());
  CHECK(json["sections"].size() == all_sections().size());
  CHECK(json["sections"][0]["keys"][2]["name"] == "schema");
  CHECK(json["sections"][0]["keys"][2]["required"] == true);
  CHECK(nlohmann::json::parse(keys_as_json("node"))["sections"].size() == 1);
  CHECK(keys_as_text("run").find("length") != std::string::npos);
  CHECK(keys_as_markdown("limits").starts_with("## [limits]"));
  CHECK_THROWS_AS(keys_as_text("stream.x"), ScenarioError);
}

TEST_CASE("every key says what it means and what it accepts") {
  for (const SectionInfo& section : all_sections()) {
    for (const KeyInfo& key : section.keys) {
      CAPTURE(section.kind);
      CAPTURE(key.name);
      CHECK(!key.meaning.empty());
      CHECK(!key.accepted.empty());
    }
  }
}

TEST_CASE("what a run takes as it is written begins with the defaults of the keys") {
  const std::string stream = "entities = 10\nrate = 1/min\ncolumn.day = day\ncolumn.note = text(20)\n";
  const LoadedScenario loaded = load(small_scenario(stream + "[dc.main]\nreplication_factor = 1\n"), small_files);
  const Scenario fresh;
  CHECK(loaded.scenario.node == fresh.node);
  CHECK(loaded.scenario.seed == fresh.seed);
  CHECK(loaded.scenario.sample_us == fresh.sample_us);
  CHECK(loaded.scenario.exact_partitions == fresh.exact_partitions);
  CHECK(loaded.scenario.data_centers.front().nodes == fresh.data_centers.front().nodes);
  CHECK(loaded.scenario.data_centers.front().racks == fresh.data_centers.front().racks);
  CHECK(loaded.scenario.data_centers.front().num_tokens == fresh.data_centers.front().num_tokens);
}

TEST_CASE("copies of a data centre: the schema's, or those that a scenario says instead") {
  const auto copies = [](const std::string& replication, const std::string& section) {
    const std::string cql = "CREATE KEYSPACE k WITH replication = {" + replication + "};" +
                            "CREATE TABLE k.t (id int, day date, at timestamp, PRIMARY KEY ((id, day), at));";
    const std::string ini =
        "[run]\nschema = t.cql\nlength = 2d\n[stream.s]\ntable = t\nrate = 1/min\ncolumn.day = day\n" + section;
    return load(ini, {{"t.cql", cql}}).scenario.data_centers.front().replication_factor;
  };
  const std::string two = "'class': 'NetworkTopologyStrategy', 'DC1': 2, 'DC2': 3";
  CHECK(copies(two, "[dc.DC1]\nnodes = 6\n") == 2);
  CHECK(copies(two, "[dc.DC1]\nnodes = 6\nreplication = 5\n") == 5);
  CHECK(copies(two, "[dc.DC3]\nnodes = 6\nreplication = 1\n") == 1);
  CHECK_THROWS_WITH_AS(copies(two, "[dc.DC3]\nnodes = 6\n"), doctest::Contains("accepted: DC1, DC2"), ScenarioError);
  CHECK(copies("'class': 'SimpleStrategy', 'replication_factor': 2", "[dc.any]\nnodes = 6\n") == 2);
}

TEST_CASE("what the engine does not act on is refused before a run, and listed") {
  const std::string stream = "entities = 10\nrate = 1/min\ncolumn.day = day\ncolumn.note = text(20)\n";
  const auto refusal = [&](const std::string& ini) -> std::string {
    const LoadedScenario loaded = load(ini, small_files);
    try {
      refuse_what_is_not_modelled(loaded);
    } catch (const ScenarioError& error) {
      return error.mistake().problem;
    }
    return {};
  };
  CHECK(refusal(small_scenario(stream)) == "");
  const std::string read = "[read.r]\nof = readings\nlatest = 10\nrate = 1/s\n";
  CHECK(refusal(small_scenario(stream + read)) == "");
  for (const char* drawn : {"op = overwrite(1000)\n", "op = overwrite(1000, zipf(1.1))\n"}) {
    const std::string why = refusal(small_scenario(stream + drawn + read));
    CHECK(why.starts_with("not modelled yet: reads of a stream that overwrites keys"));
    CHECK(why.ends_with("how many of their keys an SSTable holds is known, not which, and a read asks for one"));
  }
  const std::string turns = "entities = 10\nrate = 1/min\ncolumn.day = rolling(7, 1d)\ncolumn.note = text(20)\n";
  CHECK(refusal(small_scenario(turns + read)) == "");
  for (const char* change :
       {"ttl = 5d then 6d from 2026-01-04\n", "column.note = text(20) then text(30) from 2026-01-04\n"}) {
    std::string changed = turns;
    if (std::string(change).starts_with("column.note")) changed.resize(changed.find("column.note"));
    const std::string why = refusal(small_scenario(changed + change + read));
    CHECK(why.starts_with("not modelled yet: reads of a stream whose buckets come round again (`rolling`) and whose"));
    CHECK(why.ends_with(
        "a partition has rows of before and after the change, and which turn is asked for follows from both"));
  }
  const std::string repair = "[repair.r]\nevery = 7d\ntakes = 1h\n";
  const std::string outage = "[outage.o]\nnode = 1\nrate = 2/y\nlength = lognormal(2h, 12h)\n";
  CHECK(refusal(small_scenario(stream + repair + outage)) == "");
  const auto nodes = [](int count) { return fmt::format("[dc.main]\nnodes = {}\nreplication_factor = 3\n", count); };
  CHECK(refusal(small_scenario(stream + repair + outage + nodes(3))) == "");
  CHECK(refusal(small_scenario(stream + nodes(4))) == "");
  for (const std::string& section : {repair, outage}) {
    CHECK(refusal(small_scenario(stream + section + nodes(4))) == "");
    CHECK(refusal(small_scenario(stream + section + nodes(3) + "[dc.other]\nnodes = 3\nreplication_factor = 3\n")) ==
          "");
  }
  CHECK(refusal(small_scenario(stream + "backfill = from 2020-01-01 to 2021-01-01 at 10/s\n")) == "");
  CHECK(refusal(small_scenario(stream + "op = overwrite(1000, zipf(1.1))\n")) == "");
  const std::string deletes = "[stream.gone]\nlike = readings\nop = delete(row, 5d)\n";
  CHECK(refusal(small_scenario(stream + deletes)) == "");
  CHECK(refusal(small_scenario(stream + deletes + "[stream.more]\nlike = gone\n"))
            .starts_with("not modelled yet: several streams that delete from one"));
  const auto change = [&](const std::string& cql) {
    return refusal(small_scenario(stream + "[change.c]\nat = 2026-01-05\ncql = ALTER TABLE readings " + cql + "\n"));
  };
  for (const char* cql : {"ADD more int", "DROP note", "RENAME at TO ts"})
    CHECK(change(cql).starts_with("not modelled yet: a [change.NAME] that adds, drops or renames columns"));
  CHECK(change("WITH gc_grace_seconds = 3600") == "");
  const std::string leveled = "[table.readings]\ncompaction = {'class': 'LeveledCompactionStrategy'}\n";
  CHECK(refusal(small_scenario(stream + leveled)) == "");
  CHECK(refusal(small_scenario(stream + "op = overwrite(1000)\n")) == "");
  CHECK(refusal(small_scenario(stream + "op = overwrite(1000)\n" + leveled))
            .starts_with("not modelled yet: overwrites with a TTL, late rows, or of a table"));
  for (const std::string& words : {std::string("ttl = 1d\n"), std::string("late = 5% by 1h\n"), leveled}) {
    CHECK(refusal(small_scenario(stream + "op = overwrite(1000, zipf(1.1))\n" + words))
              .starts_with("not modelled yet: overwrites with a TTL, late rows, or of a table"));
    CHECK(refusal(small_scenario(stream + "op = overwrite(1000, cyclic)\n" + words)) == "");
    CHECK(refusal(small_scenario(stream + "op = overwrite(1000, cyclic)\n" + words + nodes(4)))
              .starts_with("not modelled yet: the same where keys are written in turn on nodes"));
    CHECK(refusal(small_scenario(stream + "op = overwrite(1005, cyclic)\n" + words))
              .starts_with("not modelled yet: the same where the keys are no multiple"));
  }
  for (const std::string& section : {repair, outage}) CHECK(refusal(small_scenario(stream + read + section)) == "");
  const LoadedScenario many =
      load(small_scenario(stream + leveled + read, "length = 10d\nexact_partitions = 2"), small_files);
  CHECK_NOTHROW(refuse_what_is_not_modelled(many));
  for (const char* option : {"compaction.only_purge_repaired_tombstones = true", "per = month"})
    CHECK(refusal(small_scenario(stream + read + "[table.readings]\n" + option + "\n")) == "");
  for (const NotModelled& row : what_is_not_modelled())
    CHECK(keys_as_markdown().find("- " + row.what) != std::string::npos);
}
