#include "tests/support/recorded.h"

namespace windrow {
namespace {

TEST_CASE("recordings of random shape with large SSTables agree as a run follows them") {
  CHECK(test::check_agreement("tests/oracle-large-random", {Replay::as_run}).front().recordings.size() == 12);
}

TEST_CASE("recordings of any shape with large SSTables agree as a run follows them") {
  CHECK(test::check_agreement("tests/oracle-large-wide", {Replay::as_run}).front().recordings.size() == 15);
}

}  // namespace
}  // namespace windrow
