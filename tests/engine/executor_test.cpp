#include "sim/engine/executor.h"

#include <doctest/doctest.h>

namespace windrow {
namespace {

constexpr Micros second = us_per_s;

NodeSettings node_of(int threads, double bytes_per_s, double merge_speed = 0) {
  NodeSettings node;
  node.concurrent_compactors = threads;
  node.compaction_throughput_bytes_per_s = bytes_per_s;
  node.merge_speed_bytes_per_s = merge_speed;
  return node;
}

Job job_of(int table, Bytes bytes) {
  Job job{.number = 1, .table = table, .task = {}};
  job.task.bytes_to_read = bytes;
  job.bytes_left = static_cast<double>(bytes);
  return job;
}

TEST_CASE("candidates of all tables wait in one queue, and begin as threads become idle (rules 10.3, 10.6)") {
  Executor executor(node_of(2, 100), 2);
  for (const int table : {0, 0, 1, 0}) executor.enqueue(table);
  for (int running = 0; running < 2; ++running) {
    CHECK(executor.take() == 0);
    executor.start(job_of(0, 100), 0);
  }
  CHECK_FALSE(executor.take());
  CHECK(executor.waiting() == 2);
  executor.take_ended(executor.next_end());
  CHECK(executor.take() == 1);
}

TEST_CASE("a trigger is dropped only where the table has a candidate and no thread is idle (rule 10.4)") {
  Executor executor(node_of(1, 100), 2);
  CHECK_FALSE(executor.drops(0));
  executor.enqueue(0);
  CHECK_FALSE(executor.drops(0));
  executor.take();
  executor.start(job_of(0, 100), 0);
  CHECK(executor.drops(0));
  CHECK_FALSE(executor.drops(1));
  executor.take_ended(second);
  executor.finished(0);
  CHECK_FALSE(executor.drops(0));
}

TEST_CASE("running compactions share the throughput evenly (rule 10.7)") {
  Executor executor(node_of(2, 100), 1);
  executor.start(job_of(0, 300), 0);
  CHECK(executor.next_end() == 3 * second);
  executor.start(job_of(0, 100), second);  // 200 are left of the first: 50 a second each from here on
  CHECK(executor.bytes_left(2 * second) == doctest::Approx(200));
  CHECK(executor.bytes_read(2 * second) == doctest::Approx(200));
  CHECK(executor.next_end() == 3 * second);
  CHECK(executor.take_ended(3 * second).task.bytes_to_read == 100);
  CHECK(executor.next_end() == 4 * second);  // 100 are left, and nobody to share with
  CHECK(executor.take_ended(4 * second).task.bytes_to_read == 300);
  CHECK(executor.next_end() == Executor::never);
}

TEST_CASE("a thread merges no faster than its own speed, and without either limit at once") {
  Executor slow(node_of(2, 100, 10), 1);
  slow.start(job_of(0, 100), 0);
  CHECK(slow.next_end() == 10 * second);
  slow.start(job_of(0, 100), 0);
  CHECK(slow.next_end() == 10 * second);
  Executor unlimited(node_of(2, 0), 1);
  unlimited.start(job_of(0, 100), second);
  CHECK(unlimited.next_end() == second);
}

TEST_CASE("compactions of a table that are stopped leave the throughput to the others") {
  Executor executor(node_of(2, 100), 2);
  executor.enqueue(0);
  executor.take();
  executor.start(job_of(0, 100), 0);
  executor.enqueue(1);
  executor.take();
  executor.start(job_of(1, 300), 0);
  CHECK(executor.abort(0, second).size() == 1);
  CHECK(executor.candidates(0) == 0);
  CHECK(executor.next_end() == 3500 * us_per_s / 1000);  // 250 of 300 were left
}

}  // namespace
}  // namespace windrow
