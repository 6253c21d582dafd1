#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "sim/cli/command.h"
#include "sim/cli/files.h"
#include "sim/cli/schema_file.h"
#include "sim/cql/script.h"
#include "sim/size/matrix.h"
#include "sim/size/matrix_text.h"

namespace windrow {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

void add_size_options(po::options_description& options) {
  auto add = options.add_options();
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto texts = [](const char* name) { return po::value<Texts>()->value_name(name)->composing(); };
  add("table", text("NAME"), "which table; needed where the schema has several");
  add("rate", text("RATES")->default_value("1/s"),
      "of one entity, a list: 1/s,100/s; a distribution over the entities: lognormal(1/min, 1/s); a fleet: fleet.csv");
  add("bucket", text("BUCKETS")->default_value("10min,hour,day,week,month,year"), "lengths of the time bucket, a list");
  add("bucket-column", text("NAME"), "which column of the partition key is the bucket, where its name does not tell");
  add("shards", text("COUNTS")->default_value("1"), "shards of a bucket, a list: 1,4");
  add("entities", text("WHO"), "whose rates a distribution gives: 20000, pattern(device-%05d, 20000); default 1000");
  add("column", texts("NAME=RULE"),
      "what a column holds, as in a scenario: payload=blob(100), tags=map(5, text(8), text(20)), unused=null");
  add("min", text("SIZE")->default_value("10MiB"), "a partition is too small if even the largest is below");
  add("max", text("SIZE")->default_value("100MiB"), "a partition is too big above");
  add("max-rows", po::value<std::int64_t>()->value_name("N"), "and above so many rows");
  add("max-cells", po::value<std::int64_t>()->value_name("N"), "and above so many cells");
  add("compression-ratio", po::value<double>()->value_name("R"),
      "of Data.db, as nodetool tablestats prints it: adds sizes on disk");
  add("sstable-format", text("FORMAT")->default_value("nb"), "nb, oa or da");
  add("format", text("FORMAT")->default_value("text"), "text, markdown, csv or json");
}

/// Parts of a list: commas within parentheses belong to the part.
Texts split_list(const std::string& option, const std::string& list) {
  Texts parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  for (const std::string& part : parts) {
    if (part.empty()) throw UserError(fmt::format("--{} {}: has an empty part", option, list));
  }
  return parts;
}

Bytes read_size_option(const Invocation& invocation, const std::string& option) {
  const std::string text = invocation.text(option);
  try {
    Cursor cursor(text);
    const Size size = read_size(cursor);
    cursor.expect_done("a size such as 64MiB");
    return size.bytes;
  } catch (const ValueError& error) {
    throw UserError(fmt::format("--{} {}: {}; accepts a size such as 64MiB or 1.5GB", option, text, error.what()));
  }
}

std::int64_t read_bound(const Invocation& invocation, const std::string& option) {
  if (!invocation.has(option)) return 0;
  const auto bound = invocation.options[option].as<std::int64_t>();
  if (bound < 1) throw UserError(fmt::format("--{} {}: accepts 1 or more", option, bound));
  return bound;
}

std::vector<std::int64_t> read_shards(const Invocation& invocation) {
  std::vector<std::int64_t> shards;
  constexpr std::int64_t most_shards = 100'000;
  for (const std::string& part : split_list("shards", invocation.text("shards"))) {
    try {
      Cursor cursor(part);
      shards.push_back(read_whole_number(cursor, most_shards));
      cursor.expect_done("a whole number");
    } catch (const ValueError& error) {
      throw UserError(fmt::format("--shards {}: {}; accepts whole numbers, 1 to 100000", part, error.what()));
    }
  }
  return shards;
}

SizeQuestion question_of(const Invocation& invocation) {
  const std::string file = invocation.arguments.front();
  SizeQuestion question;
  const ScriptResult result = run_cql(read_schema_file(file), question.schema, {.pass_over_missing_drops = true});
  if (result.error) throw UserError(result.error->text(file));
  if (invocation.has("table")) question.table = invocation.text("table");
  if (invocation.has("bucket-column")) question.bucket_column = invocation.text("bucket-column");
  question.rates = split_list("rate", invocation.text("rate"));
  question.buckets = split_list("bucket", invocation.text("bucket"));
  question.shards = read_shards(invocation);
  if (invocation.has("entities")) question.entities = invocation.text("entities");
  if (invocation.has("column")) {
    for (const std::string& column : invocation.options["column"].as<Texts>()) {
      const std::size_t equals = column.find('=');
      if (equals == std::string::npos || equals == 0) {
        throw UserError(fmt::format("--column {}: accepts NAME=RULE, such as payload=blob(100)", column));
      }
      question.columns[column.substr(0, equals)] = column.substr(equals + 1);
    }
  }
  question.limits = {.bytes_min = read_size_option(invocation, "min"),
                     .bytes_max = read_size_option(invocation, "max"),
                     .rows_max = read_bound(invocation, "max-rows"),
                     .cells_max = read_bound(invocation, "max-cells")};
  question.format = invocation.text("sstable-format");
  if (invocation.has("compression-ratio")) {
    question.compression_ratio = invocation.options["compression-ratio"].as<double>();
    if (!(question.compression_ratio > 0) || question.compression_ratio > 2) {
      throw UserError(fmt::format("--compression-ratio {}: accepts above 0, at most 2", question.compression_ratio));
    }
  }
  // Fleets are found where the command runs, and then beside the schema.
  question.read = [folder = fs::path(file).parent_path()](const std::string& name) -> std::optional<std::string> {
    std::string text;
    if (try_read_text_file(name, text) || try_read_text_file(folder / name, text)) return text;
    return std::nullopt;
  };
  return question;
}

int run_size(const Invocation& invocation) {
  const std::string format = invocation.text("format");
  if (format != "text" && format != "markdown" && format != "csv" && format != "json") {
    throw UserError("--format " + format + ": accepts text, markdown, csv or json");
  }
  try {
    const SizeMatrix matrix = size_matrix(question_of(invocation));
    invocation.console->print(format == "text"       ? matrix_as_text(matrix)
                              : format == "markdown" ? matrix_as_markdown(matrix)
                              : format == "csv"      ? matrix_as_csv(matrix)
                                                     : matrix_as_json(matrix));
  } catch (const SizeError& error) {
    throw UserError(error.what());
  }
  return exit_well;
}

}  // namespace

const Command size_command{
    .name = "size",
    .arguments = "FILE.cql",
    .meaning = "the decision matrix: how big partitions get at which rate, bucket and shards, from real row bytes",
    .example = "windrow size scenarios/iot-sensors.cql --rate 1/min,1/s --bucket hour,day,month",
    .arguments_min = 1,
    .arguments_max = 1,
    .add_options = add_size_options,
    .run = run_size};

}  // namespace windrow
