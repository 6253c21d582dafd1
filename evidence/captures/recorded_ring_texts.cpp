#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "evidence/captures/recorded_ring.h"

namespace windrow {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<Token> token_of(std::string_view text) {
  Token token = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), token);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return token;
}

[[noreturn]] void nothing_in(const RecordedText& text, std::string_view what) {
  throw RecordedRingError(fmt::format("{}: no {} in it", text.field, what));
}

constexpr std::string_view datacenter_title = "Datacenter: ";

}  // namespace

std::vector<RingLine> ring_lines(const RecordedText& text) {
  std::vector<RingLine> lines;
  std::string datacenter;
  std::istringstream stream(text.text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(datacenter_title)) datacenter = line.substr(datacenter_title.size());
    // Address, rack, status, state, load (a number and its unit, or "?"), owns, token
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 7) continue;
    const std::optional<Token> token = token_of(words.back());
    if (!token) continue;
    lines.push_back({.address = words[0],
                     .datacenter = datacenter,
                     .rack = words[1],
                     .owns = words[words.size() - 2],
                     .token = *token});
  }
  if (lines.empty()) nothing_in(text, "token of a node");
  return lines;
}

std::map<std::string, std::string> status_ownership(const RecordedText& text) {
  std::map<std::string, std::string> owned;
  std::istringstream stream(text.text);
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 6 || words[0].size() != 2) continue;
    const auto share = std::ranges::find_if(words, [](const std::string& word) { return word.ends_with('%'); });
    if (share != words.end()) owned[words[1]] = *share;
  }
  if (owned.empty()) nothing_in(text, "ownership of a node");
  return owned;
}

std::map<Token, std::string> described_ranges(const RecordedText& text) {
  constexpr std::string_view end_token = " end_token:";
  std::map<Token, std::string> ranges;
  std::istringstream stream(text.text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find("TokenRange(");
    const std::size_t end = line.find(end_token);
    if (begin == std::string::npos || end == std::string::npos) continue;
    const std::size_t digits = end + end_token.size();
    const std::optional<Token> token = token_of(std::string_view(line).substr(digits, line.find(',', digits) - digits));
    if (!token) throw RecordedRingError(fmt::format("{}: a range without its end: {}", text.field, line));
    ranges[*token] = line.substr(begin);
  }
  if (ranges.empty()) nothing_in(text, "range");
  return ranges;
}

}  // namespace windrow
