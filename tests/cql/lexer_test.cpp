#include <doctest/doctest.h>

#include <array>
#include <string>

#include "sim/cql/token.h"

namespace windrow {
namespace {

// "identifier:create string:a;b" and so on; statements are separated by " | ".
std::string shown(std::string_view text) {
  constexpr std::array names =
      std::to_array<std::string_view>({"identifier", "quoted", "string", "integer", "float", "boolean", "duration",
                                       "uuid", "hex", "sign", "end", "error"});
  std::string result;
  for (const auto& statement : split_statements(text)) {
    if (!result.empty()) result += "| ";
    for (const CqlToken& token : statement)
      if (token.kind != CqlToken::Kind::end)
        result += std::string(names.at(static_cast<std::size_t>(token.kind))) + ":" +
                  (token.kind == CqlToken::Kind::error ? "!" : token.text) + " ";
  }
  return result;
}

TEST_CASE("words, numbers and signs") {
  CHECK(shown("a_1 TRUE -5 1.5 1e3 -NaN <= 0xFF") ==
        "identifier:a_1 boolean:TRUE integer:-5 float:1.5 float:1e3 float:-NaN sign:<= hex:0xFF ");
  CHECK(shown("5a1c395e-b41f-11e5-9f22-ba0be0483c18") == "uuid:5a1c395e-b41f-11e5-9f22-ba0be0483c18 ");
  CHECK(shown("2h30m 90d P1DT2H 1mo") == "duration:2h30m duration:90d duration:P1DT2H duration:1mo ");
  CHECK(shown("1..2 a.b") == "integer:1 sign:.. integer:2 identifier:a sign:. identifier:b ");
}

TEST_CASE("quotes are removed and halved") {
  CHECK(shown("'it''s; -- no' \"A \"\"b\"\"\" $$it's $ a;b$$") ==
        "string:it's; -- no quoted:A \"b\" string:it's $ a;b ");
  CHECK(shown("''") == "string: ");
}

TEST_CASE("comments of all styles are passed over") {
  CHECK(shown("a -- b; c\n d // e\r\n /* f ; \n */ g") == "identifier:a identifier:d identifier:g ");
  CHECK(shown("-- only a comment").empty());
  CHECK(shown("a; -- after the last statement") == "identifier:a ");
}

TEST_CASE("statements end at semicolons, empty ones are no statements") {
  CHECK(shown(";; a; ;b") == "identifier:a | identifier:b ");
}

TEST_CASE("what is unreadable becomes an error token") {
  for (const char* text : {"'abc", "\"abc", "$$abc", "/* abc", "a -- b", "\xe2\x80\x98x", "`t`", "a & b", "\xff"}) {
    CAPTURE(text);
    CHECK(shown(text).find("error:!") != std::string::npos);
  }
}

}  // namespace
}  // namespace windrow
