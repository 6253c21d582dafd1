#include "sim/page/csv_columns.h"

#include <fmt/format.h>
#include <libfccp/csv.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "sim/base/check.h"
#include "sim/page/facts.h"
#include "sim/text/text.h"

namespace windrow {

namespace {

constexpr std::size_t most_columns = 24;
using Reader = io::CSVReader<most_columns, io::trim_chars<>, io::double_quote_escape<',', '"'>, io::throw_on_overflow,
                             io::no_comment>;
using Names = std::array<std::string, most_columns>;
using Cells = std::array<const char*, most_columns>;  // in the parser's own room

std::string_view without_apostrophe(std::string_view cell) {
  if (cell.size() > 1 && cell.front() == '\'' && std::string_view("=+-@").find(cell[1]) != std::string_view::npos)
    cell.remove_prefix(1);
  return cell;
}

/// What fast-cpp-csv-parser reads from. It looks at the byte behind a last line without an end: it gets one.
class BytesOf final : public io::ByteSourceBase {
 public:
  explicit BytesOf(ResultText::ReadOn read_on) : read_on_(std::move(read_on)) {}
  int read(char* buffer, int size) override {
    const std::span<char> room(buffer, static_cast<std::size_t>(size));
    std::size_t got = 0;
    while (got < room.size()) {
      const std::size_t more = read_on_(room.subspan(got));
      if (more == 0) break;
      got += more;
      last_ = room[got - 1];
    }
    if (got < room.size() && last_ != '\n') last_ = room[got++] = '\n';
    return static_cast<int>(got);
  }

 private:
  ResultText::ReadOn read_on_;
  char last_ = '\n';
};

std::unique_ptr<Reader> reader_of(const std::string& file, const ResultText& text) {
  return std::make_unique<Reader>(file, std::make_unique<BytesOf>(text.open()));
}

std::string first_line(const ResultText& text) {
  constexpr std::size_t longest_header = 65'536;
  std::string line(longest_header, '\0');
  line.resize(text.open()(line));
  return line.substr(0, line.find_first_of("\r\n"));
}

template <std::size_t... at>
void read_header(Reader& reader, const Names& names, std::index_sequence<at...>) {
  reader.read_header(io::ignore_extra_column | io::ignore_missing_column, names[at]...);
}

template <std::size_t... at>
bool read_row(Reader& reader, Cells& cells, std::index_sequence<at...>) {
  return reader.read_row(cells[at]...);
}

bool is_text(std::string_view column) {
  static const std::set<std::string_view> text = {"entity",     "bucket",  "reason", "why_it_stays",
                                                  "blocked_by", "sstable", "choice"};
  return text.contains(column);
}

nlohmann::json cell_json(const std::string& cell) {
  if (cell.empty()) return nullptr;
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(number)) return cell;
  if (number == std::floor(number) && std::abs(number) < 9e15) return static_cast<std::int64_t>(number);
  return number;
}

}  // namespace

double cell_number(const std::string& cell) { return std::strtod(cell.c_str(), nullptr); }

std::size_t CsvColumns::place(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  SIM_CHECK(found != names.end(), "a column is read before it is used");
  return static_cast<std::size_t>(found - names.begin());
}

bool CsvColumns::any_above(std::string_view name, double bound) const {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return false;
  const auto at = static_cast<std::size_t>(found - names.begin());
  return std::ranges::any_of(rows, [&](const auto& row) { return std::strtod(row[at].c_str(), nullptr) > bound; });
}

bool has_csv_column(const ResultText& text, std::string_view name) {
  const std::string header = "," + first_line(text) + ",";
  return header.find("," + std::string(name) + ",") != std::string::npos;
}

CsvColumns read_csv_columns(const std::string& file, const ResultText& text, const std::vector<std::string>& names,
                            const std::string& table, const std::string& of, const std::string& node) {
  CsvColumns columns{.names = names};
  each_result_row(file, text, names, table, of, node,
                  [&](const auto& row) { columns.rows.emplace_back(row.begin(), row.end()); });
  return columns;
}

void each_result_row(const std::string& file, const ResultText& text, const std::vector<std::string>& names,
                     const std::string& table, const std::string& of, const std::string& node,
                     const std::function<void(const std::vector<std::string_view>& row)>& each) {
  SIM_CHECK(names.size() + 1 < most_columns, "too many columns asked of a result file");
  Names asked;
  for (std::size_t i = 0; i < most_columns; ++i) asked[i] = i < names.size() ? names[i] : fmt::format("\x01{}", i);
  asked.back() = of;
  std::string& of_node = asked[most_columns - 2];
  const bool by_node = !node.empty() && has_csv_column(text, "node");
  if (by_node) of_node = "node";
  const auto all = std::make_index_sequence<most_columns>();
  try {
    const std::unique_ptr<Reader> opened = reader_of(file, text);
    Reader& reader = *opened;
    read_header(reader, asked, all);
    for (const std::string& name : names) {
      if (!reader.has_column(name))
        throw PageError(fmt::format("{} has no column {}: run the scenario again", file, name));
    }
    std::vector<std::string_view> row(names.size());
    Cells cells;
    cells.fill("");  // of columns that the file does not have
    while (read_row(reader, cells, all)) {
      if (without_apostrophe(cells.back()) != table || (by_node && cells[most_columns - 2] != node)) continue;
      std::ranges::transform(cells.begin(), cells.begin() + std::ssize(names), row.begin(), without_apostrophe);
      each(row);
    }
  } catch (const io::error::base& error) {
    throw PageError(fmt::format("cannot read {}", printable(error.what())));
  }
}

nlohmann::json columns_json(const CsvColumns& columns) {
  nlohmann::json by_name = nlohmann::json::object();
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    nlohmann::json cells = nlohmann::json::array();
    for (const auto& row : columns.rows)
      cells.push_back(is_text(columns.names[i]) ? nlohmann::json(row[i]) : cell_json(row[i]));
    by_name[columns.names[i]] = std::move(cells);
  }
  return by_name;
}

}  // namespace windrow
