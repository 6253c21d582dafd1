#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>

#include "tests/layers/documents.h"
#include "tests/layers/rules.h"

namespace windrow {
namespace {

namespace fs = std::filesystem;

constexpr int most_lines = 500;  // a ratchet: lower it when no file comes near, never raise it
constexpr int most_columns = 120;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE_MESSAGE(in, path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_text(const std::string& text) { return text.substr(0, 4096).find('\0') == std::string::npos; }

/// Every text file that is ours, below the repository's root, in the order of paths.
std::vector<SourceFile> repository_files() {
  static const std::set<std::string> not_ours{".git", "build", "node_modules"};
  std::vector<SourceFile> files;
  for (auto entry = fs::recursive_directory_iterator("."); entry != fs::recursive_directory_iterator(); ++entry) {
    if (not_ours.contains(entry->path().filename().string())) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && entry->path().extension() != ".swp") {
      std::string text = read(entry->path());
      if (is_text(text))
        files.push_back({.path = entry->path().lexically_relative(".").string(), .text = std::move(text)});
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

const std::vector<SourceFile>& files() {
  static const std::vector<SourceFile> all = repository_files();
  return all;
}

bool is_code(const SourceFile& file) {
  static const std::set<std::string> endings{".cpp", ".h", ".cmake", ".py", ".mjs", ".js", ".sh"};
  return file.path.starts_with("tools/") || endings.contains(fs::path(file.path).extension().string());
}

void expect_none(const Findings& findings) {
  for (const std::string& finding : findings) FAIL_CHECK(finding);
}

std::string header_of(const SourceFile& file) {
  if (!file.path.ends_with(".cpp")) return {};
  const std::string header = file.path.substr(0, file.path.size() - 3) + "h";
  const auto found = std::ranges::find(files(), header, &SourceFile::path);
  return found == files().end() ? std::string() : found->text;
}

LayerTable table() { return layer_table(read("CMakeLists.txt")); }

}  // namespace

TEST_CASE("the table of layers names lower layers only") {
  const LayerTable layers = table();
  CHECK(layers.lower.size() >= 12);
  CHECK(layers.lower.at("base").empty());
  CHECK(layers.libraries.at("words").contains("windrow_csv"));
  expect_none(layers.mistakes);
}

TEST_CASE("a layer includes the layers and libraries CMakeLists.txt gives it") {
  const LayerTable layers = table();
  for (const SourceFile& file : files()) expect_none(include_findings(file, layers));
}

TEST_CASE("every layer that a row allows is included") { expect_none(unused_findings(files(), table())); }

TEST_CASE("nothing in sim/ depends on the machine, the moment or an unstated order") {
  for (const SourceFile& file : files()) expect_none(word_findings(file, header_of(file)));
}

TEST_CASE("code is finished, its headers guarded, its files of a size to read") {
  for (const SourceFile& file : files()) {
    if (is_code(file)) expect_none(form_findings(file, most_lines, most_columns));
  }
}

TEST_CASE("no two files of sim/ define a type of one name") { expect_none(type_findings(files())); }

TEST_CASE("no file names a path or a package registry of one machine") {
  for (const SourceFile& file : files()) expect_none(machine_findings(file));
}

TEST_CASE("every package that is installed has its row in docs/dependencies.md") {
  const std::string rows = read("docs/dependencies.md");
  const std::string script = read("tools/install-deps");
  const auto from = script.find("packages=(") + std::string_view("packages=(").size();
  const std::string groups = script.substr(from, script.find("\n)", from) - from);
  std::istringstream words(std::regex_replace(groups, std::regex(R"(\[\w+\]=|")"), " "));
  int packages = 0;
  for (std::string word; words >> word; ++packages) {
    const std::string package = word.substr(0, word.find(':'));
    CHECK_MESSAGE(rows.find("`" + package + "`") != std::string::npos, package);
  }
  CHECK(packages > 15);
}

TEST_CASE("every rule that is cited has its row in docs/rules.md") {
  static const std::set<std::string> endings{".cpp", ".h", ".md", ".ini", ".txt"};
  std::set<std::string> numbers;
  for (const DocumentRow& row : document_rows(read("docs/rules.md"))) {
    if (!row.number.empty()) CHECK_MESSAGE(numbers.insert(row.number).second, row.number);
  }
  CHECK(numbers.size() > 100);
  for (const SourceFile& file : files()) {
    if (endings.contains(fs::path(file.path).extension().string())) expect_none(citation_findings(file, numbers));
  }
}

TEST_CASE("a grep for a class or method of Cassandra leads to the code that follows it") {
  const auto text_of = [](const std::string& path) {
    const auto found = std::ranges::find(files(), path, &SourceFile::path);
    return found == files().end() ? std::string() : found->text;
  };
  for (const char* path : {"docs/rules.md", "docs/architecture.md"}) {
    expect_none(row_findings(path, document_rows(read(path)), text_of));
  }
}

TEST_CASE("every layer is on the map") {
  const std::string map = read("docs/architecture.md");
  for (const auto& row : table().lower) {
    const std::string& layer = row.first;
    const bool named = std::regex_search(map, std::regex(R"(\b(sim|evidence)/)" + layer + R"(\b)"));
    CHECK_MESSAGE(named, "docs/architecture.md does not have the layer ", layer);
  }
}

TEST_CASE("what the documents point at exists") {
  const auto exists = [](const std::string& path) { return fs::exists(path); };
  for (const SourceFile& file : files()) {
    if (file.path.starts_with("docs/") || file.path == "README.md") expect_none(path_findings(file, exists));
  }
}

TEST_CASE("the documents count as many recordings as there are") {
  std::ptrdiff_t traces = 0;
  for (const auto& folder : fs::directory_iterator("tests")) {
    if (!folder.path().filename().string().starts_with("oracle")) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().filename().string().starts_with("trace.jsonl")) ++traces;
    }
  }
  static const std::regex counted(R"(\b(\d{3,}) recordings\b|\ball (\d{3,})\s+recordings)");
  for (const char* path : {"README.md", "docs/model.md"}) {
    const std::string text = read(path);
    auto at = std::sregex_iterator(text.begin(), text.end(), counted);
    CHECK_MESSAGE(at != std::sregex_iterator(), path);
    for (; at != std::sregex_iterator(); ++at) {
      CHECK_MESSAGE(((*at)[1].matched ? (*at)[1] : (*at)[2]) == std::to_string(traces), path);
    }
  }
}

TEST_CASE("each rule of the documents names the line that breaks it") {
  const std::vector<DocumentRow> rows = document_rows(
      "## 7 Windows\n| rule | Cassandra | what | ours |\n|---|---|---|---|\n"
      "| 7.4 | `A.b`, `C` | Text. | `sim/x.h` |\n| storage 1.2 | `D` | Text. | – |\n");
  CHECK(rows.size() == 3);
  CHECK(rows[1].line == 4);
  CHECK(rows[1].names == std::vector<std::string>{"A.b", "C"});
  const auto read_x = [](const std::string& path) { return path == "sim/x.h" ? "/// A.b" : ""; };
  CHECK(row_findings("d.md", rows, read_x) ==
        Findings{"d.md:4: sim/x.h does not name C in a comment: who greps for it finds nothing"});

  const auto cited = [](std::string path, std::string text) {
    return citation_findings({.path = std::move(path), .text = std::move(text)},
                             {"7", "7.3", "7.4", "7.5", "storage 1.2"});
  };
  // In pieces, so that this file cites nothing.
  const std::string rule = std::string("ru") + "le ";
  CHECK(cited("a.h", "/// " + rule + "7.4 (storage " + rule + "1.2), " + rule + "7.").empty());
  CHECK(cited("a.h", "// no\n/// storage\n/// " + rule + "1.3") ==
        Findings{"a.h:2: storage rule 1.3 has no row in docs/rules.md"});
  CHECK(cited("a.h", rule + "7.3 to 7.5, 7.6 and 7.7").size() == 2);
  CHECK(cited("a.h", "." + rule + "= \"7.9 past\";").size() == 1);
  CHECK(cited("docs/model.md", "" + rule + "\n| 7.1–7.3, 7.6 | x |\n").size() == 3);

  const auto exists = [](const std::string& path) { return path == "sim/a.h" || path == "docs/b.md"; };
  CHECK(path_findings({.path = "docs/c.md", .text = "`sim/a.h` `sim/<x>` [b](b.md) [c](b.md#part)\n"}, exists).empty());
  CHECK(path_findings({.path = "docs/c.md", .text = "\n`sim/a.h -x tools/c` [b](d.md)\n"}, exists) ==
        Findings{"docs/c.md:2: tools/c does not exist", "docs/c.md:2: docs/d.md does not exist"});
}

TEST_CASE("each rule names the line that breaks it") {
  const LayerTable layers = layer_table(
      "windrow_layer(base)\nwindrow_layer(model base)\nwindrow_layer(other base)\n"
      "windrow_uses(other Boost::program_options)\n");
  const auto includes = [&](std::string path, std::string text) {
    return include_findings({.path = std::move(path), .text = std::move(text)}, layers);
  };
  CHECK(unused_findings({{.path = "sim/other/o.h", .text = "#include \"sim/base/b.h\"\n"}}, layers) ==
        Findings{"CMakeLists.txt: model may include base and does not; take it out of the row"});
  const auto words = [](std::string path, std::string text, std::string_view header = {}) {
    return word_findings({.path = std::move(path), .text = std::move(text)}, header);
  };

  CHECK(includes("sim/model/a.h", "#include \"sim/base/b.h\"\n#include <vector>\n").empty());
  CHECK(
      includes("sim/base/b.h", "\n#include \"sim/model/a.h\"\n") ==
      Findings{"sim/base/b.h:2: base may not include model (CMakeLists.txt); what both need belongs in a lower layer"});
  CHECK(includes("sim/model/a.h", "#include \"sim/other/o.h\"\n").size() == 1);
  CHECK(includes("sim/model/a.h", "#include \"b.h\"\n").size() == 1);
  CHECK(includes("sim/nowhere/a.h", "").size() == 1);
  CHECK(includes("sim/model/a.h", "#include <boost/program_options.hpp>\n").size() == 1);
  CHECK(includes("sim/other/o.h", "#include <boost/program_options.hpp>\n").empty());
  CHECK(includes("sim/other/o.h", "#include <boost/math/x.hpp>\n#include <zlib.h>\n").size() == 1);
  CHECK(includes("sim/model/a.h", "#include <fstream>\n#include <thread>\n#include <iostream>\n").size() == 3);
  CHECK(includes("sim/cli/main.cpp", "#include <fstream>\n#include <boost/x.hpp>\n").empty());
  CHECK(layer_table("windrow_layer(a b)\nwindrow_layer(b)\n").mistakes ==
        Findings{"CMakeLists.txt:1: b is named before its own row"});

  CHECK(words("sim/model/a.cpp", "int x = 1;\nauto t = std::chrono::system_clock::now();\n") ==
        Findings{"sim/model/a.cpp:2: `std::chrono::system_clock::now` asks the machine's clock; take the simulated "
                 "`now` as an argument"});
  CHECK(words("sim/cli/main.cpp", "std::chrono::steady_clock::now();").empty());
  CHECK(words("sim/cli/main.cpp", "std::random_device device;").size() == 1);
  CHECK(words("sim/model/a.cpp", "rand();\nstd::uniform_int_distribution<int> d;\ngetenv(\"A\");\n").size() == 3);
  CHECK(words("sim/model/a.cpp", "// no rand() here\nint operand(int rows_distribution);\n").empty());
  CHECK(words("sim/model/a.cpp", "for (const auto& [id, file] : files_) {", "std::unordered_map<int, int> files_;")
            .size() == 1);
  CHECK(words("sim/model/a.cpp", "std::unordered_set<int> seen;\nfor (int i : table.seen) {").size() == 1);
  CHECK(words("sim/model/a.cpp", "std::map<int, int> files_;\nfor (const auto& f : files_) {").empty());

  CHECK(form_findings({.path = "sim/a.h", .text = "#include <vector>\n"}, 9, 99).size() == 1);
  CHECK(form_findings({.path = "sim/a.h", .text = "#pragma once\n\n\n"}, 2, 99) ==
        Findings{"sim/a.h:3: more than 2 lines: one idea a file"});
  CHECK(form_findings({.path = "sim/a.cpp",
                       .text = "// TO"
                               "DO later\n"},
                      9, 99)
            .size() == 1);
  CHECK(form_findings({.path = "sim/a.cpp", .text = "  rc::check([] {\n  CHECK(rc::check([] {\n"}, 9, 99).size() == 1);
  CHECK(form_findings({.path = "sim/a.cpp", .text = "\n// ……\n"}, 9, 5).empty());
  CHECK(form_findings({.path = "sim/a.cpp", .text = "\n// …: x\n"}, 9, 5) ==
        Findings{"sim/a.cpp:2: 7 columns, 5 at most"});

  const SourceFile a{.path = "sim/model/a.h", .text = "struct Same {\n};\nclass Other;\nstruct Third {};\n"};
  const SourceFile b{.path = "sim/other/b.cpp",
                     .text = "namespace {\nstruct Same {\n};\n}  // namespace\nclass Other {\n};\n  struct Third {\n"};
  CHECK(type_findings({a, b}).empty());
  const SourceFile c{.path = "sim/other/c.h", .text = "\nstruct Same {\n};\nenum class Third { x };\n"};
  CHECK(type_findings({a, b, c}).size() == 2);
  CHECK(type_findings({a, c}).front() ==
        "sim/other/c.h:2: Same is also defined in sim/model/a.h; give one another name, or keep it to its file in "
        "namespace {");

  CHECK(machine_findings({.path = "a.md",
                          .text = "see /ho"
                                  "me/me/x\nhttps://npm.regis"
                                  "try.example.org/a\n"})
            .size() == 2);
  CHECK(machine_findings({.path = "a.md",
                          .text = "docs/ho"
                                  "me/x https://registry.npmjs.org/a\n"})
            .empty());
}

}  // namespace windrow
