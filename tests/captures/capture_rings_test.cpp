#include "evidence/captures/capture_rings.h"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/xz.h"

namespace windrow {
namespace {

using Json = nlohmann::json;

constexpr std::array recorded_rings{"six-nodes-4", "six-nodes-8", "six-nodes-16", "tokens-4", "tokens-8", "tokens-16"};

std::string recorded(const std::string& name) { return test::read_file("tests/tokens/" + name + ".json"); }

std::string refusal(const std::string& json) {
  try {
    verify_capture_ring("ring", parse_recorded_ring(json));
  } catch (const RecordedRingError& error) {
    return error.what();
  }
  return {};
}

/// The recording with one place of it changed.
template <typename Change>
std::string changed(const std::string& name, const Change& change) {
  Json json = Json::parse(recorded(name));
  change(json);
  return json.dump();
}

TEST_CASE("all tokens, ownership, owners and end points of recorded rings follow from their first token") {
  CaptureRingResult all;
  for (const std::string name : recorded_rings) {
    const CaptureRingResult result = verify_capture_ring(name, parse_recorded_ring(recorded(name)));
    for (const Disagreement& found : result.disagreements) {
      FAIL_CHECK(found.case_name << ": " << found.field << ": " << found.expected << " / " << found.ours);
    }
    CHECK(result.agreeing == result.cases);
    all.tokens += result.tokens;
    all.percentages += result.percentages;
    all.ranges += result.ranges;
  }
  CHECK(all.tokens == 168 + 84);
  CHECK(all.percentages == 189 + 27);
  CHECK(all.ranges == 168 + 84);
}

TEST_CASE("what differs is named: a token, a percentage, an owner, an end point") {
  const auto fields = [](const std::string& json) {
    std::string text;
    for (const Disagreement& found : verify_capture_ring("ring", parse_recorded_ring(json)).disagreements) {
      text += found.field + "\n";
    }
    return text;
  };
  const auto replace = [](Json& json, const std::string& from, const std::string& to) {
    std::string text = json;
    const std::size_t place = text.find(from);
    REQUIRE(place != std::string::npos);
    json = text.replace(place, from.size(), to);
  };
  CHECK(fields(changed("six-nodes-4", [&](Json& ring) {
          replace(ring["joined"][5]["nodetool_status_rf2"], "127.0.0.26  30.9 KiB    4       29.6%",
                  "127.0.0.26  30.9 KiB    4       29.7%");
        })) == "joined[5].nodetool_status_rf2: 127.0.0.26\n");
  CHECK(fields(changed("six-nodes-4", [&](Json& ring) {
          replace(ring["nodetool_describering_rf3"], "endpoints:[127.0.0.23, 127.0.0.22,",
                  "endpoints:[127.0.0.22, 127.0.0.23,");
        })) == "nodetool_describering_rf3: -3049636838557851123\n");
  CHECK(fields(changed("six-nodes-4", [&](Json& ring) {
          replace(ring["nodetool_ring_rf3"], "127.0.0.24       rack1 ", "127.0.0.23       rack1 ");
        })) == "nodetool_ring_rf3: -8486002878647524562\n");
  const std::string other_token =
      fields(changed("six-nodes-4", [](Json& ring) { ring["joined"][5]["tokens"][0] = 17; }));
  CHECK(other_token.starts_with("token 1 of node F\n"));
}

TEST_CASE("a recording of a ring that is cut off, lacks a field or has another shape is told") {
  const std::string whole = recorded("six-nodes-4");
  CHECK(refusal(whole.substr(0, whole.size() / 2)).starts_with("is no whole JSON: byte "));
  CHECK(refusal("") == "is no whole JSON: byte 1 of 0");
  CHECK(refusal("[1, 2]") == "recording of a ring: is no object");
  CHECK(refusal("{}") == "recording of a ring: there is no num_tokens");
  for (const std::string name : {"six-nodes-4", "tokens-4"}) {
    const Json ring = Json::parse(recorded(name));
    for (const auto& item : ring.items()) {
      const std::string& field = item.key();
      if (field == "racks" || field == "allocation_log") continue;  // not judged
      CHECK_MESSAGE(!refusal(changed(name, [&](Json& json) { json.erase(field); })).empty(), name, field);
      CHECK_MESSAGE(!refusal(changed(name, [&](Json& json) { json[field] = nullptr; })).empty(), name, field);
      CHECK_MESSAGE(!refusal(changed(name, [&](Json& json) { json[field] = "nothing"; })).empty(), name, field);
    }
    for (const auto& item : ring["joined"][1].items()) {
      const std::string& field = item.key();
      CHECK_MESSAGE(!refusal(changed(name, [&](Json& json) { json["joined"][1].erase(field); })).empty(), name, field);
      CHECK_MESSAGE(!refusal(changed(name, [&](Json& json) { json["joined"][1][field] = 5; })).empty(), name, field);
    }
  }
}

TEST_CASE("numbers that cannot be are told") {
  const auto with = [](const std::string& field, const Json& value) {
    return refusal(changed("six-nodes-4", [&](Json& ring) { ring[field] = value; }));
  };
  CHECK(with("num_tokens", 0) == "num_tokens: is no count");
  CHECK(with("num_tokens", 2'000'000'000) == "num_tokens = 2000000000: accepts 1 to 1536");
  CHECK(with("num_tokens", 1e30) == "num_tokens: is no count");
  CHECK(with("allocate_tokens_for_local_replication_factor", -3) ==
        "allocate_tokens_for_local_replication_factor: is no count");
  CHECK(refusal(changed("six-nodes-4", [](Json& ring) { ring["joined"][1]["tokens"][0] = 9223372036854775808U; })) ==
        "joined[1].tokens[0]: is no token of 64 bits");
  CHECK(refusal(changed("six-nodes-4", [](Json& ring) {
          ring["joined"][1]["tokens"][0] = ring["joined"][0]["tokens"][0];
        })) == "joined: token -4584113941663295479 is there twice");
  CHECK(refusal(changed("six-nodes-4", [](Json& ring) { ring["joined"][1] = ring["joined"][0]; })) ==
        "joined: node A is there twice");
}

}  // namespace
}  // namespace windrow
