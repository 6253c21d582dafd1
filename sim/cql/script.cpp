#include "sim/cql/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/cql/apply.h"
#include "sim/cql/parser.h"
#include "sim/cql/placeholder.h"
#include "sim/cql/table_properties.h"
#include "sim/cql/wrong_options.h"

namespace windrow {

namespace {

int line_of(std::string_view text, Span at) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at.offset), '\n'));
}

// The first part that cannot be read goes before what the parser makes of the rest.
Statement read_statement(const std::vector<CqlToken>& tokens) {
  const auto error = std::ranges::find(tokens, CqlToken::Kind::error, &CqlToken::kind);
  try {
    Statement statement = parse_statement(tokens);
    if (error == tokens.end()) return statement;
  } catch (const Refused& refused) {
    if (error == tokens.end() || refused.complaint.at.offset < error->at.offset) throw;
  }
  throw Refused{{.at = error->at, .message = error->text}};
}

void apply_statement(const ApplyContext& context, const Statement& statement, std::string_view text,
                     ScriptResult& result) {
  std::visit(
      [&](const auto& each) {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, OtherStatement>) {
          result.passed_over.push_back({line_of(text, each.at), each.first_words});
        } else {
          apply(context, each);
        }
      },
      statement);
}

template <class Action>
auto located(std::string_view text, Action action) {
  try {
    return action();
  } catch (const Refused& refused) {
    throw CqlError(refused.complaint, text);
  }
}

std::vector<CqlToken> only_statement(std::string_view text, std::string_view what) {
  std::vector<std::vector<CqlToken>> statements = split_statements(text);
  if (statements.size() == 1) return std::move(statements.front());
  const Span at = statements.empty() ? Span{} : statements[1].front().at;
  throw CqlError({.at = at, .message = fmt::format("expected one {}, found {} statements", what, statements.size())},
                 text);
}

}  // namespace

ScriptResult run_cql(std::string_view text, Schema& schema, const CqlSettings& settings) {
  const std::vector<std::vector<CqlToken>> statements = split_statements(text);
  ScriptResult result{.statements = static_cast<int>(statements.size())};
  const ApplyContext context{schema, settings};
  for (const std::vector<CqlToken>& tokens : statements) {
    try {
      apply_statement(context, read_statement(tokens), text, result);
    } catch (const Refused& refused) {
      result.error.emplace(with_placeholder(refused.complaint, text), text);
      return result;
    }
    ++result.applied;
  }
  return result;
}

std::vector<CqlError> run_all_cql(std::string_view text, Schema& schema, const CqlSettings& settings) {
  const ApplyContext context{schema, settings};
  std::vector<CqlError> errors;
  std::set<std::string> unmade;  // names that refused statements would have made
  const auto names = [](const CqlToken& token) {
    return token.kind == CqlToken::Kind::identifier || token.kind == CqlToken::Kind::quoted_name;
  };
  for (const std::vector<CqlToken>& tokens : split_statements(text)) {
    ScriptResult ignored;
    std::vector<CqlComplaint> wrong;
    try {
      const Statement statement = read_statement(tokens);
      wrong = wrong_options(statement, settings);
      apply_statement(context, statement, text, ignored);
    } catch (const Refused& refused) {
      const bool follows = std::ranges::any_of(
          tokens, [&](const CqlToken& token) { return names(token) && unmade.contains(token.text); });
      if (!follows) {
        errors.emplace_back(with_placeholder(refused.complaint, text), text);
        for (CqlComplaint& other : wrong) {
          if (other.at.offset != refused.complaint.at.offset)
            errors.emplace_back(with_placeholder(std::move(other), text), text);
        }
      }
      // CREATE TABLE name (: the name stands before the first bracket.
      const auto bracket = std::ranges::find(tokens, "(", &CqlToken::text);
      if (bracket != tokens.end() && bracket != tokens.begin() && names(*(bracket - 1)))
        unmade.insert((bracket - 1)->text);
    }
  }
  return errors;
}

Schema read_schema(std::string_view text, const CqlSettings& settings) {
  Schema schema;
  const ScriptResult result = run_cql(text, schema, settings);
  if (result.error) throw *result.error;
  return schema;
}

const Table* apply_alter(std::string_view text, Schema& schema, const CqlSettings& settings) {
  const std::vector<CqlToken> tokens = only_statement(text, "ALTER TABLE");
  return located(text, [&]() -> const Table* {
    const Statement statement = read_statement(tokens);
    const AlterTable* alter = std::get_if<AlterTable>(&statement);
    if (alter == nullptr)
      throw Refused{{.at = tokens.front().at, .message = "only ALTER TABLE can change a table in the middle of a run"}};
    // A table is meant by its name alone where only one has it.
    QualifiedName name = alter->name;
    const Table* table = schema.find_table(name.keyspace ? name.keyspace->text : "", name.name.text);
    AlterTable qualified = *alter;
    if (table != nullptr && !name.keyspace) qualified.name.keyspace = Name{table->keyspace, name.name.at};
    apply({schema, settings}, qualified);
    return table;
  });
}

TableOptions parse_table_options(std::string_view text, const TableOptions& base, const CqlSettings& settings) {
  const std::vector<CqlToken> tokens = only_statement(text, "list of options");
  return located(text, [&] {
    TokenCursor cursor(tokens);
    const Properties properties = parse_properties(cursor);
    if (!cursor.at_end()) cursor.refuse_here("AND or the end");
    check_properties(properties, settings);
    TableOptions options = build_options(properties, base, false, settings);
    parse_checked_compaction(options, settings);
    return options;
  });
}

int check_cql_syntax(std::string_view text) {
  const std::vector<std::vector<CqlToken>> statements = split_statements(text);
  return located(text, [&] {
    for (const std::vector<CqlToken>& tokens : statements) read_statement(tokens);
    return static_cast<int>(statements.size());
  });
}

}  // namespace windrow
