#include "sim/words/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/nearest.h"

namespace windrow {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const boost::math::normal_distribution<double> unit_normal{};

// The standard normal value that an upper share `q` lies above.
double upper_quantile(double q) {
  if (q <= 0) return infinite;
  if (q >= 1) return -infinite;
  return boost::math::quantile(boost::math::complement(unit_normal, q));
}
double share_above(double z) {
  if (z == infinite) return 0;
  if (z == -infinite) return 1;
  return boost::math::cdf(boost::math::complement(unit_normal, z));
}
double density(double z) { return std::isinf(z) ? 0 : boost::math::pdf(unit_normal, z); }

// Sum of k^-s for k = 1 … n: the first terms one by one, the rest by Euler and Maclaurin.
double harmonic(double n, double s) {
  constexpr double one_by_one = 1000;
  double sum = 0;
  for (double k = 1; k <= std::min(n, one_by_one); ++k) sum += std::pow(k, -s);
  if (n <= one_by_one) return sum;
  const auto integral = [&](double x) { return s == 1 ? std::log(x) : std::pow(x, 1 - s) / (1 - s); };
  const auto term = [&](double x) { return std::pow(x, -s); };
  return sum + integral(n) - integral(one_by_one) + (term(n) - term(one_by_one)) / 2 -
         s * (term(n) / n - term(one_by_one) / one_by_one) / 12;
}

// Part of the mean that the uppermost share `q` brings.
double upper_mean(const Distribution& d, double q) {
  if (q <= 0) return 0;
  switch (d.kind) {
    case Distribution::Kind::constant:
      return d.first * q;
    case Distribution::Kind::uniform:
      return q * (d.second - (d.second - d.first) * q / 2);
    case Distribution::Kind::normal: {
      const double zero = d.second > 0 ? -d.first / d.second : -infinite;
      const double z = std::max(upper_quantile(q), zero);
      return d.first * share_above(z) + d.second * density(z);
    }
    case Distribution::Kind::lognormal: {
      constexpr double z_p99 = 2.3263478740408408;
      const double sigma = std::log(d.second / d.first) / z_p99;
      return d.first * std::exp(sigma * sigma / 2) * share_above(upper_quantile(q) - sigma);
    }
    case Distribution::Kind::pareto:
      return d.first * d.second / (d.second - 1) * std::pow(std::min(q, 1.0), (d.second - 1) / d.second);
    case Distribution::Kind::zipf:
    case Distribution::Kind::sample:
      break;
  }
  SIM_CHECK(false, "a distribution without a closed form");
  return 0;
}

// Sum of the sample's lower `share`, in members; the border may cut a member.
double lower_sum(const std::vector<double>& sample, double members) {
  double sum = 0;
  const auto whole = static_cast<std::size_t>(members);
  for (std::size_t i = 0; i < whole && i < sample.size(); ++i) sum += sample[i];
  if (whole < sample.size()) sum += sample[whole] * (members - static_cast<double>(whole));
  return sum;
}

struct Form {
  std::string_view name{};
  Distribution::Kind kind{};
};
constexpr std::array<Form, 6> forms = {{{"uniform", Distribution::Kind::uniform},
                                        {"normal", Distribution::Kind::normal},
                                        {"lognormal", Distribution::Kind::lognormal},
                                        {"pareto", Distribution::Kind::pareto},
                                        {"zipf", Distribution::Kind::zipf},
                                        {"from", Distribution::Kind::sample}}};

void read_file_column(Cursor& cursor, Distribution& d) {
  const std::size_t begin = cursor.at();
  const std::string_view part = cursor.until(")");
  const std::size_t colon = part.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == part.size()) {
    cursor.fail(begin, "names no file and column", "from(file.csv:column)");
  }
  d.file = std::string(part.substr(0, colon));
  d.column = std::string(part.substr(colon + 1));
}

