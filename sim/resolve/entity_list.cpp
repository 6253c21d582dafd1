#include "sim/resolve/entity_list.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace windrow {

namespace {

std::optional<std::int64_t> as_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

EntityList::EntityList(Entities entities, std::vector<std::string> from_file)
    : entities_(std::move(entities)),
      names_(entities_.kind == Entities::Kind::named ? entities_.names : std::move(from_file)),
      count_(listed() ? static_cast<std::int64_t>(names_.size()) : entities_.count) {
  measure();
}

std::string EntityList::name(std::int64_t entity) const {
  if (listed()) return names_[static_cast<std::size_t>(entity)];
  if (entities_.kind == Entities::Kind::number) return fmt::format(FMT_COMPILE("{}"), entity);
  std::string digits = fmt::format(FMT_COMPILE("{}"), entity);
  const auto width = static_cast<std::size_t>(entities_.width);
  if (digits.size() < width) digits.insert(0, width - digits.size(), entities_.zeros ? '0' : ' ');
  return entities_.before + digits + entities_.after;
}

int EntityList::name_length(std::int64_t entity) const {
  if (listed()) return static_cast<int>(names_[static_cast<std::size_t>(entity)].size());
  const std::size_t digits = fmt::format_int(entity).size();
  if (entities_.kind == Entities::Kind::number) return static_cast<int>(digits);
  return static_cast<int>(entities_.before.size() + std::max(digits, static_cast<std::size_t>(entities_.width)) +
                          entities_.after.size());
}

std::optional<std::int64_t> EntityList::number(std::int64_t entity) const {
  return listed() ? as_number(names_[static_cast<std::size_t>(entity)]) : entity;
}

bool EntityList::numbers() const {
  return !listed() || std::ranges::all_of(names_, [](const std::string& name) { return as_number(name).has_value(); });
}

void EntityList::measure() {
  if (listed()) {
    std::size_t shortest = names_.empty() ? 0 : names_.front().size();
    std::size_t longest = shortest;
    std::size_t sum = 0;
    for (const std::string& each : names_) {
      shortest = std::min(shortest, each.size());
      longest = std::max(longest, each.size());
      sum += each.size();
    }
    constant_length_ = shortest == longest ? static_cast<int>(longest) : 0;
    mean_length_ = names_.empty() ? 0 : static_cast<double>(sum) / static_cast<double>(names_.size());
    return;
  }
  // Digits of 0 … count - 1, at least `width` of them.
  const auto around = static_cast<double>(entities_.before.size() + entities_.after.size());
  double sum = 0;
  int digits = 0;
  for (std::int64_t begin = 0, end = 10; begin < count_; begin = end, end *= 10) {
    ++digits;
    sum += static_cast<double>(std::min(end, count_) - begin) * std::max(digits, entities_.width);
  }
  mean_length_ = around + sum / static_cast<double>(count_);
  if (digits <= std::max(entities_.width, 1))
    constant_length_ = static_cast<int>(around) + std::max(digits, entities_.width);
}

std::optional<std::int64_t> EntityList::find(const std::string& wanted) const {
  if (listed()) {
    const auto found = std::ranges::find(names_, wanted);
    if (found == names_.end()) return std::nullopt;
    return found - names_.begin();
  }
  std::string_view rest = wanted;
  if (rest.size() < entities_.before.size() + entities_.after.size() || !rest.starts_with(entities_.before) ||
      !rest.ends_with(entities_.after)) {
    return std::nullopt;
  }
  rest.remove_prefix(entities_.before.size());
  rest.remove_suffix(entities_.after.size());
  while (!entities_.zeros && rest.starts_with(' ')) rest.remove_prefix(1);
  const auto number = as_number(rest);
  if (!number || *number < 0 || *number >= count_ || name(*number) != wanted) return std::nullopt;
  return number;
}

std::optional<std::string> EntityList::shared_name(const EntityList& a, const EntityList& b) {
  const EntityList& walked = a.listed() || (!b.listed() && a.count_ <= b.count_) ? a : b;
  const EntityList& asked = &walked == &a ? b : a;
  if (walked.listed() && asked.listed()) {
    const std::set<std::string_view> known(asked.names_.begin(), asked.names_.end());
    const auto found =
        std::ranges::find_if(walked.names_, [&](const std::string& each) { return known.contains(each); });
    return found == walked.names_.end() ? std::nullopt : std::optional(*found);
  }
  if (walked.listed()) {
    const auto found =
        std::ranges::find_if(walked.names_, [&](const std::string& each) { return asked.find(each).has_value(); });
    return found == walked.names_.end() ? std::nullopt : std::optional(*found);
  }
  // Two patterns can meet only if the text around one number continues the text around the other. Where they do, they
  // meet at small numbers or where digits are added.
  const auto related = [](const std::string& x, const std::string& y, bool ends) {
    return ends ? x.ends_with(y) || y.ends_with(x) : x.starts_with(y) || y.starts_with(x);
  };
  const bool may_meet = related(walked.entities_.before, asked.entities_.before, false) &&
                        related(walked.entities_.after, asked.entities_.after, true);
  if (!may_meet) return std::nullopt;
  const auto meets = [&](std::int64_t i) { return i < walked.count_ && asked.find(walked.name(i)).has_value(); };
  for (std::int64_t i = 0; i < 1000; ++i) {
    if (meets(i)) return walked.name(i);
  }
  for (std::int64_t power = 1000; power <= most_entities; power *= 10) {
    for (const std::int64_t i : {power - 1, power, power + 1}) {
      if (meets(i)) return walked.name(i);
    }
  }
  return std::nullopt;
}

}  // namespace windrow
