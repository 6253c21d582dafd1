#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/page/facts.h"

namespace windrow {

/// Words with facts between them. In the page each fact carries its name and value from summary.json, so that a test
/// (and a curious reader) can look it up; there are no other numbers in a sentence.
class Sentence {
 public:
  Sentence& say(std::string_view words);
  /// Words with facts of `facts` between them: "peaks at {peak_disk_bytes} on {peak_disk_date}". A fact reads as its
  /// name ends (_bytes, _share, _s, _date; first_… is a date), else as a count; {bound:share} says how: name, count,
  /// bytes, share, span or day. {live_sstables| SSTable| SSTables} has a word behind it, for one and for
  /// many.
  Sentence& say(std::string_view words, const Facts& facts);
  /// What follows begins a line of its own.
  Sentence& new_line();
  /// Text from outside, as it is.
  Sentence& name(const Fact& fact);
  Sentence& count(const Fact& fact);
  Sentence& bytes(const Fact& fact);
  Sentence& share(const Fact& fact);
  Sentence& span(const Fact& seconds);
  Sentence& day(const Fact& time);
  /// Without its unit, which stands elsewhere: so many of `unit`.
  Sentence& count_of(double unit, const Fact& fact);
  /// A limit's value or bound, in the unit the limit names.
  Sentence& in_unit(std::string_view unit, const Fact& fact);
  /// The same beside another, with as many digits as it takes to tell them apart.
  Sentence& in_unit_beside(std::string_view unit, const Fact& fact, const Fact& other);

  bool empty() const { return parts_.empty(); }
  std::string text() const;
  std::string html() const;

 private:
  struct Part {
    std::string text{};
    std::string fact{};  // the fact's name; empty for words
    std::string value{};
  };
  void say_fact(std::string_view words, const Facts& facts);
  Sentence& put(const Fact& fact, std::string text);

  std::vector<Part> parts_{};
};

}  // namespace windrow