void check_parameters(const Cursor& cursor, std::size_t begin, const Distribution& d) {
  using Kind = Distribution::Kind;
  if (d.kind == Kind::uniform && d.second < d.first)
    cursor.fail(begin, "has its bounds exchanged", "uniform(low, high)");
  if (d.kind == Kind::lognormal && !(d.first > 0 && d.second >= d.first)) {
    cursor.fail(begin, "has no median above 0 and at most the 99th percentile", "lognormal(median, p99)");
  }
  if (d.kind == Kind::lognormal && d.second / d.first > 1e9)
    cursor.fail(begin, "is too skewed", "a p99 of at most 1e9 medians");
  if (d.kind == Kind::pareto && !(d.first > 0 && d.second > 1 && d.second <= 100)) {
    cursor.fail(begin, "has no finite mean",
                "pareto(smallest, shape) with a smallest value above 0 and a shape above 1, at most 100");
  }
  if (d.kind == Kind::zipf && (d.first <= 0 || d.first > 10))
    cursor.fail(begin, "has an exponent out of range", "zipf(s, mean) with s above 0, at most 10");
}

}  // namespace

double Distribution::mean_of_ranks(std::int64_t from, std::int64_t to, std::int64_t n) const {
  SIM_CHECK(0 <= from && from < to && to <= n, "ranks outside the members");
  const auto members = static_cast<double>(to - from);
  const auto all = static_cast<double>(n);
  if (kind == Kind::constant) return first;
  if (kind == Kind::sample) {
    const double per_member = static_cast<double>(sample.size()) / all;
    const double sum = lower_sum(sample, static_cast<double>(to) * per_member) -
                       lower_sum(sample, static_cast<double>(from) * per_member);
    return sum / (members * per_member);
  }
  if (kind == Kind::zipf) {
    const double weight =
        harmonic(static_cast<double>(n - from), first) - (to == n ? 0 : harmonic(static_cast<double>(n - to), first));
    return second * all * weight / harmonic(all, first) / members;
  }
  const double part =
      upper_mean(*this, static_cast<double>(n - from) / all) - upper_mean(*this, static_cast<double>(n - to) / all);
  return std::max(0.0, part * all / members);
}

Distribution read_distribution(Cursor& cursor, const ReadQuantity& quantity) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.at();
  const std::string_view name = cursor.word();
  Distribution d;
  if (name.empty()) {
    d.first = quantity(cursor);
    return d;
  }
  const auto form = std::ranges::find(forms, name, &Form::name);
  if (form == forms.end()) {
    std::vector<std::string> names;
    for (const Form& known : forms) names.emplace_back(known.name);
    const bool call = cursor.peek() == '(';
    cursor.fail(begin,
                call ? fmt::format("has no distribution `{}`", name)
                     : fmt::format("has neither a number nor a distribution at `{}`", name),
                std::string(accepted_distributions), std::string(nearest_name(name, names)));
  }
  d.kind = form->kind;
  cursor.expect('(', accepted_distributions);
  if (d.kind == Distribution::Kind::sample) {
    read_file_column(cursor, d);
  } else {
    const auto plain = [](Cursor& c) {
      c.skip_spaces();
      const std::size_t at = c.at();
      const auto number = c.number();
      if (!number) c.fail(at, "is not a plain number", std::string(accepted_distributions));
      return number->value();
    };
    d.first = d.kind == Distribution::Kind::zipf ? plain(cursor) : quantity(cursor);
    cursor.expect(',', accepted_distributions);
    d.second = d.kind == Distribution::Kind::pareto ? plain(cursor) : quantity(cursor);
  }
  cursor.expect(')', accepted_distributions);
  check_parameters(cursor, begin, d);
  return d;
}

std::vector<std::int32_t> deck_of(const Distribution& distribution, int n) {
  constexpr double largest = 2e9;
  if (!distribution.varies())
    return {static_cast<std::int32_t>(std::min(std::llround(distribution.first), 2'000'000'000LL))};
  std::vector<std::int32_t> deck;
  double due = 0;
  std::int64_t given = 0;
  for (int i = 0; i < n; ++i) {
    due += std::min(distribution.mean_of_ranks(i, i + 1, n), largest);
    const std::int64_t size = std::max<std::int64_t>(0, std::llround(due) - given);
    given += size;
    deck.push_back(static_cast<std::int32_t>(std::min<std::int64_t>(size, 2'000'000'000)));
  }
  std::ranges::sort(deck);
  return deck;
}

}  // namespace windrow
