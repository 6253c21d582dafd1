#include "sim/cql/marshal_class.h"

#include <array>
#include <utility>

namespace windrow {

namespace {

using Kind = CqlType::Kind;

constexpr std::string_view package = "org.apache.cassandra.db.marshal.";
constexpr int deepest_class = 100;

constexpr std::array simple_classes = std::to_array<std::pair<std::string_view, Kind>>(
    {{"AsciiType", Kind::ascii},       {"LongType", Kind::bigint},           {"BytesType", Kind::blob},
     {"BooleanType", Kind::boolean},   {"CounterColumnType", Kind::counter}, {"SimpleDateType", Kind::date},
     {"DecimalType", Kind::decimal},   {"DoubleType", Kind::double_},        {"DurationType", Kind::duration},
     {"EmptyType", Kind::empty},       {"FloatType", Kind::float_},          {"InetAddressType", Kind::inet},
     {"Int32Type", Kind::int_},        {"ShortType", Kind::smallint},        {"UTF8Type", Kind::text},
     {"TimeType", Kind::time},         {"TimestampType", Kind::timestamp},   {"DateType", Kind::timestamp},
     {"TimeUUIDType", Kind::timeuuid}, {"ByteType", Kind::tinyint},          {"UUIDType", Kind::uuid},
     {"IntegerType", Kind::varint}});

// Classes that have no name in CQL.
constexpr std::array custom_classes =
    std::to_array<std::string_view>({"CompositeType", "DynamicCompositeType", "LexicalUUIDType",
                                     "PartitionerDefinedOrder", "LegacyTimeUUIDType", "UserType"});

class ClassParser {
 public:
  explicit ClassParser(std::string_view text) : text_(text) {}

  std::optional<RawType> parse_all() {
    std::optional<RawType> type = parse();
    skip_blanks();
    return at_ == text_.size() ? type : std::nullopt;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }

  bool take(char sign) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  std::string_view word() {
    skip_blanks();
    const std::size_t end = std::min(text_.find_first_of(" \t\n(),:", at_), text_.size());
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end;
    return found;
  }

  std::optional<RawType> parse() {
    if (++depth_ > deepest_class) return std::nullopt;
    const std::size_t start = at_;
    std::string_view name = word();
    if (name.starts_with(package)) name.remove_prefix(package.size());
    std::optional<RawType> type;
    for (const auto& [simple, kind] : simple_classes)
      if (name == simple) type = RawType{.kind = kind};
    for (const std::string_view custom : custom_classes)
      if (name == custom && skip_arguments())
        type = RawType{.kind = Kind::custom, .class_name = std::string(text_.substr(start, at_ - start))};
    if (!type) type = generic(name);
    --depth_;
    return type;
  }

  // (a, (b), c), if it is there.
  bool skip_arguments() {
    if (!take('(')) return true;
    int open = 1;
    while (at_ < text_.size() && open > 0) {
      if (text_[at_] == '(') ++open;
      if (text_[at_] == ')') --open;
      ++at_;
    }
    return open == 0;
  }

  std::optional<RawType> generic(std::string_view name) {
    constexpr std::array generics = std::to_array<std::pair<std::string_view, Kind>>(
        {{"ListType", Kind::list}, {"SetType", Kind::set}, {"MapType", Kind::map}, {"TupleType", Kind::tuple}});
    const bool wrapper = name == "FrozenType" || name == "ReversedType";
    RawType type{.kind = Kind::empty};
    for (const auto& [generic_name, kind] : generics)
      if (name == generic_name) type.kind = kind;
    if ((type.kind == Kind::empty && !wrapper) || !take('(')) return std::nullopt;
    do {
      std::optional<RawType> argument = parse();
      if (!argument) return std::nullopt;
      type.arguments.push_back(std::move(*argument));
    } while (take(','));
    if (!take(')')) return std::nullopt;
    const std::size_t wanted = type.kind == Kind::tuple ? type.arguments.size() : type.kind == Kind::map ? 2 : 1;
    if (type.arguments.size() != wanted) return std::nullopt;
    type.frozen = type.kind == Kind::tuple;
    if (!wrapper) return type;
    RawType inner = std::move(type.arguments.front());
    if (name == "FrozenType") inner.frozen = true;
    return inner;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<RawType> parse_marshal_class(std::string_view text) { return ClassParser(text).parse_all(); }

}  // namespace windrow
