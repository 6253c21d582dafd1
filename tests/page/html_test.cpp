#include "sim/page/html.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

TEST_CASE("text from outside ends no tag, no attribute, and turns no direction") {
  CHECK(html_text("</script><b a=\"1\" b='2'>&amp;") ==
        "&lt;/script&gt;&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;");
  CHECK(html_text("a\x1b[2Jb") == "a\\u{1b}[2Jb");
  CHECK(html_text("right\xe2\x80\xaeleft") == "right\\u{202e}left");
  CHECK(html_text("a\nb") == "a\\u{a}b");
  CHECK(html_text("\xff") == "\\xff");
}

TEST_CASE("lines stay lines") {
  CHECK(html_lines("[run]\r\ntitle\t= <x>\n\nend") == "[run]\ntitle\t= &lt;x&gt;\n\nend");
  CHECK(html_lines("") == "");
  CHECK(html_lines("a\n") == "a\n");
}

TEST_CASE("data of the page ends no element, and is the same data") {
  const nlohmann::json data = {{"</script><!--", "a & b > c"}, {"bad", "\xff"}};
  const std::string text = html_json(data);
  CHECK(text.find_first_of("<>&") == std::string::npos);
  CHECK(nlohmann::json::parse(text)["</script><!--"] == "a & b > c");
}

}  // namespace
}  // namespace windrow
