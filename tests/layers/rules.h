#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace windrow {

/// What CMakeLists.txt says of the folders of sim/ and evidence/: the only place where the layers are listed.
struct LayerTable {
  std::map<std::string, std::set<std::string>> lower{};      // a layer and the layers it may include
  std::map<std::string, std::set<std::string>> libraries{};  // a layer and the CMake targets of the field it uses
  std::vector<std::string> mistakes{};                       // rows that name a layer before its own row
};

/// Reads the rows windrow_layer(name lower...) and windrow_uses(name target...).
LayerTable layer_table(std::string_view cmake_text);

/// A text file, by its path from the repository's root.
struct SourceFile {
  std::string path{};
  std::string text{};
};

std::vector<std::string> lines_of(std::string_view text);

/// Everything below answers with findings "path:line: what is wrong; what to do instead", in the order of lines.
using Findings = std::vector<std::string>;

/// Includes of higher and sibling layers, of libraries the layer does not use, of files, threads and streams below cli.
Findings include_findings(const SourceFile& file, const LayerTable& table);

/// Layers that a row allows and no file of the layer includes.
Findings unused_findings(const std::vector<SourceFile>& files, const LayerTable& table);

/// Words that would make a run depend on the machine, the moment or an unstated order. `header` is the text of the
/// header of the same name, or empty: members declared there are looped over here.
Findings word_findings(const SourceFile& file, std::string_view header);

/// Unfinished work and disabled tests, properties whose answer is thrown away; headers without #pragma once; files that
/// grew beyond `lines_max`; lines of C++ wider than `columns_max` characters.
Findings form_findings(const SourceFile& file, int lines_max, int columns_max);

/// Types of one name that two files of sim/ define outside an unnamed namespace: the linker would take either for both.
Findings type_findings(const std::vector<SourceFile>& files);

/// Paths of one machine and hosts of one package registry, in any text file.
Findings machine_findings(const SourceFile& file);

}  // namespace windrow
