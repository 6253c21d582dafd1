#include "sim/cql/statement.h"

#include "sim/schema/identifier.h"

namespace windrow {

Span QualifiedName::at() const {
  if (!keyspace) return name.at;
  return {keyspace->at.offset, name.at.offset + name.at.length - keyspace->at.offset};
}

bool RawType::is_collection() const {
  return kind == CqlType::Kind::list || kind == CqlType::Kind::set || kind == CqlType::Kind::map;
}

std::string RawType::to_string() const {
  std::string inner;
  for (const RawType& argument : arguments) inner += (inner.empty() ? "" : ", ") + argument.to_string();
  std::string text = kind_name(kind);
  if (kind == CqlType::Kind::vector) return text + "<" + inner + ", " + std::to_string(dimension) + ">";
  if (kind == CqlType::Kind::custom) return quoted_string(class_name);
  if (!arguments.empty()) text += "<" + inner + ">";
  if (kind == CqlType::Kind::udt)
    text = (user_type.keyspace ? quoted_if_needed(user_type.keyspace->text) + "." : "") +
           quoted_if_needed(user_type.name.text);
  return frozen && kind != CqlType::Kind::tuple ? "frozen<" + text + ">" : text;
}

}  // namespace windrow
