#include "tests/support/recorded.h"

namespace windrow {
namespace {

TEST_CASE("recordings with large SSTables agree as a run follows them") {
  CHECK(test::check_agreement("tests/oracle-large", {Replay::as_run}).front().recordings.size() == 9);
}

TEST_CASE("recordings with large SSTables agree exactly") {
  CHECK(test::check_agreement("tests/oracle-large", {Replay::exact}).front().recordings.size() == 9);
}

}  // namespace
}  // namespace windrow
