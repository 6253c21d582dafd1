#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/resolve/load_scenario.h"

namespace windrow::test {

std::string read_text(const std::string& path);
/// True if UPDATE_GOLDEN is set: recorded texts are written instead of compared.
bool update_golden();
/// Compares with a file that holds what is expected, or writes it.
void check_golden(const std::string& path, const std::string& text);

/// Loads a scenario from files held in memory.
LoadedScenario load(const std::string& ini, const std::map<std::string, std::string>& files = {},
                    const std::vector<std::string>& assignments = {});
/// A scenario of scenarios/, by its name.
LoadedScenario load_file(const std::string& name, const std::vector<std::string>& assignments = {});
/// The message of the mistake in it; empty if there is none.
std::string mistake_in(const std::string& ini, const std::map<std::string, std::string>& files = {},
                       const std::vector<std::string>& assignments = {});

/// One table, one stream: what a test changes stands in `stream`.
std::string small_scenario(const std::string& stream, const std::string& run = "length = 10d");
inline const std::map<std::string, std::string> small_files = {
    {"t.cql",
     "CREATE TABLE readings (device text, day text, at timestamp, value double, note text, PRIMARY KEY ((device, day), "
     "at));"}};

}  // namespace windrow::test
